/**
 * Server-sent events, and the streams of the API: of one run what is recorded (`run`), of all runs what changed in the
 * list (`runs`) and in the questions that wait (`inbox`). Invariants: nothing is read ahead for a client that does not
 * take what it was sent; one that takes nothing for a while is let go of; ids are the journal's own, so that whoever comes
 * back with the last one misses nothing; a comment now and then tells both sides that the other is there.
 */
import { redact, redactedJson } from "../operations/redaction.ts";
import type { Feed } from "../operations/serve/feed.ts";

export interface Message {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
  /** The data written out, where that was done already. */
  readonly json?: string;
}

export const HEARTBEAT_MS = 15_000;
export const STALLED_MS = 60_000;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export function messageText({ event, data, id, json }: Message): string {
  const named = `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}`;
  return `${named}data: ${json ?? redact(JSON.stringify(data, readable))}\n\n`;
}

/** What a transcript holds as bytes is text; what is worked out when it is asked for is asked for now. */
function readable(key: string, value: unknown): unknown {
  if (key === "view" && typeof value === "function") return (value as () => unknown)();
  if (key !== "bytes" || typeof value !== "object" || value === null) return value;
  const { data } = value as { readonly data?: readonly number[] };
  return Buffer.from(data ?? []).toString("utf8");
}

/** A browser sends it as a header when it comes back; who opens a stream anew may name it. */
export const lastIdOf = (request: Request): string | undefined =>
  request.headers.get("last-event-id") ??
  new URL(request.url).searchParams.get("after") ??
  undefined;

/** `ended` is aborted when the client is gone. Messages are taken one by one, as fast as the client takes them. */
export function eventStream(
  messages: (ended: AbortSignal) => AsyncIterable<Message>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const ending = new AbortController();
  const texts = withHeartbeat(messages(ending.signal), ending.signal);
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode("retry: 2000\n\n"));
      },
      async pull(controller) {
        clearTimeout(stalled);
        const next = await texts.next();
        if (next.done === true) {
          ending.abort();
          return controller.close();
        }
        controller.enqueue(encoder.encode(next.value));
        stalled = setTimeout(() => {
          ending.abort();
          controller.error(new Error("the client takes nothing"));
        }, STALLED_MS);
        stalled.unref();
      },
      cancel() {
        clearTimeout(stalled);
        ending.abort();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

async function* withHeartbeat(
  messages: AsyncIterable<Message>,
  ended: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const source = messages[Symbol.asyncIterator]();
  let next = source.next();
  let wake = (): void => undefined;
  ended.addEventListener("abort", () => wake(), { once: true });
  try {
    for (;;) {
      const { promise: quiet, resolve } = Promise.withResolvers<"quiet">();
      wake = () => resolve("quiet");
      const timer = setTimeout(wake, HEARTBEAT_MS).unref();
      const first = await Promise.race([next, quiet]).finally(() => clearTimeout(timer));
      if (ended.aborted) return;
      if (first === "quiet") {
        yield ": here\n\n";
        continue;
      }
      if (first.done === true) return;
      next = source.next();
      yield messageText(first.value);
    }
  } finally {
    next.catch(() => undefined);
    void source.return?.();
  }
}

export function runEvents(feed: Feed, run: string, lastId: number): Response {
  return eventStream(async function* (gone) {
    for await (const recorded of feed.run(run, lastId + 1, gone))
      yield { event: "run", id: String(recorded.seq), data: recorded };
    yield { event: "end", data: { run } };
  });
}

export function allEvents(feed: Feed, lastId: number): Response {
  return eventStream(async function* (gone) {
    for await (const { event, id, data } of feed.all(lastId, gone))
      yield { event, id: String(id), data, json: redactedJson(data) };
  });
}

/** 0 for who comes for the first time. */
export function lastNumberOf(request: Request): number {
  const id = Number(lastIdOf(request) ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}
