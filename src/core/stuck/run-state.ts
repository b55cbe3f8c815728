/**
 * All that the detector remembers of one run, and how an event changes it. Invariants: bounded memory; an exempt event
 * changes nothing; an event is judged by the version of the world it started from.
 */
import { Edits, noteEdit, treeVersion } from "./edits.ts";
import type { CallEvent, OpenCall, Origin } from "./event.ts";
import { Failing, noteFailing } from "./failing.ts";
import { Rows, noteInRows, recall, noteOwnChange } from "./repeats.ts";
import type { RepeatedLines } from "./repeated-lines.ts";
import { CallMemory } from "./call-memory.ts";
import { Messages, endMessage, forgetMessages } from "./messages.ts";
import { Grind, noteGrind } from "./grinding.ts";
import { Lookups, isKnownTarget, noteLookup } from "./nothing-new.ts";

export class RunState {
  rows = new Rows();
  memory = new CallMemory();
  lookups = new Lookups();
  failing = new Failing();
  readonly grind = new Grind();
  readonly edits = new Edits();
  readonly answer = new Messages();
  readonly thought = new Messages();
  /** What a plain command prints; created with its first output. */
  printed: RepeatedLines | undefined;
  /** Calls without a result yet, oldest first. */
  open: OpenCall[] = [];
  /** While false, no result was seen and calls count by themselves. */
  resultsSeen = false;
  /** The last calls of a run without results, and how many of them belong to complete answers. */
  unseen: CallEvent[] = [];
  settled = 0;
  /** Calls by round and key: equal calls in one answer count once. */
  readonly roundKeys: Set<number> = new Set();
  calls = 0;
  callsBeforeTurn = 0;
  firstCall: Origin | undefined;
  /** The call made since the last event, still without a result: it shows whether the loop continues. */
  next: OpenCall | undefined;
  lastEventStep = -1;
  /** Grows with each compaction. */
  context = 0;
  progress = false;
  idleCompactions = 0;
  idleCompactionOrigin: Origin | undefined;
  waiting = false;
  /** A program told the agent to change course; the next event shows whether it does. */
  warned = false;
  reported: Origin | undefined;
  /** The last event was an output without a call. */
  alone = false;
  /** The last event succeeded with something new, so an earlier loop is over. */
  movedOn = false;
  /** The last event was a wait. */
  afterWait = false;
}

/** Forgets all calls, but keeps what is known about the tree. */
export function forgetCalls(run: RunState): void {
  run.rows = new Rows();
  run.memory = new CallMemory();
  run.lookups = new Lookups();
  run.failing = new Failing();
}

const MAX_UNSEEN = 64;

/** Where results are not visible, a call counts by itself. */
export function noteUnseen(run: RunState, event: CallEvent): void {
  run.unseen.push(event);
  if (run.unseen.length > MAX_UNSEEN) {
    run.unseen.shift();
    run.settled = Math.max(0, run.settled - 1);
  }
  noteEvent(run, event);
}

/** The current answer is void: its calls never ran, except those whose results were seen. */
export function retryStream(run: RunState): void {
  forgetTalk(run);
  run.open = [];
  run.next = undefined;
  run.roundKeys.clear();
  if (run.resultsSeen) return;
  run.calls = run.callsBeforeTurn;
  run.unseen.length = run.settled;
  forgetCalls(run);
  for (const event of run.unseen) noteEvent(run, event);
}

export function noteEvent(run: RunState, seen: CallEvent): void {
  run.next = undefined;
  run.reported = undefined;
  run.warned = false;
  // A call repeated after a wait is a poll.
  const event = run.afterWait && !seen.poll ? { ...seen, poll: true } : seen;
  run.afterWait = seen.call.poll;
  run.lastEventStep = seen.origin.step;
  if (event.call.tool.exempt) return;
  const { edits, context, memory } = run;
  const place = { world: edits.version, context };
  const { first, changed, moved, forgotten } = recall(memory, event, place);
  const known = isKnownTarget(run.lookups, event, place);
  noteInRows(run.rows, event, treeVersion(edits));
  const acted = noteEdit(edits, event, first || changed);
  if (acted) noteOwnChange(memory, event.call.key, edits.version);
  const news = event.call.kind === "write" ? acted || changed : changed || moved;
  const stale = (known && (first || event.telling)) || (!first && !news && !forgotten);
  // Equal events in a row are counted in `rows`.
  if (run.rows.same.count === 1) noteLookup(run.lookups, event, stale);
  noteFailing(run.failing, event, news && !stale, edits);
  noteGrind(run.grind, event, { news: news && !stale, acted, treeKnown: edits.tree !== 0 });
  run.progress ||= news && !stale;
  run.movedOn = news && !stale && event.outcome !== "failed";
  run.alone = event.alone;
}

export function forgetTalk(run: RunState): void {
  forgetMessages(run.answer);
  forgetMessages(run.thought);
}

/** The answer is complete. */
export function endTurn(run: RunState): void {
  endMessage(run.answer);
  endMessage(run.thought);
  run.callsBeforeTurn = run.calls;
  run.settled = run.unseen.length;
}

/** The context was compacted; this counts if there was no progress since the last time. */
export function noteCompaction(run: RunState, origin: Origin): void {
  run.context += 1;
  if (run.progress) run.idleCompactions = 0;
  if (run.idleCompactions === 0) run.idleCompactionOrigin = origin;
  run.idleCompactions += 1;
  run.progress = false;
}
