/**
 * What a person never wants done in a repository, learned from their answers when an agent's gate refused something
 * risky. Invariants: a yes grants nothing here, it only cancels earlier noes; bounded, whatever is read.
 */
import { isRecord } from "../defined.ts";
import type { Plan } from "../plan/plan.ts";
import { type Risk, riskOf } from "../repair/shell-script.ts";
import { NOBODY, UNSTUCK, type Checkpoint } from "../run/checkpoint.ts";
import type { RunEvent } from "../run/decision.ts";

export const RISKS = ["sudo", "install", "delete"] as const satisfies readonly Risk[];

/** How often a person said no to it since they last said yes. */
export type Preferences = { readonly [risk in Risk]?: number };

export interface PersonsAnswer {
  readonly risk: Risk;
  readonly yes: boolean;
}

/** So many in a row make it a rule. */
const NOES_OF_A_RULE = 2;
const MOST_NOES = 9;

export const withAnswer = (known: Preferences, { risk, yes }: PersonsAnswer): Preferences => ({
  ...known,
  [risk]: yes ? 0 : Math.min(MOST_NOES, (known[risk] ?? 0) + 1),
});

export const neverDone = (known: Preferences): readonly Risk[] =>
  RISKS.filter((risk) => (known[risk] ?? 0) >= NOES_OF_A_RULE);

/** A plan that keeps to it, whatever the plan itself allows. */
export function withNever(plan: Plan, never: readonly Risk[]): Plan {
  if (never.length === 0) return plan;
  const denied = Object.fromEntries(never.map((risk) => [risk, "deny" as const]));
  return { ...plan, never, permissions: { ...plan.permissions, ...denied } };
}

const NEVER_WORDS: { readonly [risk in Risk]: string } = {
  sudo: "use sudo",
  install: "install software",
  delete: "delete files",
};

export const neverWords = (never: readonly Risk[]): string =>
  never.map((risk) => NEVER_WORDS[risk]).join(" or ");

export function readPreferences(value: unknown): Preferences {
  if (!isRecord(value)) return {};
  const known = RISKS.map((risk) => [risk, value[risk]] as const).filter(
    ([, noes]) => typeof noes === "number" && Number.isInteger(noes) && noes > 0,
  );
  return Object.fromEntries(known.map(([risk, noes]) => [risk, Math.min(MOST_NOES, Number(noes))]));
}

/** Takes a run's events in order, and gives what people answered; a question that no person answered says nothing. */
export function answerCollector(): { add(event: RunEvent): readonly PersonsAnswer[] } {
  const open = new Map<string, Checkpoint>();
  return {
    add(event) {
      if (event.kind === "checkpoint-opened") open.set(event.checkpoint.id, event.checkpoint);
      if (event.kind !== "checkpoint-closed") return [];
      const { context } = open.get(event.checkpoint) ?? {};
      open.delete(event.checkpoint);
      const { kind } = event.answer;
      const yes = kind === "allow-once" || kind === "allow-run" || kind === "allow-always";
      const isPerson = event.by !== NOBODY && event.by !== UNSTUCK;
      if (!isPerson || !(yes || kind === "without")) return [];
      const risks = (context?.refused ?? []).flatMap(({ command }) => riskOf(command) ?? []);
      return [...new Set(risks)].map((risk) => ({ risk, yes }));
    },
  };
}
