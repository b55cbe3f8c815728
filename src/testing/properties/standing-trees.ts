/**
 * Working trees take room by concurrency, not by what is unfinished, and a subtask that goes on finds itself where it was.
 * Imports the reading. Pure.
 */
import { eventOf, inputOf, judging } from "./reading.ts";

/** What a person took over stands beside those that agents work in, and so does what is about to be checked by hand. */
export const treesAreBounded = judging("no more trees than places", (history, report) => {
  const { concurrency } = history.plan.plan;
  const byHand = new Set<string>();
  return (happened, where) => {
    const input = inputOf(happened);
    if (happened.kind === "answer-given" && happened.answer.kind === "manual")
      byHand.add(happened.checkpoint);
    if (input?.kind === "checkpoint-answered" && input.answer.kind === "manual")
      byHand.add(input.checkpoint);
    if (happened.kind !== "tree-made") return;
    const { length } = happened.standing;
    if (length > concurrency + byHand.size)
      report(
        where,
        `${length} trees stand for ${concurrency} at a time: ${happened.standing.join(", ")}`,
      );
  };
});

export const treesGoAtTheEnd = judging(
  "no tree stays after the end",
  (_, report) => (happened, where) => {
    if (happened.kind === "trees-gone" && happened.standing.length > 0)
      report(where, `slots ${happened.standing.join(", ")} stand though all were given back`);
  },
);

/** An agent's session belongs to the path it was made in. */
export const pathsStay = judging("a subtask keeps its path", (_, report) => {
  const slots = new Map<string, string>();
  const branches = new Map<string, string>();
  return (happened, where) => {
    const event = eventOf(happened);
    if (event?.kind === "attempt-dispatched")
      branches.set(`${event.subtask}/${event.attempt}`, event.spec.prompt.branch?.id ?? "");
    const input = inputOf(happened);
    if (input?.kind === "retry-requested")
      for (const key of [...slots.keys()])
        if (key.startsWith(`${input.subtask}/`)) slots.delete(key);
    if (input?.kind !== "attempt-started") return;
    const { subtask, attempt, slot } = input;
    const key = `${subtask}/${branches.get(`${subtask}/${attempt}`) ?? ""}`;
    const before = slots.get(key) ?? slot;
    slots.set(key, slot);
    if (before !== slot) report(where, `${key} went from slot ${before} to ${slot}`);
  };
});
