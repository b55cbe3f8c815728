/**
 * What waits, explorations, merges, warnings and alerts mean, for `explanation`. Invariants as there: bounded,
 * tamed, recorded facts only.
 */
import { waitWords } from "../backoff.ts";
import { MEASURE_NAMES, usedWords } from "../amounts.ts";
import { tameLine } from "../foreign-text.ts";
import type { Considered } from "../policy/policy.ts";
import type { Decision, DecisionOf } from "../run/decision.ts";
import { tightWords, unheldWords } from "./phrases.ts";
import { explainedDone, explainedParking } from "./end-explanation.ts";
import { only } from "./explained.ts";
import type { Seen, Told } from "./explained.ts";
import { failureWords } from "./recovery-explanation.ts";

export function explainedOutcome(event: Decision, seen: Seen): Told | undefined {
  switch (event.kind) {
    case "subtask-done":
      return explainedDone(event, seen);
    case "subtask-parked":
      return explainedParking(event, seen);
    case "exploration-started":
    case "exploration-ended":
      return explored(event, seen);
    case "budget-warned":
      return warned(event);
    case "budget-unheld":
      return {
        decision: `go on, though ${unheldWords(event)}`,
        seen: [`the agent is not known to tell what it uses: ${event.measure}`],
        considered: only("unheld", "unknown is shown as unknown and never charged"),
        why: "a budget can only hold what is told; the others stop the run in its place",
      };
    case "budget-tight":
      return {
        decision: "leave a place free for now",
        seen: [tightWords(event)],
        considered: [
          { rung: "wait", recovery: "until an attempt gives some back", verdict: "chosen" },
          {
            rung: "start",
            recovery: "another attempt",
            verdict: "spent plus reserved would exceed it",
          },
        ],
        why: "what running attempts may use is reserved, and given back when they end",
      };
    default:
      return onTheWay(event, seen);
  }
}

function checkedWords(checks: Seen["checks"]): string {
  if (checks === undefined || checks.result.kind === "could-not-run")
    return "its checks are not recorded";
  const { notes = [] } = checks.result;
  if (checks.result.kind === "failed") return "it leaves failing only what failed before";
  return notes.some(({ kind }) => kind === "dropped-checks")
    ? "what was left of its checks passed"
    : "its own checks passed";
}

function onTheWay(event: Decision, { failure, plan, checks }: Seen): Told | undefined {
  switch (event.kind) {
    case "wait-scheduled":
      return {
        decision: `wait until ${new Date(event.dueAt).toISOString()}`,
        seen: failureWords(failure),
        considered: only("wait", "the same once more, then"),
        why: `${tameLine(waitWords(event.reason), 200)}; the outage began ${new Date(event.since).toISOString()}`,
      };
    case "merge-dispatched":
      return {
        decision: `merge attempt ${event.attempt}`,
        seen: [
          (plan?.checks ?? 0) > 0 ? checkedWords(checks) : "it changed files; it has no checks",
        ],
        considered: only("merge", "one at a time"),
        why: "merges are serial; a clean checkout of the merged commit has to pass before it counts",
      };
    case "fell-through":
      return {
        decision: "nothing was left at this level",
        seen: [event.failure],
        considered: only("fall-through", "the next level"),
        why: "the policy has no alternative recovery for it",
      };
    case "alert-raised":
      return {
        decision: `raise the alert ${event.alert} (${event.severity})`,
        seen: failureWords(failure),
        considered: only("alert", "tell a person"),
        why: "every recovery that the policy has was used: only a person can help",
      };
    default:
      return undefined;
  }
}

function explored(
  event: DecisionOf<"exploration-started" | "exploration-ended">,
  { failure, branches = [] }: Seen,
): Told {
  if (event.kind === "exploration-started")
    return {
      decision: `explore ${event.branches.length} branches`,
      seen: failureWords(failure),
      considered: event.branches.map(({ id, approach, iterations }) => ({
        rung: id,
        recovery: tameLine(approach, 100),
        verdict: `may start ${iterations === 1 ? "once" : `${iterations} times`}`,
      })),
      why: "each in its own tree; the first that passes its checks wins, else the best",
    };
  const { winner } = event;
  const moves = branches.map(
    ({ branch, attempt, score }) =>
      `branch ${tameLine(branch, 60)}, attempt ${attempt}: not passed, progress score ${score.toFixed(2)}`,
  );
  return {
    decision:
      winner === undefined
        ? "no branch is good enough"
        : `branch ${tameLine(winner.branch, 60)} wins (attempt ${winner.attempt})`,
    seen: [
      ...moves,
      ...(winner?.verified === true ? [`attempt ${winner.attempt} passed its checks`] : []),
    ],
    considered: compared(branches, winner?.branch),
    why: whyWinner(winner),
  };
}

const whyWinner = (winner: DecisionOf<"exploration-ended">["winner"]): string => {
  if (winner === undefined) return "none passed its checks, and none came far enough to go on from";
  return winner.verified
    ? "it passes its checks"
    : "none passed its checks; the best of them is only the next starting tree";
};

function compared(
  branches: readonly DecisionOf<"branch-moved">[],
  winner: string | undefined,
): readonly Considered[] {
  const names = new Set([
    ...branches.map(({ branch }) => branch),
    ...(winner === undefined ? [] : [winner]),
  ]);
  return [...names].map((branch) => ({
    rung: tameLine(branch, 60),
    recovery: "branch",
    verdict: branch === winner ? "chosen" : "kept as a snapshot",
  }));
}

function warned({ of, subtask, measure, spent, limit }: DecisionOf<"budget-warned">): Told {
  const whose = of === "subtask" ? `subtask ${tameLine(subtask ?? "", 60)}` : of;
  const name = measure === "iterations" ? "recovery" : MEASURE_NAMES[measure];
  return {
    decision: `warn about the ${name} budget of ${of === "run" ? "the run" : whose}`,
    seen: [usedWords(measure, spent, limit)],
    considered: [
      { rung: "warn", recovery: "go on", verdict: "chosen" },
      { rung: "stop", recovery: "ask for more", verdict: "when the next attempt does not fit" },
    ],
    why: "at 80 % a warning comes, before the stop",
  };
}
