/**
 * Reports what is recorded of one attempt, as entries or as the bytes its agent printed. Invariants: bounded memory,
 * even for a slow client; with a tail the transcript is read twice instead of kept.
 */
import type { Context } from "../operation.ts";
import { redactedBytes } from "../redaction.ts";
import type { OpenRun } from "../runs/open-run.ts";
import type { AttemptBook, LoggedAttempt } from "./attempt-book.ts";
import { attemptFolder, type AttemptLog } from "./attempt-log.ts";
import type { LogPlace, PlacedEntry } from "./log-place.ts";
import type { LogEntry, LogsInput } from "./schemas.ts";
import { transcriptFile } from "./transcript-file.ts";

export type LogHappening =
  | {
      readonly kind: "entry";
      readonly entry: LogEntry;
      /** The place from which a client that has this entry can continue. */
      readonly place?: string;
    }
  /** As the agent printed it, without secrets. */
  | { readonly kind: "raw"; readonly bytes: Buffer };

export interface Logs {
  readonly open: OpenRun;
  readonly context: Context;
  readonly input: LogsInput;
  readonly book: AttemptBook;
  /** The last event that is in the book at first. */
  readonly seen: number;
  /** What a reconnecting client has already received of the attempt it asked for. */
  readonly after?: LogPlace | undefined;
  /** Reports entries together with the last event they include. Resolves once they have been taken. */
  readonly tell: (entries: readonly PlacedEntry[], seq: number) => Promise<void>;
  readonly logOf: (attempt: LoggedAttempt) => Promise<AttemptLog>;
  readonly checksOf: (subtask: string) => Promise<readonly string[]>;
}

export async function tellRaw(
  { context, open: { home, row, fleet } }: Logs,
  attempt: LoggedAttempt,
  on: (happening: LogHappening) => void,
): Promise<void> {
  const redactor = redactedBytes();
  const say = async (text: string): Promise<void> => {
    if (text !== "") on({ kind: "raw", bytes: Buffer.from(text, "latin1") });
    await context.drained?.();
  };
  await fleet?.bring({ run: row.id, ...attempt });
  for await (const { bytes } of transcriptFile(
    attemptFolder(home.runDir(row.id), attempt),
  ).read()) {
    if (context.signal?.aborted === true) return;
    await say(redactor.push(bytes.toString("latin1")));
  }
  await say(redactor.end());
}

/** Everything recorded of it so far; with `tail`, the transcript is read twice instead of kept. */
export async function tellAttempt(
  logs: Logs,
  attempt: LoggedAttempt,
  log?: AttemptLog,
): Promise<void> {
  const { seen, after, input } = logs;
  const { since = 0 } = input;
  const tail = after === undefined ? input.tail : undefined;
  const isOld = (attempt.endedAt ?? Infinity) < since;
  const isAsked = ({ entry: { at } }: PlacedEntry): boolean =>
    at === undefined ? !isOld : at >= since;
  let left = 0;
  if (tail !== undefined) {
    for await (const entries of entriesOf(logs, attempt, await logs.logOf(attempt)))
      left += entries.filter(isAsked).length;
    left = Math.max(0, left - tail);
  }
  for await (const entries of entriesOf(logs, attempt, log ?? (await logs.logOf(attempt)))) {
    const asked = entries.filter(isAsked);
    await logs.tell(asked.slice(left), seen);
    left = Math.max(0, left - asked.length);
  }
}

async function* entriesOf(
  { context, checksOf, after }: Logs,
  attempt: LoggedAttempt,
  log: AttemptLog,
): AsyncGenerator<readonly PlacedEntry[]> {
  if (after === undefined) yield [log.start()];
  else if (after.at === "all") return;
  else await log.passOver(after.at);
  for await (const entries of log.news()) {
    if (context.signal?.aborted === true) return;
    yield entries;
  }
  if (attempt.endedAt === undefined) return;
  yield log.rest();
  const last = attempt.checks.at(-1);
  if (last !== undefined) yield log.checks(last, await checksOf(attempt.subtask));
  yield log.end();
}
