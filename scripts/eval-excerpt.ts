/**
 * `npm run eval:excerpt`: how much of the important output the excerpts of failed checks contain, on the labelled
 * outputs of $UNSTUCK_CASES (default ../shared), and whether it is still in a prompt after five failed attempts.
 * `--json` for programs, `--worst` names what was lost. Exits 1 below a goal; without the cases it says so and passes.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createRecovery, PRESETS } from "../src/index.ts";
import { standardRules } from "../src/rules.ts";
import { checkExcerpt } from "../src/core/excerpt/check-excerpt.ts";

interface LabelledOutput {
  readonly id: string;
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly must: readonly string[];
  readonly noise: readonly string[];
  readonly headline: string;
}

const file = join(
  resolve(process.env["UNSTUCK_CASES"] ?? "../shared"),
  "cases/check-outputs.jsonl",
);
if (!existsSync(file)) {
  console.log(`no labelled outputs at ${file}: set UNSTUCK_CASES; nothing was measured`);
  process.exit(0);
}
const cases = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line) as LabelledOutput);

const ESCAPES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;
const flat = (text: string): string => text.replace(ESCAPES, "").replace(/\s+/g, " ");
const holds = (text: string, part: string): boolean => text.includes(flat(part).trim());

const LONG = 2000;
const FIRST = 200;
const HISTORY = 5;

/** The prompt after five failed attempts, the newest of which failed with this output. */
function promptAfterFive(at: number): string {
  const rungs = [{ id: "feedback", do: "feedback" as const }];
  const policy = { ...PRESETS.standard, structure: false, circular: "record" as const, rungs };
  const recovery = createRecovery({ policy, rules: standardRules() });
  let prompt = "";
  for (let back = HISTORY - 1; back >= 0; back -= 1) {
    const one = cases[(at - back + cases.length) % cases.length];
    if (one === undefined) continue;
    const { command, exitCode, stdout, stderr } = one;
    const evidence = { origin: "check", command, exitCode, stdout, stderr };
    const approach = `approach number ${HISTORY - back}`;
    const next = recovery.failed(evidence, { prompt: "Make the checks pass.", approach });
    prompt = next.kind === "again" ? next.prompt : "";
  }
  return prompt;
}

const rows = cases.map((one, at) => {
  const { text } = checkExcerpt(one);
  const told = flat(text);
  const prompt = flat(promptAfterFive(at));
  return {
    id: one.id,
    isLong: flat(one.stdout).length + flat(one.stderr).length > LONG,
    length: text.length,
    must: one.must.length,
    lost: one.must.filter((part) => !holds(told, part)),
    lostInPrompt: one.must.filter((part) => holds(told, part) && !holds(prompt, part)),
    noise: one.noise.length,
    kept: one.noise.filter((part) => holds(told, part)).length,
    headline: told.slice(0, FIRST).includes(flat(one.headline).trim()),
  };
});

type Row = (typeof rows)[number];
const sum = (of: (row: Row) => number, among: readonly Row[] = rows): number =>
  among.reduce((all, row) => all + of(row), 0);
const kept = (among: readonly Row[]): number =>
  1 -
  sum(({ lost }) => lost.length, among) /
    Math.max(
      1,
      sum(({ must }) => must, among),
    );
const long = rows.filter(({ isLong }) => isLong);

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const figures: readonly {
  readonly what: string;
  readonly got: number;
  readonly goal: number;
  readonly isMost?: boolean;
  readonly isCount?: boolean;
}[] = [
  { what: "of what matters", got: kept(rows), goal: 0.97 },
  { what: "of what matters, in outputs over 2,000 characters", got: kept(long), goal: 0.95 },
  {
    what: "outputs with all that matters",
    got: rows.filter(({ lost }) => lost.length === 0).length / rows.length,
    goal: 0.92,
  },
  {
    what: "of the noise, in outputs over 2,000 characters",
    got:
      sum((row) => row.kept, long) /
      Math.max(
        1,
        sum(({ noise }) => noise, long),
      ),
    goal: 0.1,
    isMost: true,
  },
  {
    what: "headlines within the first 200 characters",
    got: rows.filter(({ headline }) => headline).length / rows.length,
    goal: 0.9,
  },
  {
    what: "characters on average",
    got: Math.round(sum(({ length }) => length) / rows.length),
    goal: 1200,
    isMost: true,
    isCount: true,
  },
  {
    what: "facts of the newest failure lost in a prompt after five attempts",
    got: sum(({ lostInPrompt }) => lostInPrompt.length),
    goal: 0,
    isMost: true,
    isCount: true,
  },
];
const isMet = ({ got, goal, isMost = false }: (typeof figures)[number]): boolean =>
  isMost ? got <= goal : got >= goal;

if (process.argv.includes("--json")) console.log(JSON.stringify({ figures, rows }, null, 2));
else {
  console.log(
    `${rows.length} outputs of failed checks, ${long.length} of them over 2,000 characters`,
  );
  for (const figure of figures) {
    const { what, got, goal, isMost = false, isCount = false } = figure;
    const [said, asked] = isCount ? [got, goal] : [percent(got), percent(goal)];
    console.log(
      `${isMet(figure) ? "  ok  " : "MISSED"} ${said} ${what} (at ${isMost ? "most" : "least"} ${asked})`,
    );
  }
}
if (process.argv.includes("--worst"))
  for (const { id, lost, lostInPrompt } of rows)
    if (lost.length + lostInPrompt.length > 0)
      console.log(id, JSON.stringify({ lost, lostInPrompt }));
process.exitCode = figures.every(isMet) ? 0 : 1;
