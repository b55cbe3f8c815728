/**
 * Tests with the real agents, against our scripted model server: installs the agents that test/real-agents pins,
 * builds, runs the tests and ends with the line CI reads: `N passed, N failed`. `npm run test:agents` takes claude,
 * codex and pi; `-- --all` adds gemini and opencode; `-- claude codex` takes only those. Tests in test/real-agents
 * itself belong to no agent and always run; those in test/real-agents/<agent>/ run with that agent, those in
 * test/real-agents/<a>-<b>/ if both are taken.
 */
import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { AGENTS_FOLDER as FOLDER, installAgents, succeeds } from "./install-agents.ts";

const USUAL = ["claude", "codex", "pi"];
const MORE = ["gemini", "opencode"];

interface TestData {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly details: { readonly type?: string; readonly error?: Error };
}
interface Event {
  readonly type: string;
  readonly data: TestData & { readonly message?: string };
}

const words = process.argv.slice(2);
const named = words.filter((word) => word !== "--all");
const wrong = named.filter((name) => ![...USUAL, ...MORE].includes(name));
if (wrong.length > 0) {
  console.error(`no such agent: ${wrong.join(", ")} (known: ${[...USUAL, ...MORE].join(", ")})`);
  process.exit(2);
}
const agents =
  named.length > 0 ? named : words.includes("--all") ? [...USUAL, ...MORE] : [...USUAL];
const isReady =
  installAgents(agents.some((name) => MORE.includes(name))) &&
  succeeds(process.execPath, [join(import.meta.dirname, "run.js"), "build"]);
if (!isReady) {
  console.log("0 passed, 1 failed");
  process.exit(1);
}
process.exitCode = await test(agents);

async function test(names: readonly string[]): Promise<number> {
  const suites = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => entry.name)
    .filter((folder) => folder.split("-").every((name) => names.includes(name)));
  let passed = 0;
  let failed = 0;
  for (const suite of [".", ...suites]) {
    const files = globSync(join(FOLDER, suite, "*.test.ts")).sort();
    if (files.length === 0) continue;
    const started = Date.now();
    const first = await runFiles(files, 2);
    passed += first.passed;
    // Third-party programs on a possibly busy machine: failed tests are run once more on their own, and listed.
    for (const name of first.failed) console.log(`  run again by itself: ${name}`);
    const again =
      first.failed.length === 0
        ? undefined
        : await runFiles(
            files,
            1,
            first.failed.map(
              (name) => new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`),
            ),
          );
    passed += again?.passed ?? 0;
    failed += again?.failed.length ?? 0;
    console.log(`${suite === "." ? "model server" : suite}: ${seconds(started)} s`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

async function runFiles(
  files: string[],
  concurrency: number,
  only?: RegExp[],
): Promise<{ readonly passed: number; readonly failed: readonly string[] }> {
  let passed = 0;
  const failed: string[] = [];
  const events = run({
    files,
    concurrency,
    timeout: 300_000,
    ...(only === undefined ? {} : { testNamePatterns: only }),
  }) as AsyncIterable<Event>;
  for await (const { type, data } of events) {
    if (data.details?.type === "suite" || (data as { skip?: unknown }).skip !== undefined) continue;
    if (type === "test:pass") passed += 1;
    if (type !== "test:fail") continue;
    failed.push(data.name);
    console.log(`  FAILED ${data.name}\n    at ${data.file ?? ""}:${data.line ?? 0}`);
    console.log(reasonOf(data.details.error));
  }
  return { passed, failed };
}

function reasonOf(error: Error | undefined): string {
  const cause = error?.cause instanceof Error ? error.cause : error;
  const lines = (cause?.stack ?? cause?.message ?? "").split("\n").slice(0, 30);
  return lines.map((line) => `    ${line}`).join("\n");
}

function seconds(started: number): string {
  return ((Date.now() - started) / 1000).toFixed(1);
}
