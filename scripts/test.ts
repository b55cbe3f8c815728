/**
 * Runs the tests, several files at a time, prints failures as they come and each suite (a folder of test/ or of
 * test/end-to-end/) with its time, and ends with the line CI reads: `N passed, N failed`. `npm test -- core apply` runs the
 * folders of these names, wherever they are; UNSTUCK_SLOWEST=20 names the slowest tests.
 */
import { globSync } from "node:fs";
import { relative } from "node:path";
import { run } from "node:test";

/** What is read of the runner's events. */
interface TestData {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly skip?: string | boolean;
  readonly nesting?: number;
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
  ms: number;
}

/** End-to-end tests wait as much as they work. */
const FILES_AT_ONCE = 3;
/** Files that take longest go first, so that none of them is left alone at the end. */
const LONG = [
  "end-to-end/run/crash",
  "simulation/seeds",
  "end-to-end/run/loop",
  "end-to-end/run/faults",
  "end-to-end/run/lifetime",
  "end-to-end/run/readme",
];

const asked = process.argv.slice(2);
const files = globSync("test/**/*.test.ts", { exclude: ["test/real-agents/**"] })
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
/** Tests that are written once for several suites, outside test/. */
const shared: Suite = { passed: 0, failed: 0, ms: 0 };
let skipped = 0;
const took: (readonly [string, number])[] = [];
const began = Date.now();
if (files.length > 0) await runFiles();
const total = (of: "passed" | "failed"): number =>
  [...suites.values(), shared].reduce((sum, suite) => sum + suite[of], 0);
const [passed, failed] = [total("passed"), total("failed")];
const slowest = Number(process.env["UNSTUCK_SLOWEST"] ?? 0);
for (const [name, ms] of took.sort(([, a], [, b]) => b - a).slice(0, slowest))
  console.log(`  ${(ms / 1000).toFixed(1)} s  ${name}`);
for (const [name, suite] of [...suites, ["shared", shared] as const])
  console.log(
    `suite ${name}: ${suite.passed} passed, ${suite.failed} failed, ${(suite.ms / 1000).toFixed(1)} s of work`,
  );
if (passed + failed === 0)
  console.log(`no test ran${asked.length > 0 ? ` for ${asked.join(", ")}` : ""}`);
console.log(`tests took ${((Date.now() - began) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function runFiles(): Promise<void> {
  const events = run({
    files,
    concurrency: FILES_AT_ONCE,
    timeout: 600_000,
    execArgv: ["--import", "./scripts/property-seed.js"],
  }) as AsyncIterable<Event>;
  for await (const event of events) {
    if (event.type === "test:pass" || event.type === "test:fail") told(event.type, event.data);
    if (event.type === "test:stderr" && process.env["UNSTUCK_TEST_STDERR"])
      process.stderr.write(event.data.message);
  }
}

function told(type: "test:pass" | "test:fail", data: TestData): void {
  const file = relative(process.cwd(), data.file ?? data.name);
  if (data.details.type === "suite") return;
  const suite = suites.get(suiteOf(file)) ?? shared;
  const { name, line = 0, skip, details, nesting = 0 } = data;
  took.push([name, details.duration_ms ?? 0]);
  if (skip !== undefined && skip !== false) {
    skipped += 1;
    console.log(`  skipped: ${name} (${String(skip)})`);
  } else if (type === "test:pass") suite.passed += 1;
  else {
    suite.failed += 1;
    console.log(`  FAILED ${name}\n    at ${file}:${line}\n${indent(words(details.error))}`);
  }
  if (nesting === 0) suite.ms += details.duration_ms ?? 0;
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
