/**
 * `unstuck simulate`: which recovery policy does best in worlds where the cause of each failure is known. Exit 0, or 2
 * for invalid input. Progress is drawn on one line of a terminal, reported in quarters if lines cannot be redrawn (a
 * screen reader), and omitted in pipes.
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
import { calibrationLines, comparisonLines, historyLines } from "../screen/simulation.ts";
import { hasScreen } from "../screen/run-screen.ts";
import { cutToWidth } from "../screen/line.ts";

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

/** What to look at next; the command is on its own line, to be copied. */
function nextLines({ chart, settings: { budget, worlds } }: Comparison): readonly string[] {
  return [
    "",
    ...(chart === undefined ? [] : [`The chart is in ${chart}`]),
    ...(worlds < 30
      ? [`${count(worlds, "world")} say little:`, "  unstuck simulate --worlds 30"]
      : ["With another budget:", `  unstuck simulate --budget ${budget > 3 ? 3 : 8}`]),
  ];
}

interface ProgressBar {
  /** `share`: 0 to 1; `doing`: the current activity. */
  show(share: number, doing: string): void;
  /** Removes the line. */
  end(): void;
}

const BAR_MAX = 30;
const FRAME_MS = 100;

function progressBar(quiet: boolean): ProgressBar {
  const out = process.stderr;
  if (quiet || !out.isTTY || !process.stdout.isTTY)
    return { show: () => undefined, end: () => undefined };
  return hasScreen() ? drawnBar(out) : toldQuarters(out);
}

function drawnBar(out: NodeJS.WriteStream): ProgressBar {
  const began = Date.now();
  let drawnAt = 0;
  return {
    show(share, doing) {
      const now = Date.now();
      if (now - drawnAt < FRAME_MS) return;
      drawnAt = now;
      const columns = out.columns || 80;
      out.write(`\r\x1b[K${barLine(share, doing, now - began, columns - 1)}`);
    },
    end: () => void out.write("\r\x1b[K"),
  };
}

export function barLine(share: number, doing: string, ms: number, columns: number): string {
  const width = Math.max(5, Math.min(BAR_MAX, columns - 34));
  const full = Math.round(share * width);
  const bar = `[${"#".repeat(full)}${"-".repeat(width - full)}]`;
  const left = share < 0.02 ? "" : `, ${leftText((ms / share) * (1 - share))}`;
  return cutToWidth(`${bar} ${Math.floor(share * 100)} %${left}  ${doing}`, columns);
}

function leftText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}

function toldQuarters(out: NodeJS.WriteStream): ProgressBar {
  let told = 0;
  return {
    show(share) {
      const quarter = Math.floor(share * 4);
      if (quarter <= told || quarter >= 4) return;
      told = quarter;
      out.write(`${quarter * 25} % done\n`);
    },
    end: () => undefined,
  };
}
