/**
 * Explanations of waits, explorations, merges, warnings, alerts and the ends of subtasks and of the run. Invariants as
 * in `explanation.ts`: bounded, cleaned, recorded facts only; nothing is called "verified" without passed checks.
 */
import { count, MEASURE_NAMES, usedText } from "../amounts.ts";
import { waitText } from "../backoff.ts";
import { cleanLine } from "../foreign-text.ts";
import type { Considered } from "../policy/situation.ts";
import type { DecisionOf } from "../run/decision.ts";
import { noteText, rulesOutVerified, type Note } from "../run/note.ts";
import { failureText, only } from "./explanation-parts.ts";
import type {
  Explanations,
  SubtaskFacts,
  RunFacts,
  ExplanationContent,
} from "./explanation-parts.ts";
import { answerText, noAnswerText, tightBudgetText, unenforcedBudgetText } from "./phrases.ts";
import { endSentence } from "./decision-sentences.ts";

export const OUTCOMES: Explanations = {
  "subtask-done": (event, seen) => ({ ...explainedDone(event, seen), ...endSentence(event) }),
  "subtask-parked": explainedParking,
  "run-ended": explainedEnd,
  "exploration-ended": explored,
  "budget-warned": warned,
  "exploration-started": ({ branches }, { failure }) => ({
    decision: `explore ${count(branches.length, "branch", "branches")}`,
    seen: failureText(failure),
    considered: branches.map(({ id, approach, iterations }) => ({
      rung: id,
      recovery: cleanLine(approach, 100),
      verdict: `may start ${iterations === 1 ? "once" : `${iterations} times`}`,
    })),
    why: "each in its own tree; the first that passes its checks wins, else the best",
  }),
  "budget-unheld": (event) => ({
    decision: `go on, though ${unenforcedBudgetText(event)}`,
    seen: [`the agent is not known to report what it uses: ${event.measure}`],
    considered: only("unheld", "unknown is shown as unknown and never charged"),
    why: "a budget can only count what is reported; the other limits stop the run in its place",
  }),
  "budget-tight": (event) => ({
    decision: "leave a place free for now",
    seen: [tightBudgetText(event)],
    considered: [
      { rung: "wait", recovery: "until an attempt gives some back", verdict: "chosen" },
      {
        rung: "start",
        recovery: "another attempt",
        verdict: "spent plus reserved would exceed it",
      },
    ],
    why: "what running attempts may use is reserved, and given back when they end",
  }),
  "wait-scheduled": ({ dueAt, reason, since }, { failure }) => ({
    decision: `wait until ${new Date(dueAt).toISOString()}`,
    seen: failureText(failure),
    considered: only("wait", "the same once more, then"),
    why: `${cleanLine(waitText(reason), 200)}; the outage began ${new Date(since).toISOString()}`,
  }),
  "merge-dispatched": ({ attempt }, { plan, checks }) => ({
    decision: `merge attempt ${attempt}`,
    seen: [(plan?.checks ?? 0) > 0 ? checkedText(checks) : "it changed files; it has no checks"],
    considered: only("merge", "one at a time"),
    why: "merges are serial; a clean checkout of the merged commit has to pass before it counts",
  }),
  "fell-through": ({ failure }) => ({
    decision: "nothing was left at this level",
    seen: [failure],
    considered: only("fall-through", "the next level"),
    why: "the policy has no alternative recovery for it",
  }),
  "alert-raised": ({ alert, severity }, { failure }) => ({
    decision: `raise the alert ${alert} (${severity})`,
    seen: failureText(failure),
    considered: only("alert", "tell a person"),
    why: "every recovery that the policy has was used: only a person can help",
  }),
};

function checkedText(checks: SubtaskFacts["checks"]): string {
  if (checks === undefined || checks.result.kind === "could-not-run")
    return "its checks are not recorded";
  const { notes = [] } = checks.result;
  if (checks.result.kind === "failed") return "it leaves failing only what failed before";
  return notes.some(({ kind }) => kind === "dropped-checks")
    ? "what was left of its checks passed"
    : "its own checks passed";
}

