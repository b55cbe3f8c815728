/**
 * Sends what is queued in the outbox. Invariants: a message interrupted by a crash is sent again, never lost; a
 * question that has been answered in the meantime is no longer sent (U10: the stored question is the truth); one
 * message at a time.
 */
import { messageOf } from "../../core/notify/message.ts";
import type { Notice } from "../../core/notify/notice.ts";
import {
  delivered,
  failed,
  leased,
  quieted,
  readOutbox,
  type ChannelName,
  type Outbox,
  type Waiting,
} from "../../core/notify/outbox.ts";
import { quietFor } from "../../core/notify/quiet-hours.ts";
import type { StoredJournal } from "../../journal/journal.ts";
import { crashPoint } from "../crash-point.ts";
import type { Home } from "../home.ts";
import { defined } from "../operation.ts";
import { openCheckpoints, recordedRun } from "../runs/recorded.ts";
import { answerKey } from "./answer-key.ts";
import { SENDERS, type AnswerButton } from "./channels.ts";
import { channelsOf, ntfyOf, type NotifySettings } from "./settings.ts";
import { answerToken } from "./signature.ts";

export interface Delivery {
  readonly home: Pick<Home, "root">;
  readonly journal: StoredJournal;
  readonly settings: NotifySettings;
}

const KEY = "notify outbox";

/** In one transaction; the change must have no side effect. */
export const changeOutbox = <T>(
  journal: Pick<StoredJournal, "incidents">,
  change: (outbox: Outbox) => { readonly outbox: Outbox; readonly answer: T },
): Promise<T> =>
  journal.incidents.change(KEY, (text) => {
    const { outbox, answer } = change(readOutbox(text));
    return { next: JSON.stringify(outbox), answer };
  });

export const readNotices = (journal: Pick<StoredJournal, "incidents">): Promise<Outbox> =>
  journal.incidents.change(KEY, (text) => ({ next: text, answer: readOutbox(text) }));

/** Sends everything that is due now, each message once. */
export async function deliverDue(delivery: Delivery, signal?: AbortSignal): Promise<number> {
  const { journal, settings } = delivery;
  for (let sent = 0; ;) {
    if (signal?.aborted === true) return sent;
    const now = Date.now();
    const items = await changeOutbox(journal, (outbox) => {
      const { items: due, outbox: next } = leased(quieted(outbox, now, quietMs(settings)), now);
      return { outbox: next, answer: due };
    });
    if (items.length === 0) return sent;
    if (await deliverOne(delivery, items)) sent += 1;
  }
}

const MINUTE_MS = 60_000;

function quietMs({ quietHours }: NotifySettings): (severity: Notice["severity"]) => number {
  if (quietHours === undefined) return () => 0;
  const now = new Date();
  const minute = now.getHours() * 60 + now.getMinutes();
  const hours = { except: ["critical" as const], ...defined(quietHours) };
  return (severity) => quietFor(hours, severity, minute) * MINUTE_MS;
}

async function deliverOne(delivery: Delivery, items: readonly Waiting[]): Promise<boolean> {
  const { journal, settings } = delivery;
  const open = await stillOpen(
    journal,
    items.map(({ notice }) => notice),
  );
  const { publicUrl, details } = settings;
  const message = messageOf(open, defined({ publicUrl, details }));
  const channel = items[0]?.channel;
  const isSetUp = channelsOf(settings).some(({ name }) => name === channel);
  crashPoint("notify:before-post");
  const result =
    message === undefined || channel === undefined || !isSetUp
      ? undefined
      : await SENDERS[channel](settings, message, buttonsOf(delivery, channel, open));
  crashPoint("notify:after-post");
  await changeOutbox(journal, (outbox) => ({
    answer: undefined,
    outbox:
      result === undefined || result.ok
        ? delivered(outbox, items)
        : failed(outbox, items, { now: Date.now(), ...result }),
  }));
  return result?.ok === true;
}

/** Of questions, only those still open. */
async function stillOpen(
  journal: StoredJournal,
  notices: readonly Notice[],
): Promise<readonly Notice[]> {
  const open = new Map<string, ReadonlySet<string>>();
  for (const { run, question } of notices) {
    if (question === undefined || open.has(run)) continue;
    const there = (await journal.run(run)) !== undefined;
    const ids = there ? openCheckpoints((await recordedRun(journal, run)).state) : [];
    open.set(run, new Set(ids.map(({ id }) => id)));
  }
  return notices.filter(
    ({ run, question }) => question === undefined || open.get(run)?.has(question) === true,
  );
}

const TOKEN_MS = 24 * 60 * MINUTE_MS;

/** Only for a single question, so that it is clear what is answered, and only if an answer can come back. */
function buttonsOf(
  { home, settings }: Delivery,
  channel: ChannelName,
  notices: readonly Notice[],
): readonly AnswerButton[] {
  const [notice, ...others] = notices;
  const { publicUrl } = settings;
  const hasTopic = channel === "ntfy" && ntfyOf(settings)?.replyTopic !== undefined;
  const comesBack = publicUrl !== undefined || hasTopic;
  if (!comesBack || notice?.question === undefined || others.length > 0) return [];
  const { run, question, answers = [] } = notice;
  const [key, expires] = [answerKey(home), Date.now() + TOKEN_MS];
  return answers.map((answer) => {
    const token = answerToken(key, { run, question, answer, expires });
    return { answer, question, run, token, ...placesOf(publicUrl, token) };
  });
}

function placesOf(publicUrl: string | undefined, token: string) {
  if (publicUrl === undefined) return {};
  const site = publicUrl.replace(/\/+$/, "");
  return { url: `${site}/api/answer-by-token`, link: `${site}/answer?token=${token}` };
}
