/**
 * Compares recovery policies in simulated worlds: no agent, no money, the same result for the same settings. The work
 * is done in short pieces, so that its progress can be shown.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { cleanLine } from "../../core/foreign-text.ts";
import { nearestName } from "../../core/validate/nearest-name.ts";
import { chartOf } from "../../simulator/compare/chart.ts";
import { compared, playWorld, type Compared } from "../../simulator/compare/compare.ts";
import { costPerSuccess, recoveredShare, type Tally } from "../../simulator/compare/tally.ts";
import { USUAL_DEPENDENCIES } from "../../simulator/play/dependencies.ts";
import { CONTESTANTS, fitFor } from "../../simulator/policies/all.ts";
import type { Contestant } from "../../simulator/policies/contestant.ts";
import { BASE_WORLD } from "../../simulator/world/base-world.ts";
import { randomWorld, USUAL_CHANGE } from "../../simulator/world/random-world.ts";
import { SMALL_WORLD } from "../../simulator/world/small-world.ts";
import { worldSchema, type World } from "../../simulator/world/world.ts";
import { defined, operation, ProblemError, type InputOf } from "../operation.ts";
import { comparePolicies as schemas, type Comparison } from "./schemas.ts";

export type { Comparison };
export type CompareInput = InputOf<typeof comparePolicies>;

/** How much of the work is done. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The policy being played. */
  readonly policy: string;
}

export const comparePolicies = operation({
  name: "simulate",
  schemas: async () => schemas,
  async run({ cwd, signal }, input, on: (progress: Progress) => void): Promise<Comparison> {
    const settings = settingsOf(input);
    const { contestants, against, tasks, worlds } = settings;
    const total = contestants.length * worlds.length;
    let done = 0;
    const tallies = new Map<Contestant, Tally[]>();
    for (const contestant of contestants) {
      const own: Tally[] = [];
      for (const world of worlds) {
        on({ done, total, policy: contestant.id });
        await breathe();
        signal?.throwIfAborted();
        own.push(playWorld(world, contestant, settings));
        done += 1;
      }
      tallies.set(contestant, own);
    }
    on({ done, total, policy: "" });
    const rows = compared(tallies, against);
    const { seed, skip, budget, person, dependent } = settings;
    const told = { worlds: worlds.length, seed, tasks, skip, budget };
    const chart = input.chart === undefined ? undefined : resolve(cwd, input.chart);
    if (chart !== undefined) {
      const title = `${settings.called}, ${tasks} tasks each, ${budget} recovery attempts a task`;
      writeFileSync(chart, chartOf(rows, title, budget));
    }
    return {
      settings: { ...told, against, person, dependent, world: settings.world },
      policies: rows.map(rowOf).sort((a, b) => b.recovered - a.recovered),
      ...defined({ chart }),
    };
  },
});

/** The built-in world, as a starting point for a user's own. */
export const baseWorld = (): World => BASE_WORLD;

function settingsOf(input: CompareInput) {
  const checked = schemas.input.safeParse(input);
  const [issue] = checked.error?.issues ?? [];
  if (issue !== undefined)
    throw new ProblemError("bad-input", `${issue.path.join(".")}: ${cleanLine(issue.message)}`);
  const { worlds: count = 30, seed = 1, tasks = 400, budget = 8 } = input;
  const { skip = 0, person = false } = input;
  const own = input.world === undefined ? undefined : worldFrom(input.world);
  const more = {
    ...(input.dependent === true ? { dependencies: USUAL_DEPENDENCIES } : {}),
    ...(input.change === true ? { change: USUAL_CHANGE } : {}),
  };
  const [base, kind] =
    input.small === true
      ? ([SMALL_WORLD, "small random"] as const)
      : ([BASE_WORLD, "random"] as const);
  const worlds = Array.from({ length: count }, (_, index) => ({
    seed: seed + index,
    world: { ...more, ...(own ?? randomWorld(seed + index, base)) },
  }));
  const { against = "fresh" } = input;
  const fitting = fitFor(worlds.slice(0, 1).map(({ world }) => world));
  const named = input.policies ?? fitting.map(({ id }) => id);
  const ids = new Set([...named, against].map((name) => known(name, fitting)));
  return {
    ...{ worlds, seed, tasks, skip, budget, person, against },
    dependent: worlds.some(({ world }) => world.dependencies !== undefined),
    contestants: fitting.filter(({ id }) => ids.has(id)),
    world: own === undefined ? kind : cleanLine(own.name, 80),
    called:
      own === undefined ? `${count} ${kind} worlds` : `${cleanLine(own.name, 80)}, ${count} draws`,
  };
}

function known(name: string, fitting: readonly Contestant[]): string {
  if (fitting.some(({ id }) => id === name)) return name;
  const ids = CONTESTANTS.map(({ id }) => id);
  if (ids.includes(name))
    throw new ProblemError("bad-input", `${name} plays in small worlds only: add --small`);
  const near = nearestName(name, ids);
  const hint = near === undefined ? `there are ${ids.join(", ")}` : `did you mean ${near}?`;
  const shown = JSON.stringify(cleanLine(name, 60));
  throw new ProblemError("bad-input", `there is no policy ${shown} to simulate: ${hint}`);
}

function worldFrom(given: unknown): World {
  const reading = worldSchema.safeParse(given);
  if (reading.success) return reading.data;
  const { path = [], message = "" } = reading.error.issues[0] ?? {};
  const place = path.length === 0 ? "" : `${cleanLine(path.join("."), 120)}: `;
  throw new ProblemError(
    "bad-input",
    `the world cannot be used: ${place}${cleanLine(message, 200)}`,
  );
}

function rowOf({ contestant, total, recovered, costPerSuccess: cost }: Compared) {
  const tasks = total.tasks + total.blocked;
  const per100 = (count: number): number => (100 * count) / tasks;
  const mean = total.curve.reduce((sum, count) => sum + count, 0) / total.curve.length;
  return {
    policy: contestant.id,
    words: contestant.words,
    recovered: recoveredShare(total),
    success: total.succeeded / tasks,
    blockedPer100: per100(total.blocked),
    costPerSuccess: costPerSuccess(total),
    recoveredAgainst: recovered,
    costAgainst: cost,
    area: total.firstFailed === 0 ? 0 : mean / total.firstFailed,
    starts: total.starts / tasks,
    hours: total.hours / tasks,
    wasted: total.cost === 0 ? 0 : total.wasted / total.cost,
    questionsPer100: per100(total.questions),
    falseQuestionsPer100: per100(total.falseQuestions),
    missedQuestionsPer100: per100(total.missedQuestions),
    silentlyWrongPer100: per100(total.silentlyWrong),
    ...defined({ confidence: confidenceOf(total) }),
  };
}

function confidenceOf({ bins }: Tally): Comparison["policies"][number]["confidence"] {
  const sum = (of: (bin: Tally["bins"][number]) => number): number =>
    bins.reduce((all, bin) => all + of(bin), 0);
  const cases = sum((bin) => bin.cases);
  if (cases === 0) return undefined;
  const rate = sum((bin) => bin.came) / cases;
  return {
    brier: sum((bin) => bin.error) / cases,
    brierOfBaseRate: rate * (1 - rate),
    bins: bins
      .filter((bin) => bin.cases > 0)
      .map((bin) => ({
        cases: bin.cases,
        expected: bin.expected / bin.cases,
        came: bin.came / bin.cases,
      })),
  };
}
