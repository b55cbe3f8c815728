/**
 * Runs the tests, several files at a time, prints failures as they occur and each suite (a folder of test/ or of
 * test/end-to-end/) with its processor time, and ends with the line CI reads: `N passed, N failed`. `npm test -- core
 * apply` runs the folders with these names, wherever they are; UNSTUCK_SLOWEST=20 names the slowest tests and files;
 * UNSTUCK_FULL=1 runs the long forms. Tests without side effects share one process per folder: starting a process per
 * file, and loading the same modules in it, takes longer than running it.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { pathToFileURL } from "node:url";

/** The fields used of the runner's events. */
interface TestData {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly skip?: string | boolean;
  readonly details: {
    readonly type?: string;
    readonly error?: Error;
    readonly duration_ms?: number;
  };
}
type Event =
  | { readonly type: "test:pass" | "test:fail"; readonly data: TestData }
  | { readonly type: "test:stderr"; readonly data: { readonly message: string } };

interface Suite {
  passed: number;
  failed: number;
  /** Processor time. */
  ms: number;
}

/** For two cores: end-to-end tests wait as much as they work, and none depends on speed. */
const FILES_AT_ONCE = 5;
/** The slowest files go first, so that none of them is left alone at the end. */
const LONG = [
  "cli/terminal/review-terminal",
  "cli/terminal/attach-terminal",
  "cli/terminal/commands",
  "simulation/seeds",
  "workspace/crash",
  "end-to-end/excerpt/excerpt",
  "end-to-end/verdict/repositories",
  "end-to-end/verdict/base",
  "end-to-end/run/verification",
  "end-to-end/run/lifetime",
  "end-to-end/run/crash",
  "end-to-end/clean/clean",
  "end-to-end/lifetime/pause",
  "end-to-end/homes/homes",
  "end-to-end/apply/faults",
  "end-to-end/slots/disk",
  "simulator/self-checks",
  "agents/hooks/hook-command",
  "project/how-to-add",
];
/** Folders whose tests share a process, except files that inspect their process or start others. */
const TOGETHER = [
  "core",
  "operations",
  "library",
  "runtime",
  "web",
  "agents/output",
  "cli/terminal",
];
const ALONE = /\bprocess\.|\bmock\.|child_process|command\.ts|pseudo-terminal|repository\.ts/;
/** The time limit of a file: long enough for a machine that is busy with other work. */
const LIMIT_MS = 3_600_000;

const asked = process.argv.slice(2);
const ELSEWHERE = ["test/real-agents/**", "test/browser/**", "test/scale/**"];
const files = globSync("test/**/*.test.ts", { exclude: ELSEWHERE })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => asked.length === 0 || asked.some((name) => file.includes(`/${name}/`)))
  .sort();
const rank = (file: string): number => {
  const place = LONG.findIndex((name) => file === `test/${name}.test.ts`);
  return place < 0 ? LONG.length : place;
};
files.sort((a, b) => rank(a) - rank(b));

