/**
 * 500 event streams at once while runs write, one in five of which is never read: how much more memory the server needs
 * for them, and how long a list takes meanwhile.
 */
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";

const STREAMS = 500;
const SLOW_EACH = 5;
const SECONDS = 8;

interface Asked {
  readonly pid: number;
  readonly url: string;
  readonly run: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function manyStreams({ pid, url, run, headers }: Asked) {
  const before = memoryOf(pid);
  let heard = 0;
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, async (_, index) => {
      const path = index % 2 === 0 ? "/api/events" : `/api/events?run=${run}`;
      const stream = await opened(`${url}${path}`, headers);
      if (index % SLOW_EACH === 0) stream.pause();
      else stream.on("data", (piece: Buffer) => (heard += piece.length));
      return stream;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  const from = performance.now();
  await (await fetch(`${url}/api/list`, { headers })).arrayBuffer();
  const listMs = performance.now() - from;
  const megabytes = (memoryOf(pid) - before) / 1024;
  for (const stream of streams) stream.destroy();
  return { streams: STREAMS, megabytes, heard, listMs };
}

/** Resident, in kilobytes. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

const opened = (
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const accept = "text/event-stream";
    get(address, { headers: { ...headers, accept }, agent: false }, (response) => {
      response.on("error", () => undefined);
      resolve(response);
    }).on("error", reject);
  });
