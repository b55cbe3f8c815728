/**
 * Reads and searches that bring nothing new: the same range of a file, the same question in other words, anything
 * known already. Invariants: O(1) amortised an event; at most 256 targets with 32 ranges each are remembered.
 */
import type { Call } from "./call.ts";
import type { Place } from "./call-memory.ts";
import type { CallEvent, Origin } from "./event.ts";
import { Recent } from "./recent.ts";
import { hashPair } from "../hash.ts";

interface Known extends Place {
  hash: number;
  /** Ranges read, as pairs, in order, none touching the next. */
  ranges: number[];
}

export class Lookups {
  readonly targets = new Recent<Known>(256);
  /** The last question, what its target is held to be, and the number of its event. */
  asked:
    { readonly event: CallEvent; readonly target: number; readonly number: number } | undefined;
  events = 0;
  /** Events in a row that brought nothing. */
  streak = 0;
  origin: Origin | undefined;
  readonly streakTargets: Set<number> = new Set();
}

const MAX_RANGES = 64;
const MAX_TARGETS = 64;
/** A read that is new by less than this share is not worth a step. */
const NEW_SHARE = 0.2;

/** True where the call, new as it may be written, asks for what was answered already. */
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

/** What an event aims at: the target of the question it asks again in other words, else its own. */
const aimOf = ({ asked }: Lookups, event: CallEvent): number =>
  asked?.event === event ? asked.target : event.call.target;

/** An answer with content, given again right away to another question: whatever is asked, it says this. */
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

/** The same result to a question in other words, about the same place, is the same question. */
function noteQuestion(lookups: Lookups, event: CallEvent): void {
  const { asked, events } = lookups;
  const again =
    asked !== undefined &&
    isSameResult(asked.event, event) &&
    asked.event.call.scope === event.call.scope &&
    isParaphrase(asked.event.call.words, event.call.words);
  lookups.asked = { event, target: again ? asked.target : event.call.target, number: events };
}

/** Half of the words in common, but not one form filled in with another name: asking for name after name is work. */
function isParaphrase(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  const common = new Set(after.filter((word) => known.has(word))).size;
  const all = new Set([...before, ...after]).size;
  if (common === 0 || common * 2 < all) return false;
  if (before.length !== after.length) return true;
  const same = after.filter((word, at) => before[at] === word).length;
  return same === after.length || same < after.length / 2;
}

/** Adds a range and says which share of it was new. */
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

/** Windows that hardly move look at the same part of a file. */
const partOf = ([start, end]: readonly [number, number]): number =>
  Math.floor(start / Math.max(1, end - start)) + 1;

/** Going once more over many targets is a check; going over a few again and again is a loop. */
export function weightOfStreak({ streak, streakTargets }: Lookups): number {
  const targets = streakTargets.size;
  if (targets * 3 <= streak) return Math.floor((streak * 4) / 3);
  return targets * 2 <= streak ? streak : Math.floor(streak / 2);
}
