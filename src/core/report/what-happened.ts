/**
 * What became of a subtask that was given up, in sentences: how often it was tried, what it failed of last, whether it
 * went in circles, what was tried against it. Invariant: facts only; which rule chose is for `explain`.
 */
import { cleanLine } from "../foreign-text.ts";
import type { PastEvent, SubtaskPast } from "../history/run-history.ts";
import { recoveryText } from "./phrases.ts";

/** Nothing where nothing failed, or where a rule outside the policy's own has said why in its own words. */
export function whatHappened({ attempts, events }: SubtaskPast): string | undefined {
  const failed = [...attempts.values()].filter(({ failure }) => failure !== undefined);
  const last = failed.at(-1);
  const end = events.findLast(({ kind }) => kind === "recovery");
  if (last?.failure === undefined || end?.kind !== "recovery" || !isGivenUp(end)) return undefined;
  const times = failed.length === 1 ? "One attempt" : `${failed.length} attempts`;
  const error = (last.error ?? "").split("\n").find((line) => line.trim() !== "");
  const reason = cleanLine(error ?? last.failure.because[0] ?? "", 300);
  const circle = events.findLast(({ kind }) => kind === "circle");
  const tried = triedText(events.filter((event) => event !== end));
  return [
    `${times} failed, the last with ${last.failure.kind}${reason === "" ? "" : ` (${reason})`}.`,
    ...(circle?.kind === "circle"
      ? [`They went in circles: ${cleanLine(circle.because, 300)}.`]
      : []),
    tried === "" ? "Nothing else was left to try." : `Tried against it: ${tried}.`,
  ].join(" ");
}

/** By a rung of the policy; what guard rails and structure say of it is a reason already. */
const isGivenUp = ({ recoveries, chosenBy }: Extract<PastEvent, { kind: "recovery" }>): boolean =>
  chosenBy.by === "rung" && recoveries.some(({ kind }) => kind === "skip" || kind === "ask");

function triedText(events: SubtaskPast["events"]): string {
  const times = new Map<string, number>();
  for (const event of events)
    if (event.kind === "recovery")
      for (const words of event.recoveries.map(recoveryText))
        times.set(words, (times.get(words) ?? 0) + 1);
  return [...times].map(([words, n]) => (n === 1 ? words : `${words} (${n} times)`)).join(", ");
}
