/**
 * Follows the logs of a run across its attempts: what agents add to their transcripts, and what the run decides.
 * Invariants: an attempt's transcript is reported to its end before its checks; entries are reported one at a time; it
 * ends when the run ends, no process works on the run any more, or the signal aborts.
 */
import type { RunEvent } from "../../core/run/decision.ts";
import type { OpenRun } from "../runs/open-run.ts";
import { recordedEvents } from "../runs/recorded.ts";
import { lineOf } from "../follow/run-lines.ts";
import { isWorkedOn } from "../runs/status.ts";
import { redact } from "../redaction.ts";
import { nameOf, type LoggedAttempt } from "./attempt-book.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { namedAttempt, placeOf } from "./choose-attempt.ts";
import type { LogPlace } from "./log-place.ts";
import { tellAttempt, type Logs } from "./report-attempt.ts";

interface Followed {
  readonly chosen: readonly LoggedAttempt[];
  readonly at: string | undefined;
}

const LOOK_MS = 250;
const OWNER_LOOK_MS = 1000;

/** Events of interest besides the agents' output. */
const TOLD: ReadonlySet<RunEvent["kind"]> = new Set<RunEvent["kind"]>([
  ...["failure-classified", "recovery-chosen", "wait-scheduled", "circular-fix-seen"],
  ...["attempt-interrupted", "subtask-done", "subtask-parked", "checkpoint-opened"],
  ...["run-paused", "run-ended"],
] as const);

export async function followLogs(logs: Logs, { chosen, at }: Followed): Promise<void> {
  const { open, book, tell, logOf, checksOf, context } = logs;
  const place = at === undefined ? undefined : placeOf(book, at);
  const isWanted = ({ subtask, attempt }: { subtask: string; attempt?: number }): boolean =>
    place === undefined ||
    (subtask === place.subtask &&
      (place.attempt === undefined || attempt === undefined || attempt === place.attempt));
  const ending = new AbortController();
  const until = AbortSignal.any([ending.signal, ...(context.signal ? [context.signal] : [])]);
  const live = new Map<string, AttemptLog>();
  const named = namedAttempt(book, at);
  const placeOfNamed = (): LogPlace["at"] => (named && live.get(nameOf(named))?.place()) ?? "all";
  /** The last event that was reported. */
  let { seen } = logs;

  const tellNews = async (log: AttemptLog): Promise<void> => {
    for await (const entries of log.news()) await tell(entries, seen);
  };
  const tellAllNews = async (): Promise<void> => {
    for (const log of live.values()) await tellNews(log);
  };
  const begin = async (attempt: LoggedAttempt): Promise<void> => {
    const log = await logOf(attempt);
    live.set(nameOf(attempt), log);
    await tell([log.start()], seen + 1);
  };
  const finish = async (attempt: LoggedAttempt): Promise<void> => {
    const log = live.get(nameOf(attempt));
    if (log === undefined) return;
    await tellNews(log);
    await tell(log.rest(), seen);
    await tell(log.end(), seen + 1);
    live.delete(nameOf(attempt));
  };
  let isOver = false;
  const onEvent = async (event: RunEvent): Promise<void> => {
    if (isOver) return;
    book.add(event);
    const subtask = "subtask" in event ? event.subtask : undefined;
    if (event.kind === "received") {
      const { input } = event;
      if (input.kind !== "attempt-ended" && input.kind !== "checks-ended") return;
      const attempt = book.find(nameOf(input));
      if (attempt === undefined || !isWanted(input)) return;
      if (input.kind === "attempt-ended") return finish(attempt);
      const log = live.get(nameOf(input)) ?? (await logOf(attempt));
      const told = log.checks(input.result, await checksOf(input.subtask));
      return tell(
        told.map(({ entry }) => ({ entry, at: placeOfNamed() })),
        seen + 1,
      );
    }
    if (subtask !== undefined && !isWanted({ subtask })) return;
    if (event.kind === "attempt-dispatched") {
      const attempt = book.find(nameOf(event));
      if (attempt !== undefined && isWanted(event)) await begin(attempt);
      return;
    }
    const line = TOLD.has(event.kind) ? lineOf(event) : undefined;
    if (line !== undefined) {
      const text = redact(line.map(([words]) => words).join(""));
      const entry = { kind: "run", ...(subtask === undefined ? {} : { subtask }), text } as const;
      await tell([{ entry, at: placeOfNamed() }], seen + 1);
    }
    isOver = named !== undefined && book.isOver(nameOf(named));
    if (isOver) ending.abort();
  };

  const inTurn = oneAtATime();
  for (const attempt of chosen) {
    const log = await logOf(attempt);
    if (attempt.endedAt === undefined) live.set(nameOf(attempt), log);
    await tellAttempt(logs, attempt, log);
  }
  const looking = setInterval(() => {
    if (inTurn.isFree()) void inTurn.run(tellAllNews);
  }, LOOK_MS);
  const watching = setInterval(() => {
    void isAttended(open).then(
      (isSo) => void (isSo || ending.abort()),
      () => ending.abort(),
    );
  }, OWNER_LOOK_MS);
  try {
    for await (const { seq, event } of recordedEvents(open.journal, open.row.id, {
      from: seen + 1,
      until,
    }))
      await inTurn.run(async () => {
        await onEvent(event);
        seen = seq;
      });
  } finally {
    clearInterval(looking);
    clearInterval(watching);
    await inTurn.run(tellAllNews);
  }
}

export async function isAttended({ journal, row }: OpenRun): Promise<boolean> {
  const now = await journal.run(row.id);
  return now !== undefined && isWorkedOn(now);
}

function oneAtATime() {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return {
    isFree: (): boolean => waiting === 0,
    run(work: () => Promise<void>): Promise<void> {
      waiting += 1;
      last = last.then(work).finally(() => void (waiting -= 1));
      return last;
    },
  };
}
