/**
 * What an agent did, in any attempt of any run: read as recorded, or followed across attempts while the run works
 * (U18). Invariants: it never writes to the run; memory is bounded however long a transcript is and however slow the
 * client; the entries of one attempt come in order, each once.
 */
import { ProblemError, operation, type Context } from "../operation.ts";
import { findRun } from "../runs/find-run.ts";
import { withHome, type OpenHome, type OpenRun } from "../runs/open-run.ts";
import { recordedEvents } from "../runs/recorded.ts";
import { startedWith } from "../runs/started-with.ts";
import { isWorkedOn } from "../runs/status.ts";
import { attemptBook, nameOf, type AttemptBook, type LoggedAttempt } from "./attempt-book.ts";
import { attemptFolder, attemptLog } from "./attempt-log.ts";
import { chooseAttempts, namedAttempt, placeOf } from "./choose-attempt.ts";
import { followLogs, isAttended } from "./follow-logs.ts";
import { logPlace, placeText, type LogPlace } from "./log-place.ts";
import type { ListedAttempt, LogEntry, LogsInput } from "./schemas.ts";
import { tellAttempt, tellRaw, type LogHappening, type Logs } from "./report-attempt.ts";

export type { ListedAttempt, LogEntry, LogHappening };

export const readLogs = operation({
  name: "logs",
  schemas: async () => (await import("./schemas.ts")).readLogs,
  run: (context, input, on: (happening: LogHappening) => void) =>
    withHome(async (home) => {
      if (input.raw === true && (input.tail ?? input.since) !== undefined)
        throw new ProblemError(
          "bad-input",
          "--raw prints all of an attempt: leave out --tail and --since",
        );
      const found = await resolveRequest(context, home, input);
      const { open, book, at, after } = found;
      const { id: run } = open.row;
      const goesOn = isWorkedOn(open.row);
      const told = async (shown: readonly string[]) => ({
        run,
        attempts: (after === undefined ? book : (await bookOf(open)).book)
          .all()
          .map((attempt) => listed(attempt, goesOn)),
        shown,
        goesOn: await isAttended(open),
      });
      if (input.list === true) return told([]);
      const chosen = chooseAttempts(book, run, at, goesOn);
      const named = namedAttempt(book, at);
      const isOver = named !== undefined && book.isOver(nameOf(named));
      const mayGoOn = goesOn || after !== undefined;
      const follow = input.follow === true && input.raw !== true && mayGoOn && !isOver;
      if (chosen.length > 1 && !follow) return told([]);
      if (chosen.length === 0 && !follow)
        throw new ProblemError(
          "not-found",
          `run ${run} has started no attempt yet: unstuck status ${run}`,
        );
      const logs = logsOf(context, input, found, on);
      if (follow) await followLogs(logs, { chosen, at });
      else
        for (const attempt of chosen)
          if (input.raw === true) await tellRaw(logs, attempt, on);
          else await tellAttempt(logs, attempt);
      return told(chosen.map(nameOf));
    }),
});

interface LogRequest {
  readonly open: OpenRun;
  readonly book: AttemptBook;
  /** The last event included in the book. */
  readonly seen: number;
  readonly at?: string;
  readonly after?: LogPlace;
}

/** A single word may also name a subtask of the latest run here; that takes precedence over a part of a run's id. */
async function resolveRequest(
  context: Context,
  home: OpenHome,
  input: LogsInput,
): Promise<LogRequest> {
  const { run, at } = input;
  if (run !== undefined && at === undefined && (await home.journal.run(run)) === undefined) {
    const row = await findRun(context, home.journal, undefined).catch(() => undefined);
    const latest = row && (await bookOf({ ...home, row }));
    if (latest !== undefined && placeOf(latest.book, run) !== undefined)
      return { ...latest, at: run };
  }
  const row = await findRun(context, home.journal, run);
  const open = { ...home, row };
  const after = input.follow === true ? logPlace(context.after) : undefined;
  if (after !== undefined && at !== undefined) {
    // With the attempts known at that place; later events follow.
    const then = await bookOf(open, after.seq);
    if (namedAttempt(then.book, at) !== undefined) return { ...then, at, after };
  }
  return { ...(await bookOf(open)), ...(at === undefined ? {} : { at }) };
}

async function bookOf(open: OpenRun, upTo = Infinity): Promise<Omit<LogRequest, "at" | "after">> {
  const book = attemptBook();
  let seen = 0;
  for await (const { seq, event } of recordedEvents(open.journal, open.row.id)) {
    if (seq > upTo) break;
    seen = seq;
    book.add(event);
  }
  return { open, book, seen };
}

function listed(
  { checks: _, recovery: __, ...attempt }: LoggedAttempt,
  goesOn: boolean,
): ListedAttempt {
  return { ...attempt, running: goesOn && attempt.endedAt === undefined };
}

function logsOf(
  context: Context,
  input: LogsInput,
  { open, book, seen, at, after }: LogRequest,
  on: (happening: LogHappening) => void,
): Logs {
  // Several attempts at once have no single place.
  const hasPlaces = namedAttempt(book, at) !== undefined;
  let started: ReturnType<typeof startedWith> | undefined;
  const plan = async () => (await (started ??= startedWith(open.journal, open.row.id))).plan;
  return {
    ...{ open, context, input, book, seen, after },
    async tell(entries, seq) {
      for (const { entry, at: place } of entries)
        if (!hasPlaces || place === undefined) on({ kind: "entry", entry });
        else on({ kind: "entry", entry, place: placeText({ seq, at: place }) });
      await context.drained?.();
    },
    logOf: async (attempt) => {
      const folder = attemptFolder(open.home.runDir(open.row.id), attempt);
      const log = attemptLog(folder, attempt, (await plan()).agents[attempt.agent]);
      const { fleet } = open;
      if (fleet === undefined) return log;
      return {
        ...log,
        async *news() {
          await fleet.bring({ run: open.row.id, ...attempt });
          yield* log.news();
        },
      };
    },
    checksOf: async (subtask) =>
      ((await plan()).subtasks[subtask]?.checks ?? []).map(({ run }) => run),
  };
}