function explored(
  { winner }: DecisionOf<"exploration-ended">,
  { branches = [] }: SubtaskFacts,
): ExplanationContent {
  const moves = branches.map(
    ({ branch, attempt, score }) =>
      `branch ${cleanLine(branch, 60)}, attempt ${attempt}: not passed, progress score ${score.toFixed(2)}`,
  );
  return {
    decision:
      winner === undefined
        ? "no branch is good enough"
        : `branch ${cleanLine(winner.branch, 60)} wins (attempt ${winner.attempt})`,
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
  const names = new Set(branches.map(({ branch }) => branch).concat(winner ?? []));
  return [...names].map((branch) => ({
    rung: cleanLine(branch, 60),
    recovery: "branch",
    verdict: branch === winner ? "chosen" : "kept as a snapshot",
  }));
}

function warned({
  of,
  subtask,
  measure,
  spent,
  limit,
}: DecisionOf<"budget-warned">): ExplanationContent {
  const whose = of === "subtask" ? `subtask ${cleanLine(subtask ?? "", 60)}` : of;
  const name = measure === "iterations" ? "recovery" : MEASURE_NAMES[measure];
  return {
    decision: `warn about the ${name} budget of ${of === "run" ? "the run" : whose}`,
    seen: [usedText(measure, spent, limit)],
    considered: [
      { rung: "warn", recovery: "go on", verdict: "chosen" },
      { rung: "stop", recovery: "ask for more", verdict: "when the next attempt does not fit" },
    ],
    why: "at 80 % a warning comes, before the stop",
  };
}

function explainedDone(event: DecisionOf<"subtask-done">, seen: SubtaskFacts): ExplanationContent {
  const { phase, attempt, notes = [] } = event;
  if (phase === "answered") return explainedAnswer(event, seen);
  const byHand = isByHand(seen);
  return {
    decision: byHand ? `${phase}, done by hand` : `${phase}, with attempt ${attempt}`,
    seen: [
      ...(byHand ? [answered(seen)] : left(seen)),
      ...judged(seen, notes),
      ...notes.map(noteText),
    ],
    considered: [
      { rung: phase, recovery: "done", verdict: "chosen" },
      ...(phase === "verified"
        ? [{ rung: "unverified", recovery: "done", verdict: "only where nothing judges the work" }]
        : [{ rung: "verified", recovery: "done", verdict: "needs a check that passes" }]),
    ],
    why: whyDone(phase, byHand, notes),
  };
}

function whyDone(
  phase: "verified" | "unverified",
  byHand: boolean,
  notes: readonly Note[],
): string {
  if (phase === "verified") return "its checks passed in a clean checkout of what is published";
  const why = notes.find(rulesOutVerified);
  if (why !== undefined) return noteText(why);
  return `nothing verifies it: only ${byHand ? "a person's" : "the agent's"} word`;
}

/** A read-only subtask is neither verified nor unverified, and its changes are discarded. */
function explainedAnswer(
  event: DecisionOf<"subtask-done">,
  seen: SubtaskFacts,
): ExplanationContent {
  const { subtask, attempt, unanswered } = event;
  if (unanswered === undefined)
    return {
      decision: `answered, with attempt ${attempt}`,
      seen: left(seen),
      considered: only("answered", "done"),
      why: "it only looks: its answer is what it is for, and what it changed is discarded",
    };
  return {
    decision: "end it without an answer",
    seen: factsOf(seen) ?? [cleanLine(unanswered, 300)],
    considered: only("answered", "done"),
    why: `${noAnswerText(subtask, unanswered)}; it never holds up the others`,
  };
}

const isByHand = ({ answer }: SubtaskFacts): boolean => answer?.answer.kind === "manual";

const answered = ({ answer }: SubtaskFacts): string =>
  answer === undefined
    ? "nobody was asked"
    : `${cleanLine(answer.checkpoint, 80)} was answered: ${answerText(answer.answer)}`;

/** What the attempt left behind: its tree and its last words. */
function left({ ended }: SubtaskFacts): string[] {
  if (ended === undefined) return ["no attempt is recorded"];
  const { treeBefore, treeAfter, output = "" } = ended.remains;
  const said = lastLine(ended.answer?.text ?? output);
  const tree = treeBefore === treeAfter ? "it changed nothing" : "it changed the tree";
  return [
    ended.outcome === "finished" ? "the agent says it is done" : "the agent ended with an error",
    ...(treeBefore === "" ? [] : [tree]),
    ...(said === "" ? [] : [`it said: ${said}`]),
  ];
}

const lastLine = (text: string): string => cleanLine(text.trim().split("\n").at(-1) ?? "", 200);

/** What its checks and its merge show. */
function judged({ plan, merge }: SubtaskFacts, notes: readonly Note[]): string[] {
  const commit = merge?.result.kind === "merged" ? merge.result.commit.slice(0, 12) : undefined;
  if ((plan?.checks ?? 0) === 0)
    return ["it has no checks", ...(commit === undefined ? [] : [`merged as commit ${commit}`])];
  if (commit === undefined) return ["not merged yet"];
  const has = (kind: Note["kind"]): boolean => notes.some((note) => note.kind === kind);
  const which = has("dropped-checks") ? "what was left of its checks" : "its checks";
  const said = has("failed-before") ? "ran, and nothing fails but what failed before," : "passed";
  return [`${which} ${said} in a clean checkout of commit ${commit}, which was then merged`];
}

function factsOf(seen: SubtaskFacts): readonly string[] | undefined {
  if (seen.answer !== undefined) return [answered(seen)];
  return seen.failure === undefined ? undefined : failureText(seen.failure);
}

function explainedParking(
  event: DecisionOf<"subtask-parked">,
  seen: SubtaskFacts,
): ExplanationContent {
  const { phase } = event;
  const reason = cleanLine(event.reason, 300) || "no reason is recorded";
  return {
    decision: `park it as ${phase}`,
    seen: factsOf(seen) ?? [reason],
    considered: only("park", phase),
    why: reason,
  };
}

function explainedEnd(
  { outcome, reason }: DecisionOf<"run-ended">,
  _: SubtaskFacts,
  { subtasks, stop }: RunFacts,
): ExplanationContent {
  const phases = Map.groupBy(subtasks.values(), ({ phase = "not started" }) => phase);
  const states = [...phases].map(([phase, { length }]) => `${length} ${phase}`).join(", ");
  return {
    decision: `the run ends: ${outcome}`,
    seen: [
      ...(stop === undefined ? [] : [cleanLine(stop, 200)]),
      `${count(subtasks.size, "subtask")}: ${states}`,
    ],
    considered: only("end", outcome),
    why: cleanLine(reason, 300) || "no reason is recorded",
  };
}
