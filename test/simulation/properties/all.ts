/** Every property a history is judged by. */
import type { Happened, History, Violation } from "../world/history.ts";
import { journaledBefore } from "./journal-first.ts";
import {
  checksHaveTheirOwnTrees,
  mergesAreSerial,
  verifiedIsChecked,
  verifiedRunsAreChecked,
} from "./merges.ts";
import { deadBeforeEnded, interruptedStops, treesAreUndisturbed } from "./no-orphans.ts";
import {
  acknowledgedIsRecorded,
  attemptsEnd,
  postedIsTaken,
  treesAreKept,
} from "./nothing-lost.ts";
import { effectsOnce, reenteredIsLost, staleIsIgnored } from "./nothing-twice.ts";
import { answersStand, wordsOnce } from "./people.ts";
import { readersOnlyRead } from "./read-only.ts";
import type { Property } from "./reading.ts";
import { everySubtaskIsJudged, resultIsPublished, runEnds, stopStops } from "./run-ends.ts";
import { foldIsState, seqIsGapless } from "./same-state.ts";
import { oneOwner, ownersAreSound } from "./sound-owners.ts";
import { pathsStay, treesAreBounded, treesGoAtTheEnd } from "./standing-trees.ts";
import { timersAreKept, timersKeepTime } from "./timers.ts";
import { iterations, moneyAndTime, places } from "./within-budget.ts";

const PROPERTIES: readonly Property[] = [
  ...[acknowledgedIsRecorded, postedIsTaken, attemptsEnd, treesAreKept],
  ...[effectsOnce, staleIsIgnored, reenteredIsLost, journaledBefore],
  ...[deadBeforeEnded, treesAreUndisturbed, interruptedStops],
  ...[moneyAndTime, iterations, places, timersKeepTime, timersAreKept],
  ...[mergesAreSerial, verifiedIsChecked, checksHaveTheirOwnTrees, verifiedRunsAreChecked],
  ...[readersOnlyRead, answersStand, wordsOnce],
  ...[foldIsState, seqIsGapless, ownersAreSound, oneOwner],
  ...[runEnds, everySubtaskIsJudged, resultIsPublished, stopStops],
  ...[treesAreBounded, treesGoAtTheEnd, pathsStay],
];

/** What a history violates, in the order it happened. */
export function violationsOf(history: History): readonly Violation[] {
  const judged = { ...history, happened: withoutDisowned(history.happened) };
  return PROPERTIES.flatMap((property) => property(judged)).sort((a, b) => a.where - b.where);
}

/** What an owner still does, or only now finishes, while another, wrongly, believes it dead. */
const DISOWNED: ReadonlySet<string> = new Set([
  "owner-took",
  "agent-started",
  "agent-released",
  "check-begun",
  "tree-disturbed",
  "tree-made",
]);

function withoutDisowned(happened: readonly Happened[]): readonly Happened[] {
  const imagined = new Set<string>();
  return happened.map((one) => {
    if (one.kind === "death-imagined") imagined.add(one.by);
    const { at, wall, kind } = one;
    return "by" in one && imagined.has(one.by) && DISOWNED.has(kind)
      ? { kind: "disowned", by: one.by, what: kind, at, wall }
      : one;
  });
}
