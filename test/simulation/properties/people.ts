/**
 * A person's answers count once and as given, and their words stand exactly once in each prompt they are meant
 * for.
 */
import { NOBODY, UNSTUCK } from "../../../src/core/run/checkpoint.ts";
import type { DecisionOf, RunEvent } from "../../../src/core/run/decision.ts";
import type { Answer } from "../../../src/core/run/input.ts";
import { eventOf, idOf, judging } from "./reading.ts";

export const answersStand = judging("the first answer stands, as it was given", (_, report) => {
  const given = new Set<string>();
  const first = new Map<string, Answer>();
  return (happened, where) => {
    if (happened.kind === "answer-given") given.add(nameOf(happened));
    const event = eventOf(happened);
    if (event?.kind === "received" && event.input.kind === "checkpoint-answered") {
      const { checkpoint, answer } = event.input;
      if (!given.has(nameOf(event.input)))
        report(where, `nobody gave ${checkpoint} the answer ${JSON.stringify(answer)}`);
      if (!first.has(checkpoint) && !(answer.kind === "manual" && !answer.done))
        first.set(checkpoint, answer);
    }
    if (event?.kind !== "checkpoint-closed" || isExpired(event)) return;
    const stands = first.get(event.checkpoint);
    if (stands === undefined && isMended(event)) return;
    if (JSON.stringify(stands) !== JSON.stringify(event.answer))
      report(where, `${event.checkpoint} was closed with another answer than the first`);
  };
});

/** Nobody answered in time: then it must be the answer that risks nothing. */
const isExpired = ({ by, answer }: DecisionOf<"checkpoint-closed">): boolean =>
  by === NOBODY && (answer.kind === "skip" || answer.kind === "without");

/** Nobody had answered yet, and what was asked about is no more: what failed is mended, who waited has ended. */
const isMended = ({ by, answer }: DecisionOf<"checkpoint-closed">): boolean =>
  by === UNSTUCK && (answer.kind === "without" || (answer.kind === "retry" && answer.words === ""));

const nameOf = ({
  checkpoint,
  answer,
  by,
}: {
  readonly checkpoint: string;
  readonly answer: Answer;
  readonly by: string;
}): string => JSON.stringify([checkpoint, answer, by]);

export const wordsOnce = judging("a person's words stand exactly once", (history, report) => {
  const live = new Map<string, string>();
  const expected = new Map<string, string | undefined>();
  const all = new Set<string>();
  const follow = (event: RunEvent): void => {
    if (event.kind === "checkpoint-closed" || event.kind === "checkpoint-followed") {
      const { subtask = "", answer } = event;
      if (answer.kind === "retry" && answer.words === "") live.delete(subtask);
      else if (answer.kind === "retry") {
        live.set(subtask, answer.words);
        all.add(answer.words);
      }
    }
    if (event.kind === "attempt-dispatched")
      expected.set(idOf(history.run, event), live.get(event.subtask));
    if (event.kind === "subtask-done") live.delete(event.subtask);
    if (event.kind === "failure-classified" && event.verdict) live.delete(event.subtask);
  };
  return (happened, where) => {
    const event = eventOf(happened);
    if (event !== undefined) follow(event);
    if (happened.kind !== "agent-started") return;
    const meant = expected.get(happened.attemptId);
    for (const words of all) {
      const times = happened.prompt.split(words).length - 1;
      if (times !== (words === meant ? 1 : 0))
        report(where, `${happened.attemptId} was told "${words}" ${times} times`);
    }
  };
});
