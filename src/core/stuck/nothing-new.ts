/**
 * Reads and searches that bring nothing new: the same range of a file, the same question in other words, anything
 * already known. Invariants: O(1) amortised per event; remembers at most 256 targets with 32 ranges each.
 */
import type { Call } from "./call.ts";
import type { Place } from "./call-memory.ts";
import type { CallEvent, Origin } from "./event.ts";
import { RecentMap } from "./recent.ts";
import { hashPair } from "../hash.ts";

interface Known extends Place {
  hash: number;
  /** The ranges read, as sorted pairs that do not touch. */
  ranges: number[];
}

export class Lookups {
  readonly targets = new RecentMap<Known>(256);
  /** The last question, the target it is assigned to, and the number of its event. */
  asked:
    { readonly event: CallEvent; readonly target: number; readonly number: number } | undefined;
  events = 0;
  /** Consecutive events that brought nothing. */
  streak = 0;
  origin: Origin | undefined;
  readonly streakTargets: Set<number> = new Set();
}

const MAX_RANGES = 64;
const MAX_TARGETS = 64;
/** A read with less new content than this share was not worth a step. */
const NEW_SHARE = 0.2;

/** True if the call, even if worded differently, asks for something already answered. */
export function isKnownTarget(lookups: Lookups, event: CallEvent, place: Place): boolean {
  const { call } = event;
  lookups.events += 1;
  if (event.outcome === "failed" || (!looks(call) && !event.telling)) return false;
  if (isSameAnswer(lookups, event)) return true;
  if (call.words.length > 0 || event.telling) noteQuestion(lookups, event);
  if (!looks(call)) return false;
  const target = aimOf(lookups, event);
  const known = lookups.targets.get(target);
  if (known === undefined || known.world !== place.world || known.context !== place.context) {
    lookups.targets.set(target, {
      ...place,
      hash: event.hash,
      ranges: call.range === undefined ? [] : [...call.range],
    });
    return false;
  }
  if (call.range !== undefined) return cover(known.ranges, call.range) < NEW_SHARE;
  const same = known.hash === event.hash;
  known.hash = event.hash;
  return same;
}

const looks = ({ kind }: Call): boolean => kind === "read" || kind === "search";

/** The target of an event: that of the question it rephrases, or its own. */
const aimOf = ({ asked }: Lookups, event: CallEvent): number =>
  asked?.event === event ? asked.target : event.call.target;

/** The same substantial answer, right after a different question: the tool says this whatever it is asked. */
function isSameAnswer(lookups: Lookups, event: CallEvent): boolean {
  const { asked, events } = lookups;
  if (asked?.number !== events - 1 || !event.telling || !isSameResult(asked.event, event))
    return false;
  const [before, after] = [asked.event.call, event.call];
  const again =
    before.key === after.key ||
    (before.words.length > 1 && after.words.length > 1 && before.path === after.path) ||
    isParaphrase(wordsOf(before.command), wordsOf(after.command));
  if (again) lookups.asked = { event, target: asked.target, number: events };
  return again;
}

const wordsOf = (command: string): readonly string[] =>
  command === "" ? [] : command.split(/\W+/, 40);

const isSameResult = (before: CallEvent, after: CallEvent): boolean =>
  before.hash === after.hash && before.call.tool.hash === after.call.tool.hash;

/** A rephrased question about the same place with the same result is the same question. */
function noteQuestion(lookups: Lookups, event: CallEvent): void {
  const { asked, events } = lookups;
  const again =
    asked !== undefined &&
    isSameResult(asked.event, event) &&
    asked.event.call.scope === event.call.scope &&
    isParaphrase(asked.event.call.words, event.call.words);
  lookups.asked = { event, target: again ? asked.target : event.call.target, number: events };
}

/**
 * At least half of the words are shared, but not the same form with other names filled in: asking about one name after
 * another is work.
 */
function isParaphrase(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  const common = new Set(after.filter((word) => known.has(word))).size;
  const all = new Set([...before, ...after]).size;
  if (common === 0 || common * 2 < all) return false;
  if (before.length !== after.length) return true;
  const same = after.filter((word, at) => before[at] === word).length;
  return same === after.length || same < after.length / 2;
}

/** Adds a range and returns the share of it that was new. */
function cover(ranges: number[], [start, end]: readonly [number, number]): number {
  const size = Math.max(1, end - start);
  let fresh = size;
  let from = start;
  let to = end;
  const kept: number[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    const low = ranges[at]!;
    const high = ranges[at + 1]!;
    if (high < start || low > end) kept.push(low, high);
    else {
      fresh -= Math.max(0, Math.min(high, end) - Math.max(low, start));
      from = Math.min(from, low);
      to = Math.max(to, high);
    }
  }
  kept.push(from, to);
  ranges.length = 0;
  ranges.push(...kept.slice(-MAX_RANGES));
  return fresh / size;
}

/** Polls neither count nor break a streak. */
export function noteLookup(lookups: Lookups, event: CallEvent, stale: boolean): void {
  if (event.poll) return;
  if (!stale) {
    lookups.streak = 0;
    lookups.streakTargets.clear();
    return;
  }
  if (lookups.streak === 0) lookups.origin = event.origin;
  lookups.streak += 1;
  if (lookups.streakTargets.size >= MAX_TARGETS) return;
  const { range } = event.call;
  const aim = aimOf(lookups, event);
  lookups.streakTargets.add(range === undefined ? aim : hashPair(aim, partOf(range)));
}

/** Windows that barely move look at the same part of a file. */
const partOf = ([start, end]: readonly [number, number]): number =>
  Math.floor(start / Math.max(1, end - start)) + 1;

/** A second pass over many targets is a review; going over a few again and again is a loop. */
export function weightOfStreak({ streak, streakTargets }: Lookups): number {
  const targets = streakTargets.size;
  if (targets * 3 <= streak) return Math.floor((streak * 4) / 3);
  return targets * 2 <= streak ? streak : Math.floor(streak / 2);
}
