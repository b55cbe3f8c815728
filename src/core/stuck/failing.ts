/**
 * Recurring failures: the same error with different arguments, failure after failure, a tool that does not exist, and
 * the same failing checks after every edit. Invariants: O(1) per event; remembers at most 64 failing sets.
 */
import type { Call } from "./call.ts";
import type { Edits } from "./edits.ts";
import { Streak, extend, type CallEvent, type Origin } from "./event.ts";
import { RecentMap } from "./recent.ts";
import { hashPair } from "../hash.ts";

/** A service that refuses every call to one tool because a login or key is missing. */
class Refusals {
  tool = "";
  toolHash = 0;
  /** The refused calls; repeating the same call may just be waiting for a person to log in. */
  readonly calls: Set<number> = new Set();
  origin: Origin | undefined;
  error: string | undefined;
}

interface FailingSet {
  /** How often the set was seen, each time after another change of the world. */
  count: number;
  world: number;
  path: number;
  severalPaths: boolean;
  sequence: number;
  readonly origin: Origin;
  readonly error: string | undefined;
}

export class Failing {
  /** Same tool, same result. */
  readonly same = new Streak();
  /** Same tool, same kind of error. */
  readonly kind = new Streak();
  readonly any = new Streak();
  readonly unknown = new Streak();
  readonly refusals = new Refusals();
  /** The last failure came from a tool that only looks. */
  looked = false;
  /** The last failure gave no details, so it may differ from the one before. */
  weak = false;
  lastRound: number | string | undefined;
  sequence = 0;
  readonly sets = new RecentMap<FailingSet>(64);
  set: FailingSet | undefined;
}

/** A failing set that was absent for more events than this is a new problem. */
const LONGEST_GAP = 60;

type WorldVersion = Pick<Edits, "version" | "lastPath">;

export function noteFailing(
  failing: Failing,
  event: CallEvent,
  news: boolean,
  world: WorldVersion,
): void {
  failing.sequence += 1;
  const { call, failure } = event;
  if (failure === undefined) {
    noteSuccess(failing, event, news);
    return;
  }
  const tool = call.tool.hash;
  const looks = call.kind === "read" || call.kind === "search";
  failing.looked = looks;
  failing.weak = failure.weak;
  extend(failing.same, hashPair(tool, event.hash), event);
  extend(failing.kind, hashPair(tool, failure.kind), event);
  const sameRound = event.round !== undefined && event.round === failing.lastRound;
  if (!sameRound || failing.any.count === 0) extend(failing.any, 1, event);
  failing.lastRound = event.round;
  if (failure.unknownTool) extend(failing.unknown, tool, event);
  if (!looks && call.kind !== "write" && !failure.weak) {
    const hash = failure.tests !== 0 ? failure.tests : hashPair(call.key, event.hash);
    noteFailingSet(failing, hash, world, event);
  }
}

/** A failure outside any tool: only counted, not compared. */
export function noteFailureOutsideTools(failing: Failing, origin: Origin, line: string): void {
  const { any } = failing;
  if (any.count === 0) {
    any.origin = origin;
    any.error = line;
  }
  any.hash = 1;
  any.count += 1;
}

const MAX_REFUSED = 64;

export function noteRefusal(failing: Failing, call: Call, origin: Origin, line: string): void {
  const { refusals } = failing;
  if (refusals.toolHash !== call.tool.hash || refusals.calls.size === 0) {
    refusals.tool = call.tool.name;
    refusals.toolHash = call.tool.hash;
    refusals.calls.clear();
    refusals.origin = origin;
    refusals.error = line;
  }
  if (refusals.calls.size < MAX_REFUSED) refusals.calls.add(call.key);
}

/** Looking around does not end a series of failures; new work that succeeds does. */
function noteSuccess(failing: Failing, { call, outcome }: CallEvent, news: boolean): void {
  if (outcome === "ok" && call.checks) {
    failing.sets.clear();
    failing.set = undefined;
  }
  if (news || call.tool.hash === failing.refusals.toolHash) failing.refusals.calls.clear();
  if (!news) return;
  failing.any.count = 0;
  if (!failing.looked && (call.kind === "read" || call.kind === "search")) return;
  failing.same.count = 0;
  failing.kind.count = 0;
  failing.unknown.count = 0;
}

/** Counts a failing set once for each change of the world that did not fix it. */
export function noteFailingSet(
  failing: Failing,
  hash: number,
  world: WorldVersion,
  event: Pick<CallEvent, "origin" | "failure">,
): void {
  const known = failing.sets.get(hash);
  if (known === undefined || failing.sequence - known.sequence > LONGEST_GAP) {
    const set: FailingSet = {
      count: 1,
      world: world.version,
      path: 0,
      severalPaths: false,
      sequence: failing.sequence,
      origin: event.origin,
      error: event.failure?.line,
    };
    failing.sets.set(hash, set);
    failing.set = set;
    return;
  }
  failing.set = known;
  known.sequence = failing.sequence;
  if (known.world === world.version) return;
  known.world = world.version;
  known.count += 1;
  if (world.lastPath === 0) return;
  if (known.path !== 0 && known.path !== world.lastPath) known.severalPaths = true;
  known.path = world.lastPath;
}
