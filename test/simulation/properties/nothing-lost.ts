/**
 * Nothing is lost: what was acknowledged is in the journal, what was begun has an end, and no tree goes without a
 * snapshot.
 */
import type { History } from "../world/history.ts";
import { eventOf, idOf, inputOf, judging, onceName, type Report } from "./reading.ts";

export const acknowledgedIsRecorded = judging("acknowledged is recorded", (_, report) => {
  const recorded = new Set<string>();
  return (happened, where) => {
    const input = inputOf(happened);
    if (input !== undefined) recorded.add(JSON.stringify(input));
    if (happened.kind !== "acknowledged" || happened.how !== "recorded") return;
    if (!recorded.has(JSON.stringify(happened.input)))
      report(where, `${happened.input.kind} was acknowledged to ${happened.by} but is not durable`);
  };
});

export const postedIsTaken = judging(
  "posted is taken",
  () => () => undefined,
  (history, report) => {
    const ended = endOf(history);
    const taken = new Set<string>();
    const settled = new Set<string>();
    for (const happened of history.happened) {
      const input = inputOf(happened);
      if (input !== undefined) taken.add(JSON.stringify(input)).add(onceName(input) ?? "");
      const event = eventOf(happened);
      if (event?.kind === "checkpoint-closed") settled.add(event.checkpoint);
    }
    for (const [where, happened] of history.happened.entries()) {
      if (happened.kind !== "acknowledged" || happened.how !== "posted") continue;
      const { input } = happened;
      if (taken.has(JSON.stringify(input)) || ended !== undefined) continue;
      const isMoot =
        input.kind === "checkpoint-answered"
          ? settled.has(input.checkpoint) || input.answer.kind === "manual"
          : taken.has(onceName(input) ?? "") || LIVE.has(input.kind);
      if (!isMoot) report(where, `${input.kind} was posted and nothing came of it`);
    }
    inboxLeft(history, ended, report);
  },
);

/** What is only of use to an attempt that goes on. */
const LIVE: ReadonlySet<string> = new Set(["loop-seen", "permission-asked"]);

/** Once the run has ended nobody reads the inbox any more; before that, nothing may stay in it. */
function inboxLeft(history: History, ended: number | undefined, report: Report): void {
  if (ended !== undefined) return;
  for (const [where, happened] of history.happened.entries())
    if (happened.kind === "inbox-left" && happened.inputs.length > 0)
      report(where, `${happened.inputs.length} inputs were never taken from the inbox`);
}

function endOf({ happened }: History): number | undefined {
  const where = happened.findIndex((one) => eventOf(one)?.kind === "run-ended");
  return where < 0 ? undefined : where;
}

export const attemptsEnd = judging("every attempt has an end", (history, report) => {
  const open = new Set<string>();
  return (happened, where) => {
    const event = eventOf(happened);
    if (event?.kind === "attempt-dispatched") open.add(idOf(history.run, event));
    const input = inputOf(happened);
    if (input?.kind === "attempt-ended") open.delete(idOf(history.run, input));
    if (event?.kind === "run-ended" && open.size > 0)
      report(where, `the run ended without an end of ${[...open].join(", ")}`);
  };
});

export const treesAreKept = judging("no tree without its snapshot", (_, report) => {
  const kept = new Set<string>();
  return (happened, where) => {
    if (happened.kind === "snapshot-taken") kept.add(happened.tree);
    if (happened.kind === "tree-replaced" && !kept.has(happened.tree))
      report(where, `tree ${happened.tree} in slot ${happened.slot} was replaced unsaved`);
  };
});
