/**
 * How fast the classifier is: failures per second over the labelled cases of $UNSTUCK_CASES (default ../shared), and
 * the cost of 10 MB of hostile text. Prints figures with their targets; exits 1 if one is missed, 2 without the cases.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { classifyByStandardRules as classify } from "../src/core/rules/standard.ts";
import { readEvidence, type Evidence } from "../src/core/evidence.ts";

const TARGET_PER_SECOND = 20_000;
const TARGET_HOSTILE_MS = 50;
const SIZE = 10_000_000;

const file = join(resolve(process.env["UNSTUCK_CASES"] ?? "../shared"), "cases", "errors.jsonl");

function readCases(): readonly Evidence[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    console.error(
      `no cases at ${file}: set UNSTUCK_CASES to the folder that holds cases/errors.jsonl`,
    );
    process.exit(2);
  }
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => readEvidence(JSON.parse(line)))
    .flatMap((reading) => (reading.ok ? [reading.evidence] : []));
}

function fill(piece: string): string {
  return piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
}

const HOSTILE: Readonly<Record<string, string>> = {
  "one letter": fill("a"),
  spaces: fill(" "),
  "NUL bytes": fill("\0"),
  "lone surrogates": fill("\ud83d"),
  "open escapes": fill("\x1b[31"),
  "open titles": fill("\x1b]0;"),
  "carriage returns": fill("\r"),
  "empty lines": fill("\n"),
  "every error word": fill(
    "error failed denied not found timeout limit exceeded invalid unknown connection refused ",
  ),
  "error lines": fill("error: permission denied, no such file or directory: timed out\n"),
  "deep JSON": fill('{"error":{"error":['),
  "quotes and slashes": fill("\\\"'`/"),
  "almost a status": fill("status code 42 HTTP/1.1 50 "),
  "almost a test count": fill("Tests: 1 passed, 2 passed, "),
  "wrapped lines": fill("x".repeat(79) + "\n"),
};

/** Processor time, so that other work on the machine does not count. */
function milliseconds(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

const cases = readCases();
for (let round = 0; round < 20; round += 1) for (const one of cases) classify(one);
let best = 0;
for (let round = 0; round < 15; round += 1) {
  const spent = milliseconds(() => {
    for (let again = 0; again < 5; again += 1) for (const one of cases) classify(one);
  });
  best = Math.max(best, (cases.length * 5 * 1_000) / spent);
}
console.log(`${Math.round(best)} failures a second (target ${TARGET_PER_SECOND})`);

let worst = 0;
for (const [name, text] of Object.entries(HOSTILE)) {
  const evidence = { tool: "run_bash", exitCode: 1, stderr: text, stdout: text, message: text };
  classify(evidence);
  const spent = Math.min(...[1, 2, 3].map(() => milliseconds(() => classify(evidence))));
  worst = Math.max(worst, spent);
  console.log(`10 MB of ${name} in each field: ${spent.toFixed(1)} ms`);
}
console.log(`worst: ${worst.toFixed(1)} ms (target ${TARGET_HOSTILE_MS})`);
process.exitCode = best < TARGET_PER_SECOND || worst > TARGET_HOSTILE_MS ? 1 : 0;
