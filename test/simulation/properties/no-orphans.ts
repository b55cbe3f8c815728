/**
 * No agent is left to itself: none alive when its end is recorded or the run has ended, none in a tree others work
 * in, none that goes on after it was told to stop.
 */
import { agentsWithoutOwner, eventOf, idOf, inputOf, judging } from "./reading.ts";

export const deadBeforeEnded = judging("an ended attempt is dead", (history, report) => {
  const living = new Set<string>();
  return (happened, where) => {
    if (happened.kind === "agent-started") living.add(happened.attemptId);
    if (happened.kind === "agent-ended") living.delete(happened.attemptId);
    const input = inputOf(happened);
    if (input?.kind === "attempt-ended" && living.has(idOf(history.run, input)))
      report(where, `the end of ${idOf(history.run, input)} was recorded while its agent ran`);
    if (eventOf(happened)?.kind === "run-ended" && living.size > 0)
      report(where, `the run ended while ${[...living].join(", ")} ran`);
  };
});

export const treesAreUndisturbed = judging("one at a time in a tree", (_, report) => {
  return (happened, where) => {
    if (happened.kind === "tree-disturbed")
      report(
        where,
        `${happened.by} worked in slot ${happened.slot} while ${happened.living.join(", ")} ran there`,
      );
    if (happened.kind === "check-begun" && happened.beside > 0)
      report(
        where,
        `a check of ${happened.attemptId} began in ${happened.cwd} beside something else`,
      );
  };
});

/** Kills take up to 20 s, deliveries a few more. */
const STOP_MS_MAX = 60_000;

export const interruptedStops = judging("an interrupted agent stops", (history, report) => {
  const interrupted = new Map<string, number>();
  const unwatched = agentsWithoutOwner();
  return (happened, where) => {
    const isUnwatched = unwatched(happened);
    const event = eventOf(happened);
    if (event?.kind === "attempt-interrupted") {
      const id = idOf(history.run, event);
      if (!interrupted.has(id)) interrupted.set(id, happened.at);
    }
    if (happened.kind !== "agent-ended" || isUnwatched) return;
    const since = interrupted.get(happened.attemptId);
    if (since === undefined) return;
    if (happened.at - since > STOP_MS_MAX)
      report(
        where,
        `${happened.attemptId} went on for ${Math.round((happened.at - since) / 1000)} s ` +
          "after it was interrupted",
      );
  };
});
