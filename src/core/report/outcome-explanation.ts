/**
 * What waits, explorations, merges and ends mean, for `explanation`. Imports core types.
 * Invariants as there: bounded, tamed, recorded facts only.
 */
import { tameLine } from "../foreign-text.ts";
import type { Decision } from "../run/decision.ts";
import type { Seen, Told } from "./explained.ts";
import { failureWords } from "./recovery-explanation.ts";

export const explainedOutcome = (event: Decision, seen: Seen): Told | undefined =>
  onTheWay(event, seen) ?? atTheEnd(event, seen);

function onTheWay(event: Decision, { failure }: Seen): Told | undefined {
  switch (event.kind) {
    case "wait-scheduled":
      return {
        decision: `wait until ${new Date(event.dueAt).toISOString()}`,
        seen: failureWords(failure),
        considered: [],
        why: `${tameLine(event.reason, 200)}; the outage began ${new Date(event.since).toISOString()}`,
      };
    case "exploration-started":
      return {
        decision: `explore ${event.branches.length} branches`,
        seen: failureWords(failure),
        considered: event.branches.map(({ id, approach, iterations }) => ({
          rung: id,
          recovery: tameLine(approach, 100),
          verdict: `may start ${iterations} times`,
        })),
        why: "each in its own tree; the first that passes its checks wins, else the best",
      };
    case "exploration-ended":
      return {
        decision:
          event.winner === undefined
            ? "no branch is good enough"
            : `branch ${tameLine(event.winner.branch, 60)} wins (attempt ${event.winner.attempt})`,
        seen: [],
        considered: [],
        why:
          event.winner?.verified === true
            ? "it passes its checks"
            : "none passed its checks; an unverified winner is only the next starting tree",
      };
    case "merge-dispatched":
      return {
        decision: `merge attempt ${event.attempt}`,
        seen: ["its own checks passed"],
        considered: [],
        why: "merges are serial; the checks run on the merged tree before it counts",
      };
    default:
      return undefined;
  }
}

function atTheEnd(event: Decision, { failure, merge }: Seen): Told | undefined {
  switch (event.kind) {
    case "fell-through":
      return {
        decision: "nothing was left at this level",
        seen: [event.failure],
        considered: [],
        why: "the policy has no alternative recovery for it",
      };
    case "subtask-parked":
      return {
        decision: `park it as ${event.phase}`,
        seen: failureWords(failure),
        considered: [],
        why: tameLine(event.reason, 300),
      };
    case "subtask-done":
      return {
        decision: `${event.phase}, with attempt ${event.attempt}`,
        seen: merge?.result.kind === "merged" ? ["merged, and its checks passed"] : [],
        considered: [],
        why:
          event.phase === "verified"
            ? "its checks passed"
            : "nothing verifies it: only the agent's word",
      };
    case "budget-warned":
      return {
        decision: "warn about the budget",
        seen: [`80 % of ${event.measure} is spent`],
        considered: [],
        why: "a warning comes before the stop",
      };
    case "run-ended":
      return {
        decision: `the run ends: ${event.outcome}`,
        seen: [],
        considered: [],
        why: tameLine(event.reason, 300),
      };
    default:
      return undefined;
  }
}
