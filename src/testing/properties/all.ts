/** Every property a history is judged by. Imports them; nothing else lives here. */
import type { History, Violation } from "../world/history.ts";
import { journaledBefore } from "./journal-first.ts";
import { mergesAreSerial, verifiedIsChecked } from "./merges.ts";
import { deadBeforeEnded, interruptedStops, treesAreUndisturbed } from "./no-orphans.ts";
import {
  acknowledgedIsRecorded,
  attemptsEnd,
  postedIsTaken,
  treesAreKept,
} from "./nothing-lost.ts";
import { effectsOnce, reenteredIsLost, staleIsIgnored } from "./nothing-twice.ts";
import { answersStand, wordsOnce } from "./people.ts";
import type { Property } from "./reading.ts";
import { everySubtaskIsJudged, resultIsPublished, runEnds, stopStops } from "./run-ends.ts";
import { foldIsState, seqIsGapless } from "./same-state.ts";
import { oneOwner, ownersAreSound } from "./sound-owners.ts";
import { timersAreKept, timersKeepTime } from "./timers.ts";
import { iterations, moneyAndTime, places } from "./within-budget.ts";

const PROPERTIES: readonly Property[] = [
  ...[acknowledgedIsRecorded, postedIsTaken, attemptsEnd, treesAreKept],
  ...[effectsOnce, staleIsIgnored, reenteredIsLost, journaledBefore],
  ...[deadBeforeEnded, treesAreUndisturbed, interruptedStops],
  ...[moneyAndTime, iterations, places, timersKeepTime, timersAreKept],
  ...[mergesAreSerial, verifiedIsChecked, answersStand, wordsOnce],
  ...[foldIsState, seqIsGapless, ownersAreSound, oneOwner],
  ...[runEnds, everySubtaskIsJudged, resultIsPublished, stopStops],
];

/** What a history violates, in the order it happened. */
export const violationsOf = (history: History): readonly Violation[] =>
  PROPERTIES.flatMap((property) => property(history)).sort((a, b) => a.where - b.where);
