/**
 * The simulator: runs seeds, judges their histories, and says of a failing one what is violated and how to see it
 * again. Invariant: a finding can be replayed from its one line.
 */
import type { PresetName } from "../../src/core/policy/presets.ts";
import { PLANTED_BUGS } from "./bugs/all.ts";
import { violationsOf } from "./properties/all.ts";
import { lineOf, type History, type Violation } from "./world/history.ts";
import { simulate } from "./world/simulation.ts";
import type { MakeEngine } from "./world/surroundings.ts";

export interface SeedOptions {
  readonly makeEngine: MakeEngine;
  readonly policy?: PresetName | "adaptive";
  /** Name of a planted bug. */
  readonly bug?: string;
}

export interface SeedVerdict {
  readonly seed: number;
  readonly history: History;
  /** In the order in which they happened. */
  readonly violations: readonly Violation[];
}

export async function judgeSeed(seed: number, options: SeedOptions): Promise<SeedVerdict> {
  const { bug, ...rest } = options;
  const sabotage = bug === undefined ? undefined : PLANTED_BUGS[bug];
  const history = await simulate({ ...rest, seed, ...(sabotage && { sabotage }) });
  return { seed, history, violations: violationsOf(history) };
}

/** Runs seeds from `from` on, at most `seeds`, up to the first that violates something. */
export async function firstFinding(
  { from, seeds }: { readonly from: number; readonly seeds: number },
  options: SeedOptions,
): Promise<SeedVerdict | undefined> {
  for (let seed = from; seed < from + seeds; seed += 1) {
    const verdict = await judgeSeed(seed, options);
    if (verdict.violations.length > 0) return verdict;
  }
  return undefined;
}

const LINES_BEFORE = 25;

/** What a person needs to know of a failing seed. */
export function findingText(verdict: SeedVerdict, options: SeedOptions): string {
  const { seed, history, violations } = verdict;
  const [first] = violations;
  if (first === undefined) return `seed ${seed}: every property holds`;
  const from = Math.max(0, first.where + 1 - LINES_BEFORE);
  const lines = history.happened.slice(from, first.where + 1);
  const others = new Set(violations.slice(1).map(({ property }) => property));
  others.delete(first.property);
  return [
    `seed ${seed} violates: ${first.property}`,
    `  ${first.detail}`,
    ...(others.size > 0 ? [`  also: ${[...others].join("; ")}`] : []),
    `  policy ${history.plan.policy.name}, ${history.happened.length} happenings, the last before it:`,
    ...lines.map((happened) => `  ${lineOf(happened)}`),
    `  replay: ${replayLine(seed, options)}`,
  ].join("\n");
}

export function replayLine(seed: number, { policy, bug }: SeedOptions): string {
  const more = [policy && ` --policy ${policy}`, bug && ` --bug ${bug}`].filter(Boolean).join("");
  return `npm run simulate -- --from ${seed} --seeds 1${more}`;
}
