/**
 * `npm run eval`: the accuracy of the classifier on the labelled cases of $UNSTUCK_CASES (default ../shared). Seven
 * tenths of them (by hash of the id) are for tuning and may be read; of the rest only figures are printed. `--json` for
 * programs. Exits 2 without the cases.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { classifyByStandardRules as classify } from "../src/core/rules/standard.ts";
import { readEvidence } from "../src/core/evidence.ts";
import type { FailureKind } from "../src/core/kinds.ts";
import { isRight, scoreOf, type Answer, type Score } from "./eval/score.ts";

const folder = resolve(process.env["UNSTUCK_CASES"] ?? "../shared");
const file = join(folder, "cases", "errors.jsonl");

interface LabelledCase {
  readonly id: string;
  readonly label: FailureKind;
  readonly alternates?: readonly FailureKind[];
}

function readCases(): readonly string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
  } catch {
    console.error(
      `no labelled cases at ${file}: set UNSTUCK_CASES to the folder that holds cases/errors.jsonl`,
    );
    process.exit(2);
  }
}

const isForTuning = (id: string): boolean =>
  parseInt(createHash("sha256").update(id).digest("hex").slice(0, 8), 16) % 10 < 7;

function answer(line: string): Answer {
  const value = JSON.parse(line) as LabelledCase;
  const reading = readEvidence(value);
  if (!reading.ok) throw new Error(`case ${value.id}: ${reading.field} ${reading.problem}`);
  const { kind, confidence } = classify(reading.evidence);
  return { id: value.id, label: value.label, alternates: value.alternates ?? [], kind, confidence };
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;

function print(name: string, score: Score): void {
  console.log(
    `${name}: ${score.items} cases, accuracy ${percent(score.accuracy)}, ` +
      `macro-F1 ${score.macroF1.toFixed(3)}, ` +
      `unknown forced to fatal ${percent(score.unknownForcedToFatal)}`,
  );
  for (const { from, to, count, meanConfidence, right } of score.calibration)
    if (count > 0)
      console.log(
        `  said ${from.toFixed(2)} to ${Math.min(1, to).toFixed(2)}: ${count} cases, ` +
          `mean ${meanConfidence.toFixed(2)}, right ${percent(right)}`,
      );
}

const answers = readCases().map(answer);
const tuning = answers.filter(({ id }) => isForTuning(id));
const keptOut = answers.filter(({ id }) => !isForTuning(id));
const confusions = tuning.filter((one) => !isRight(one));
const scores = { tuning: scoreOf(tuning), keptOut: scoreOf(keptOut) };
if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ ...scores, confusions }, null, 2));
} else {
  print("tuning", scores.tuning);
  for (const { id, label, kind, confidence } of confusions)
    console.log(`  ${id}: ${label} taken for ${kind} (${confidence.toFixed(2)})`);
  print("kept out", scores.keptOut);
}
