/**
 * Nothing happens twice in silence: agents, results, merges, timers, questions; a re-entered attempt is reported
 * lost.
 */
import type { Happened } from "../world/history.ts";
import { eventOf, idOf, inputOf, judging, onceName } from "./reading.ts";

export const effectsOnce = judging("effects happen once", (_, report) => {
  const seen = new Set<string>();
  return (happened, where) => {
    const name = effectName(happened);
    if (name === undefined) return;
    if (seen.has(name)) report(where, `${name} for the second time`);
    seen.add(name);
  };
});

const EFFECTS: ReadonlySet<string> = new Set(["agent-started", "agent-released", "result-moved"]);

const effectName = (happened: Happened): string | undefined =>
  EFFECTS.has(happened.kind) && "attemptId" in happened
    ? `${happened.kind} ${happened.attemptId}`
    : undefined;

export const staleIsIgnored = judging("stale and duplicate inputs are ignored", (_, report) => {
  const seen = new Set<string>();
  return (happened, where) => {
    const event = eventOf(happened);
    const name = event && onceName(event.kind === "received" ? event.input : event);
    if (name === undefined) return;
    if (seen.has(name)) report(where, `${name} is recorded twice`);
    seen.add(name);
  };
});

export const reenteredIsLost = judging("a re-entered attempt is lost", (history, report) => {
  const starters = new Map<string, string>();
  const posted = new Set<string>();
  return (happened, where) => {
    if (happened.kind === "agent-started") starters.set(happened.attemptId, happened.by);
    if (happened.kind === "acknowledged" && happened.how === "posted")
      posted.add(JSON.stringify(happened.input));
    const input = inputOf(happened);
    if (input?.kind !== "attempt-ended" || happened.kind !== "committed") return;
    const id = idOf(history.run, input);
    const starter = starters.get(id);
    if (starter === undefined || starter === happened.by) return;
    if (input.observed?.kind !== "lost" && !posted.has(JSON.stringify(input)))
      report(where, `${id} was started by ${starter} and ended by ${happened.by}, but is not lost`);
  };
});
