/**
 * Runs the test suites (folders of test/), two files at a time, prints each suite's time and ends with the
 * line CI reads: `N passed, N failed`. `npm test -- core cli` runs only those suites.
 */
import { globSync, readdirSync } from "node:fs";
import { run } from "node:test";

/** What is read of the runner's events. */
interface TestData {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly skip?: string | boolean;
  readonly details: { readonly type?: string; readonly error?: Error };
}
type Event =
  | { readonly type: "test:pass" | "test:fail"; readonly data: TestData }
  | { readonly type: "test:stderr"; readonly data: { readonly message: string } };

const asked = process.argv.slice(2);
const suites = readdirSync("test", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "agents" && entry.name !== "fixtures")
  .map((entry) => entry.name)
  .filter((name) => asked.length === 0 || asked.includes(name));

let passed = 0;
let failed = 0;
let skipped = 0;
for (const suite of suites) {
  const files = globSync(`test/${suite}/**/*.test.ts`).sort();
  if (files.length === 0) continue;
  const started = Date.now();
  const before = { passed, failed };
  const events = run({
    files,
    concurrency: 2,
    timeout: 600_000,
    execArgv: ["--import", "./scripts/property-seed.js"],
  }) as AsyncIterable<Event>;
  for await (const event of events) {
    if (event.type === "test:pass" && isLeaf(event.data)) {
      if (event.data.skip !== undefined && event.data.skip !== false) {
        skipped += 1;
        console.log(`  skipped: ${event.data.name} (${String(event.data.skip)})`);
      } else passed += 1;
    }
    if (event.type === "test:fail" && isLeaf(event.data)) {
      failed += 1;
      const { file = "", line = 0, name, details } = event.data;
      console.log(`  FAILED ${name}\n    at ${file}:${line}`);
      console.log(indent(words(details.error)));
    }
    if (event.type === "test:stderr" && process.env["UNSTUCK_TEST_STDERR"])
      process.stderr.write(event.data.message);
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(
    `suite ${suite}: ${passed - before.passed} passed, ${failed - before.failed} failed in ${seconds} s`,
  );
}
if (passed + failed === 0) {
  console.log(`no test ran${asked.length > 0 ? ` for ${asked.join(", ")}` : ""}`);
  failed = 1;
}
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;

function isLeaf(data: TestData): boolean {
  return data.details.type !== "suite";
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
