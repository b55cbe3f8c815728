/**
 * Working trees take room by concurrency, not by what is unfinished, and a subtask that goes on finds itself where
 * it was.
 */
import { eventOf, inputOf, judging } from "./reading.ts";

/** Beside those that agents work in stand what a person took over or has just done, and what the disk did not let go of. */
export const treesAreBounded = judging("no more trees than places", (history, report) => {
  const { concurrency } = history.plan.plan;
  const beside = new Set<string>();
  const taken = new Set<string>();
  /** Being checked: whoever did it by hand did not ask for a place. */
  const byHand = new Set<string>();
  const owners = new Set<string>();
  return (happened, where) => {
    const event = eventOf(happened);
    if (happened.kind === "owner-took") owners.add(happened.by);
    if (event?.kind === "checkpoint-taken") taken.add(event.checkpoint);
    if (event?.kind === "checkpoint-closed") {
      taken.delete(event.checkpoint);
      if (event.answer.kind === "manual") byHand.add(event.subtask ?? "");
    }
    if (event?.kind === "subtask-done" || event?.kind === "failure-classified")
      byHand.delete(event.subtask);
    if (happened.kind === "tree-stays") beside.add(happened.slot);
    if (happened.kind !== "tree-made") return;
    if (!owners.has(happened.by)) return void beside.add(happened.slot);
    const ofPeople = taken.size + byHand.size;
    const count = happened.standing.filter((slot) => !beside.has(slot)).length - ofPeople;
    if (count > concurrency)
      report(
        where,
        `${count} trees stand for ${concurrency} at a time: ${happened.standing.join(", ")}`,
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
