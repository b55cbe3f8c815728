/**
 * What became of a subtask that was given up, in sentences: how often it was tried, what it failed of last, whether it
 * went in circles, what was tried against it. Invariant: facts only; which rule chose is for `explain`.
 */
import { cleanLine } from "../foreign-text.ts";
import type { PastEvent, SubtaskPast } from "../history/run-history.ts";
import { recoveriesDone } from "./phrases.ts";
import { circleText } from "./said.ts";
import { KIND_WORDS } from "../kind-words.ts";

/** Nothing where nothing failed, or where a rule outside the policy's own has said why in its own words. */
export function whatHappened({ attempts, events }: SubtaskPast): string | undefined {
  const failed = [...attempts.values()].filter(({ failure }) => failure !== undefined);
  const last = failed.at(-1);
  const end = events.findLast(({ kind }) => kind === "recovery");
  if (last?.failure === undefined || end?.kind !== "recovery" || !isGivenUp(end)) return undefined;
  const times =
    failed.length === 1 ? "One attempt failed:" : `${failed.length} attempts failed. The last one:`;
  const error = (last.error ?? "").split("\n").find((line) => line.trim() !== "");
  const reason = cleanLine(error ?? last.failure.because[0] ?? "", 300);
  const circle = events.findLast(({ kind }) => kind === "circle");
  const tried = recoveriesDone(events.filter((event) => event !== end)).join(", ");
  return [
    `${times} ${KIND_WORDS[last.failure.kind].name}${reason === "" ? "" : ` (${reason})`}.`,
    ...(circle?.kind === "circle" ? [`It went in circles: ${circleText(circle.because)}.`] : []),
    tried === "" ? "Nothing else was left to try." : `What Unstuck did about it: ${tried}.`,
  ].join(" ");
}

/** By a rung of the policy; what guard rails and structure say of it is a reason already. */
const isGivenUp = ({ recoveries, chosenBy }: Extract<PastEvent, { kind: "recovery" }>): boolean =>
  chosenBy.by === "rung" && recoveries.some(({ kind }) => kind === "skip" || kind === "ask");
