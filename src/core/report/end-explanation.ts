/**
 * What the ends of subtasks and of the run mean, for `explanation`: what was there to judge them by. Invariants as
 * there: bounded, tamed, recorded facts only; "verified" is never said of what no check has passed.
 */
import { count } from "../amounts.ts";
import { tameLine } from "../foreign-text.ts";
import type { DecisionOf } from "../run/decision.ts";
import { noteWords, unverifies } from "../run/note.ts";
import type { Note } from "../run/note.ts";
import { only } from "./explained.ts";
import type { Seen, Told } from "./explained.ts";
import { failureWords } from "./recovery-explanation.ts";
import { answerWords, noAnswerWords } from "./phrases.ts";

export function explainedDone(event: DecisionOf<"subtask-done">, seen: Seen): Told {
  const { phase, attempt, notes = [] } = event;
  if (phase === "answered") return explainedAnswer(event, seen);
  const byHand = isByHand(seen);
  return {
    decision: byHand ? `${phase}, done by hand` : `${phase}, with attempt ${attempt}`,
    seen: [
      ...(byHand ? [answered(seen)] : left(seen)),
      ...judged(seen, notes),
      ...notes.map(noteWords),
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
  const why = notes.find(unverifies);
  if (why !== undefined) return noteWords(why);
  return `nothing verifies it: only ${byHand ? "a person's" : "the agent's"} word`;
}

/** A read-only subtask: neither verified nor unverified, and whatever it changed is gone. */
function explainedAnswer(event: DecisionOf<"subtask-done">, seen: Seen): Told {
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
    seen: factsOf(seen) ?? [tameLine(unanswered, 300)],
    considered: only("answered", "done"),
    why: `${noAnswerWords(subtask, unanswered)}; it never holds up the others`,
  };
}

const isByHand = ({ answer }: Seen): boolean => answer?.answer.kind === "manual";

const answered = ({ answer }: Seen): string =>
  answer === undefined
    ? "nobody was asked"
    : `${tameLine(answer.checkpoint, 80)} was answered: ${answerWords(answer.answer)}`;

/** What the attempt left: its tree and its last words. */
function left({ ended }: Seen): string[] {
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

const lastLine = (text: string): string =>
  tameLine(
    text
      .trim()
      .split("\n")
      .findLast((line) => line.trim() !== "") ?? "",
    200,
  );

/** What its checks and its merge say about it. */
function judged({ plan, merge }: Seen, notes: readonly Note[]): string[] {
  const commit = merge?.result.kind === "merged" ? merge.result.commit.slice(0, 12) : undefined;
  if ((plan?.checks ?? 0) === 0)
    return ["it has no checks", ...(commit === undefined ? [] : [`merged as commit ${commit}`])];
  if (commit === undefined) return ["not merged yet"];
  const has = (kind: Note["kind"]): boolean => notes.some((note) => note.kind === kind);
  const which = has("dropped-checks") ? "what was left of its checks" : "its checks";
  const said = has("failed-before") ? "ran, and nothing fails but what failed before," : "passed";
  return [`${which} ${said} in a clean checkout of commit ${commit}, which was then merged`];
}

function factsOf(seen: Seen): readonly string[] | undefined {
  if (seen.answer !== undefined) return [answered(seen)];
  return seen.failure === undefined ? undefined : failureWords(seen.failure);
}

export function explainedParking(event: DecisionOf<"subtask-parked">, seen: Seen): Told {
  const { phase } = event;
  const reason = tameLine(event.reason, 300) || "no reason is recorded";
  return {
    decision: `park it as ${phase}`,
    seen: factsOf(seen) ?? [reason],
    considered: only("park", phase),
    why: reason,
  };
}

export function explainedEnd(
  { outcome, reason }: DecisionOf<"run-ended">,
  planned: readonly Seen[],
  stop: string | undefined,
): Told {
  const tally = new Map<string, number>();
  for (const { phase = "not started" } of planned) tally.set(phase, (tally.get(phase) ?? 0) + 1);
  const states = [...tally].map(([phase, number]) => `${number} ${phase}`).join(", ");
  return {
    decision: `the run ends: ${outcome}`,
    seen: [
      ...(stop === undefined ? [] : [tameLine(stop, 200)]),
      `${count(planned.length, "subtask")}: ${states}`,
    ],
    considered: only("end", outcome),
    why: tameLine(reason, 300) || "no reason is recorded",
  };
}
