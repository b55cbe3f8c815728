/**
 * `unstuck simulate`: which recovery policy does best in worlds where the cause of each failure is known. Exit 0; 2 for
 * what cannot be used. Progress is drawn on a terminal, told in quarters where lines cannot be drawn again, and kept out of
 * pipes.
 */
import { Command } from "commander";
import type {
  CompareInput,
  Comparison,
  Progress,
} from "../../operations/simulate/compare-policies.ts";
import { count } from "../../operations/text.ts";
import { perform, readJsonFile, styled, textColumns, write, writeJson } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { calibrationLines, comparisonLines } from "../simulate/table.ts";
import { progressBar } from "../simulate/progress-bar.ts";

interface SimulateFlags {
  readonly worlds?: string;
  readonly seed?: string;
  readonly tasks?: string;
  readonly skip?: string;
  readonly budget?: string;
  readonly calibration?: boolean;
  readonly policy?: readonly string[];
  readonly against?: string;
  readonly person?: boolean;
  readonly dependent?: boolean;
  readonly change?: boolean;
  readonly small?: boolean;
  readonly world?: string;
  readonly printWorld?: boolean;
  readonly chart?: string;
  readonly history?: string | true;
  readonly stuckAfter?: string;
  readonly recoveryBudget?: string;
  readonly progressThreshold?: string;
  readonly json?: boolean;
}

const THRESHOLDS = {
  stuckAfter: "--stuck-after",
  recoveryBudget: "--recovery-budget",
  progressThreshold: "--progress-threshold",
} as const;

async function replay(flags: SimulateFlags): Promise<void> {
  const { replayHistory } = await import("../../operations/simulate/history.ts");
  const { historyLines } = await import("../simulate/history.ts");
  const [policy, ...more] = flags.policy ?? [];
  if (more.length > 0) throw new UsageError("--history takes one policy at a time");
  const replayed = await perform(replayHistory, {
    ...(policy === undefined ? {} : { policy }),
    ...(typeof flags.history === "string" ? { run: flags.history } : {}),
    ...thresholdsOf(flags),
  });
  if (flags.json === true) return writeJson(replayed);
  for (const line of historyLines(replayed, textColumns())) write(line);
}

function thresholdsOf(flags: SimulateFlags): {
  -readonly [name in keyof typeof THRESHOLDS]?: number;
} {
  const given: { -readonly [name in keyof typeof THRESHOLDS]?: number } = {};
  for (const name of Object.keys(THRESHOLDS) as (keyof typeof THRESHOLDS)[]) {
    const value = flags[name];
    if (value === undefined) continue;
    if (!/^\d{1,4}(?:\.\d{1,4})?$/.test(value))
      throw new UsageError(`${THRESHOLDS[name]} needs a number, not ${JSON.stringify(value)}`);
    given[name] = Number(value);
  }
  return given;
}

export const simulate = (): Command =>
  new Command("simulate")
    .option("--worlds <n>", "how many random worlds (30)")
    .option("--seed <n>", "seed of the first world (1)")
    .option("--tasks <n>", "tasks in each world (400)")
    .option("--skip <n>", "tasks before those, to learn from (0)")
    .option("--budget <n>", "recovery attempts for each task (8)")
    .option("--policy <names...>", "only these policies")
    .option("--against <policy>", "compare the others with this one (fresh)")
    .option("--person", "somebody answers questions")
    .option("--dependent", "tasks depend on each other: one that failed blocks others")
    .option("--change", "half-way feedback helps less, a stronger model more")
    .option("--small", "simple worlds, in which the best there is can be worked out")
    .option("--world <file>", "a world of your own (JSON) instead of random ones")
    .option("--print-world", "print the world that ships, to start your own from")
    .option("--calibration", "also show how well policies knew their chances")
    .option("--chart <file>", "write a chart (SVG)")
    .option("--history [run]", "replay your recorded runs under --policy instead")
    .option("--stuck-after <n>", "with --history: attempts without progress until stuck")
    .option("--recovery-budget <n>", "with --history: attempts made for recovery")
    .option("--progress-threshold <x>", "with --history: a score below this is no progress")
    .option("--json", "as JSON")
    .action(async (flags: SimulateFlags) => {
      if (flags.history !== undefined) return replay(flags);
      for (const name of Object.keys(THRESHOLDS) as (keyof typeof THRESHOLDS)[])
        if (flags[name] !== undefined) throw new UsageError(`${THRESHOLDS[name]} needs --history`);
      const { baseWorld, comparePolicies } =
        await import("../../operations/simulate/compare-policies.ts");
      if (flags.printWorld === true) return write(JSON.stringify(baseWorld(), null, 2));
      const bar = progressBar(flags.json === true);
      const on = ({ done, total, policy }: Progress): void => bar.show(done / total, policy);
      const comparison = await perform(comparePolicies, inputOf(flags), { on });
      bar.end();
      if (flags.json === true) return writeJson(comparison);
      for (const line of comparisonLines(comparison, textColumns(), styled)) write(line);
      if (flags.calibration === true) for (const line of calibrationLines(comparison)) write(line);
      for (const line of nextLines(comparison)) write(line);
    });

const NUMBERS = ["worlds", "seed", "tasks", "skip", "budget"] as const;

function inputOf(flags: SimulateFlags): CompareInput {
  const input: { -readonly [name in keyof CompareInput]: CompareInput[name] } = {};
  for (const name of NUMBERS) {
    const given = flags[name];
    if (given === undefined) continue;
    if (!/^[1-9]\d{0,6}$/.test(given))
      throw new UsageError(`--${name} needs a whole number, such as --${name} 10`);
    input[name] = Number(given);
  }
  const { policy, against, person, dependent, change, small, world, chart } = flags;
  if (policy !== undefined) input.policies = policy.flatMap((names) => names.split(","));
  if (against !== undefined) input.against = against;
  if (person !== undefined) input.person = person;
  if (dependent !== undefined) input.dependent = dependent;
  if (change !== undefined) input.change = change;
  if (small !== undefined) input.small = small;
  if (world !== undefined) input.world = readJsonFile(world);
  if (chart !== undefined) input.chart = chart;
  return input;
}

/** What to look at next; the command stands alone, to be copied. */
function nextLines({ chart, settings: { budget, worlds } }: Comparison): readonly string[] {
  return [
    "",
    ...(chart === undefined ? [] : [`The chart is in ${chart}`]),
    ...(worlds < 30
      ? [`${count(worlds, "world")} say little:`, "  unstuck simulate --worlds 30"]
      : ["With another budget:", `  unstuck simulate --budget ${budget > 3 ? 3 : 8}`]),
  ];
}