const suiteOf = (file: string): string => {
  const [, first = "", second = ""] = file.split(/[/\\]/);
  return first === "end-to-end" ? second : first;
};
const suites = new Map<string, Suite>();
for (const file of files) suites.set(suiteOf(file), { passed: 0, failed: 0, ms: 0 });
/** Tests outside test/ that several suites share. */
const shared: Suite = { passed: 0, failed: 0, ms: 0 };
let skipped = 0;
const folder = mkdtempSync(join(tmpdir(), "unstuck-tests-"));
const times = join(folder, "times");
const took: (readonly [string, number])[] = [];
const began = Date.now();
try {
  writeFileSync(times, "");
  if (files.length > 0) await runFiles();
  addTimes();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const total = (of: "passed" | "failed"): number =>
  [...suites.values(), shared].reduce((sum, suite) => sum + suite[of], 0);
const [passed, failed] = [total("passed"), total("failed")];
const slowest = Number(process.env["UNSTUCK_SLOWEST"] ?? 0);
for (const [name, ms] of took.sort(([, a], [, b]) => b - a).slice(0, slowest))
  console.log(`  ${(ms / 1000).toFixed(1)} s  ${name}`);
for (const [name, suite] of [...suites, ["shared", shared] as const])
  console.log(
    `suite ${name}: ${suite.passed} passed, ${suite.failed} failed, ${(suite.ms / 1000).toFixed(1)} s of processor time`,
  );
if (passed + failed === 0)
  console.log(`no test ran${asked.length > 0 ? ` for ${asked.join(", ")}` : ""}`);
const worked = [...suites.values(), shared].reduce((sum, { ms }) => sum + ms, 0);
console.log(
  `tests took ${((Date.now() - began) / 1000).toFixed(0)} s, ${(worked / 1000).toFixed(0)} s of processor time`,
);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function runFiles(): Promise<void> {
  // TypeScript is stripped and compiled once, not in every process.
  process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "node-compile-cache");
  process.env["UNSTUCK_TEST_TIMES"] = times;
  const events = run({
    files: grouped(),
    concurrency: FILES_AT_ONCE,
    timeout: LIMIT_MS,
    execArgv: ["--import", "./scripts/property-seed.js"],
  }) as AsyncIterable<Event>;
  for await (const event of events) {
    if (event.type === "test:pass" || event.type === "test:fail") told(event.type, event.data);
    if (event.type === "test:stderr" && process.env["UNSTUCK_TEST_STDERR"])
      process.stderr.write(event.data.message);
  }
}

/** What to start: one file each, and one for each folder of tests that share a process, which loads them all. */
function grouped(): string[] {
  const groups = new Map<string, string[]>();
  const alone = files.filter((file) => {
    const inside = file.slice("test/".length);
    const place = TOGETHER.find((name) => inside.startsWith(`${name}/`));
    if (place === undefined) return true;
    const isCore = place === "core";
    if (!isCore && ALONE.test(readFileSync(file, "utf8"))) return true;
    const [, second = ""] = inside.split("/");
    const name =
      isCore && !second.endsWith(".test.ts") ? `${place}/${second}` : `${place}/${basename(place)}`;
    groups.set(name, [...(groups.get(name) ?? []), file]);
    return false;
  });
  const made = [...groups].map(([name, members]) => {
    const file = join(folder, `${name}.test.mjs`);
    const urls = members.map((member) => pathToFileURL(resolve(member)).href);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, urls.map((url) => `await import(${JSON.stringify(url)});\n`).join(""));
    return file;
  });
  return [...alone, ...made];
}

/** Adds the processor time of every process that was started, including everything that it started and waited for. */
function addTimes(): void {
  for (const line of readFileSync(times, "utf8").split("\n")) {
    const [file = "", ms] = line.split("\t");
    if (ms === undefined) continue;
    const own = relative(file.startsWith(folder) ? folder : ".", file).replace(
      /^(?!test\/)/,
      "test/",
    );
    const suite = suites.get(suiteOf(own)) ?? shared;
    suite.ms += Number(ms);
    took.push([own, Number(ms)]);
  }
}

function told(type: "test:pass" | "test:fail", data: TestData): void {
  const file = relative(process.cwd(), data.file ?? data.name);
  if (data.details.type === "suite") return;
  const suite = suites.get(suiteOf(file)) ?? shared;
  const { name, line = 0, skip, details } = data;
  took.push([name, details.duration_ms ?? 0]);
  if (skip !== undefined && skip !== false) {
    skipped += 1;
    console.log(`  skipped: ${name} (${String(skip)})`);
  } else if (type === "test:pass") suite.passed += 1;
  else {
    suite.failed += 1;
    console.log(`  FAILED ${name}\n    at ${file}:${line}\n${indent(words(details.error))}`);
  }
}

function words(error: Error | undefined): string {
  return error?.cause instanceof Error
    ? (error.cause.stack ?? error.cause.message)
    : (error?.message ?? "");
}

function indent(text: string): string {
  return text
    .split("\n")
    .slice(0, 30)
    .map((line) => `    ${line}`)
    .join("\n");
}
