/**
 * Notifies a person about a run while this process works on it: news is queued as soon as it is recorded, and sent from
 * here; answers through ntfy are taken here. Invariants: the run never waits for it or fails because of it; without a
 * channel it does nothing; what a crash kept from being queued is queued when the run is resumed, and nothing is queued
 * twice.
 */
import { basename } from "node:path";
import { nextDue } from "../../core/notify/outbox.ts";
import { deliverDue, readNotices, type Delivery } from "./deliver.ts";
import { takeReplies } from "./replies.ts";
import { runNotices } from "./run-notices.ts";
import { channelsOf } from "./settings.ts";

interface NotifyOptions extends Delivery {
  readonly run: string;
  /** The folder of its repository. */
  readonly repository: string;
}

const LAST_LIMIT_MS = 10_000;
const SOONEST_MS = 1000;

/** Returns a function that ends it, once everything recorded by then is queued and everything due was tried. */
export function notifyOfRun(told: NotifyOptions): () => Promise<void> {
  const { run, home, journal, settings } = told;
  if (channelsOf(settings).length === 0) return () => Promise.resolve();
  const take = runNotices({ run, journal, settings, repository: basename(told.repository) });
  const leaving = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();

  const work = async (): Promise<void> => {
    await take();
    await deliverDue(told, leaving.signal);
    const due = nextDue(await readNotices(journal));
    clearTimeout(timer);
    if (due !== undefined && !leaving.signal.aborted)
      timer = setTimeout(() => void worked(), Math.max(SOONEST_MS, due - Date.now())).unref();
  };
  /** What fails now is done the next time. */
  const worked = (): Promise<void> => (working = working.then(work).catch(() => undefined));

  void worked();
  const hearing = new AbortController();
  const context = { cwd: told.repository };
  const replies = takeReplies({ home, settings, context, until: hearing.signal });
  const unwatch = journal.watch((change) => {
    if (change.kind === "events" && change.run === run) void worked();
  });
  return async () => {
    unwatch();
    hearing.abort();
    await replies;
    const late = setTimeout(() => leaving.abort(), LAST_LIMIT_MS).unref();
    await worked();
    clearTimeout(late);
    leaving.abort();
    clearTimeout(timer);
  };
}
