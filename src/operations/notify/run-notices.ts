/**
 * The notices of one run, from its events to the outbox. Invariants: the returned function looks at every event once,
 * and what is in the outbox already is not queued again.
 */
import { noticeCollector, type Notice } from "../../core/notify/notice.ts";
import { queued } from "../../core/notify/outbox.ts";
import type { StoredJournal } from "../../journal/journal.ts";
import { recordedEvents } from "../runs/recorded.ts";
import { changeOutbox } from "./deliver.ts";
import { channelsOf, type NotifySettings } from "./settings.ts";

interface NoticeOptions {
  readonly run: string;
  /** The name of its repository. */
  readonly repository: string;
  readonly journal: StoredJournal;
  readonly settings: NotifySettings;
  /** Earlier events were reported by another process. */
  readonly since?: number;
}

/** Older news is not reported; a question is, as long as it is open. */
export const NEWS_MS = 24 * 3_600_000;

/** Returns a function that queues what is new; one call at a time. */
export function runNotices(told: NoticeOptions): () => Promise<void> {
  const { run, journal, since = 0 } = told;
  const channels = channelsOf(told.settings);
  const collector = noticeCollector(run, told.repository);
  let next = 1;
  let waiting: readonly Notice[] = [];
  return async () => {
    for await (const { seq, event } of recordedEvents(journal, run, { from: next })) {
      const notice = collector.add(seq, event);
      if (notice !== undefined && notice.at >= since) waiting = [...waiting, notice];
      next = seq + 1;
    }
    const now = Date.now();
    const isNews = ({ question, at }: Notice): boolean =>
      question !== undefined || at > now - NEWS_MS;
    const items = waiting
      .filter(isNews)
      .flatMap((notice) =>
        channels
          .filter(({ when }) => when.includes(notice.severity))
          .map(({ name: channel }) => ({ channel, notice, due: now, tries: 0 })),
      );
    if (items.length > 0)
      await changeOutbox(journal, (outbox) => ({
        outbox: queued(outbox, { run, upTo: next - 1, items }),
        answer: undefined,
      }));
    waiting = [];
  };
}
