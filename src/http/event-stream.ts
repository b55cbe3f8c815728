/**
 * Server-sent events and the streams of the API: the events of one run (`run`), and for all runs the changes of the
 * list (`runs`) and of the open questions (`inbox`). Invariants: nothing is read ahead of a slow client, and one that
 * takes nothing for a while is disconnected; ids are the journal's own, so a client that reconnects with its last id
 * misses nothing; a regular comment shows both sides that the other is alive.
 */
import { redact, redactedJson } from "../operations/redaction.ts";
import type { Feed } from "../operations/serve/feed.ts";

export interface Message {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
  /** The data as JSON text, if it has been serialized already. */
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

/** Turns bytes of a transcript into text and evaluates a lazy `view`. */
function readable(key: string, value: unknown): unknown {
  if (key === "view" && typeof value === "function") return (value as () => unknown)();
  if (key !== "bytes" || typeof value !== "object" || value === null) return value;
  const { data } = value as { readonly data?: readonly number[] };
  return Buffer.from(data ?? []).toString("utf8");
}

/** A browser sends it as a header when it reconnects; a new stream may pass it as a parameter. */
export const lastIdOf = (request: Request): string | undefined =>
  request.headers.get("last-event-id") ??
  new URL(request.url).searchParams.get("after") ??
  undefined;

/** `ended` aborts when the client disconnects. Messages are pulled one by one, as fast as the client takes them. */
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

/** 0 for a client that connects for the first time. */
export function lastNumberOf(request: Request): number {
  const id = Number(lastIdOf(request) ?? 0);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}
