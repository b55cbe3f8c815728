/**
 * Decides inputs one after the other and gathers what is to be recorded together. Invariants: the order of the
 * inputs is the order of the decisions; an input whose decision throws leaves no trace and does not harm the
 * others; pure but for the policy it is given.
 */
import type { Policy } from "../core/policy/policy.ts";
import type { Command } from "../core/run/command.ts";
import { decide } from "../core/run/decide/decide.ts";
import { standardRules } from "../core/rules/standard.ts";
import type { RunInput } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";
import { eventText } from "../journal/event-text.ts";
import type { RowText } from "../journal/event-text.ts";
import type { Delivery } from "../runtime/ports.ts";

export interface Waiting {
  readonly input: RunInput;
  /** Its row in the inbox, if it came from there. */
  readonly posted?: number;
}

export type Verdict<W> = { readonly item: W } & (
  | { readonly delivery: Delivery; readonly commands: readonly Command[] }
  | { readonly error: unknown }
);

export interface Batch<W> {
  readonly state: RunState;
  readonly texts: readonly RowText[];
  /** Length of the texts. */
  readonly size: number;
  /** Rows of the inbox that are dealt with. */
  readonly taken: readonly number[];
  readonly verdicts: readonly Verdict<W>[];
  /** Time of the last recorded input. */
  readonly at: number;
}

export function decided<W extends Waiting>(
  before: RunState,
  items: readonly W[],
  policy: Policy,
): Batch<W> {
  const texts: RowText[] = [];
  const taken: number[] = [];
  const verdicts: Verdict<W>[] = [];
  let state = before;
  let at = 0;
  for (const item of items) {
    const { input } = item;
    try {
      const {
        decisions,
        commands,
        ignored,
        state: after,
      } = decide(state, input, policy, standardRules());
      if (ignored === undefined) {
        texts.push(...[{ kind: "received", input } as const, ...decisions].map(eventText));
        state = after;
        at = input.at;
      }
      const delivery: Delivery =
        ignored === undefined ? { recorded: true, state } : { recorded: false, ignored };
      verdicts.push({ item, delivery, commands });
      if (item.posted !== undefined) taken.push(item.posted);
    } catch (error) {
      verdicts.push({ item, error });
    }
  }
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  return { state, texts, size, taken, verdicts, at };
}
