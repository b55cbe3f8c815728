/**
 * Replays recorded runs under another policy: where it would have chosen differently, and what is known about that
 * choice. Each decision is made again by `decide` itself, from the recorded state and input. Invariant: it claims no
 * more than is recorded: the result of a different move is known only if the same subtask tried it later, and then from
 * a different tree.
 */
import type { RuleBook } from "../classify/rule-book.ts";
import type { FailureKind } from "../kinds.ts";
import type { Policy } from "../policy/policy.ts";
import type { Recovery, RecoveryName } from "../recovery.ts";
import { decide } from "../run/decide/decide.ts";
import type { Decision, DecisionOf, RunEvent } from "../run/decision.ts";
import { fold } from "../run/fold/fold.ts";
import type { RunInput } from "../run/input.ts";
import { NEW_RUN } from "../run/new-run.ts";
import type { RunState } from "../run/state.ts";

/** `unknown`: it was cut off, is not over, or a person was asked. */
export type MoveOutcome = "worked" | "failed" | "unknown";

export interface DivergingChoice {
  /** The sequence number of the decision in the run's journal. */
  readonly seq: number;
  readonly subtask: string;
  readonly failure: FailureKind;
  readonly did: RecoveryName;
  readonly came: MoveOutcome;
  /** Absent if the other policy would not have chosen yet, for example because it runs the checks again first. */
  readonly would?: RecoveryName;
  readonly because: string;
  /** The result of that move when the subtask tried it later. */
  readonly tried?: MoveOutcome;
}

export interface Backtest {
  readonly decisions: number;
  readonly otherwise: readonly DivergingChoice[];
  /** The number of decisions, recorded by another version, that cannot be repeated. */
  readonly unclear: number;
}

interface Made {
  readonly seq: number;
  readonly subtask: string;
  readonly failure: FailureKind;
  readonly did: RecoveryName;
  came: MoveOutcome;
  readonly other: DecisionOf<"recovery-chosen"> | "none" | "unclear";
}

/** Takes the events of one run in order. */
export function backtest(policy: Policy, rules: RuleBook) {
  const made: Made[] = [];
  const last = new Map<string, Made>();
  const failures = new Map<string, FailureKind>();
  let state: RunState = NEW_RUN;
  let given: { readonly before: RunState; readonly input: RunInput } | undefined;
  let anew: readonly Decision[] | "unclear" | undefined;

  const other = (subtask: string): Made["other"] => {
    anew ??= given === undefined ? "unclear" : madeAnew(given.before, given.input, policy, rules);
    if (anew === "unclear") return anew;
    const found = anew.find((one) => one.kind === "recovery-chosen" && one.subtask === subtask);
    return found?.kind === "recovery-chosen" ? found : "none";
  };
  const came = (
    subtask: string,
    how: MoveOutcome,
    moves?: (did: RecoveryName) => boolean,
  ): void => {
    const open = last.get(subtask);
    if (open?.came === "unknown" && open.did !== "ask" && moves?.(open.did) !== false)
      open.came = how;
  };

  return {
    add(seq: number, event: RunEvent): void {
      switch (event.kind) {
        case "received":
          given = { before: state, input: event.input };
          anew = undefined;
          break;
        case "failure-classified":
          failures.set(event.subtask, event.failure.kind);
          if (event.verdict) came(event.subtask, "failed", (did) => did !== "explore");
          break;
        case "exploration-ended":
          if (event.winner?.verified !== true) came(event.subtask, "failed");
          break;
        case "subtask-done":
          if (event.phase === "verified") came(event.subtask, "worked");
          break;
        case "recovery-chosen": {
          const { subtask } = event;
          const did = moveOf(event.recoveries);
          const failure = failures.get(subtask) ?? "unknown";
          const one: Made = { seq, subtask, failure, did, came: "unknown", other: other(subtask) };
          made.push(one);
          last.set(subtask, one);
          break;
        }
        default:
      }
      state = fold(state, event);
    },
    result(): Backtest {
      return {
        decisions: made.length,
        otherwise: made.flatMap((one) => otherwise(one, made)),
        unclear: made.filter((one) => one.other === "unclear").length,
      };
    },
  };
}

function madeAnew(
  before: RunState,
  input: RunInput,
  policy: Policy,
  rules: RuleBook,
): readonly Decision[] | "unclear" {
  try {
    return decide(before, input, policy, rules).decisions;
  } catch {
    return "unclear";
  }
}

function otherwise(one: Made, made: readonly Made[]): readonly DivergingChoice[] {
  const { seq, subtask, failure, did, came, other } = one;
  if (other === "unclear") return [];
  const told = { seq, subtask, failure, did, came };
  if (other === "none") return [{ ...told, because: "it would look again before it chooses" }];
  const would = moveOf(other.recoveries);
  if (would === did) return [];
  const later = made.find(
    (next) => next.seq > seq && next.subtask === subtask && next.did === would,
  );
  return [
    {
      ...{ ...told, would, because: other.because },
      ...(later === undefined ? {} : { tried: later.came }),
    },
  ];
}

/** Giving up and asking counts as asking. */
const moveOf = (recoveries: readonly Recovery[]): RecoveryName =>
  recoveries.find(({ kind }) => kind === "ask")?.kind ?? recoveries[0]?.kind ?? "skip";
