/**
 * HTTP with the server of one attempt. Invariants: every request carries the attempt's password; answers are
 * bounded; after `close` no connection is left and none is made. No time limit here: a turn takes as long as it
 * takes, and the watchdog watches.
 */
import type { ClientRequest, IncomingMessage } from "node:http";
import { parseFields } from "../output/json.ts";
import type { Fields } from "../output/json.ts";
import { createLineSplitter } from "../output/lines.ts";

export interface Answer {
  readonly status: number;
  /** Its beginning. */
  readonly text: string;
}

export interface Wire {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** Settles when the stream of events has begun. */
  follow(path: string, onEvent: (event: Fields) => void): Promise<void>;
  closed(): boolean;
  close(): void;
}

const MAX_ANSWER = 256 * 1024;
const DATA = "data:";

export function createWire(
  address: string,
  { user, password }: { readonly user: string; readonly password: string },
): Wire {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const open = new Set<ClientRequest>();
  let closed = false;
  const send = (method: string, path: string, body?: unknown): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (closed) throw new Error("the attempt is over");
      const headers = { authorization, "content-type": "application/json" };
      // Not imported: to load it takes longer than all else that a run of another agent begins with.
      const { request } = process.getBuiltinModule("node:http");
      const sent = request(`${address}${path}`, { method, headers, agent: false }, resolve);
      open.add(sent);
      sent.on("error", reject);
      sent.on("close", () => open.delete(sent));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    get: async (path) => read(await send("GET", path)),
    post: async (path, body) => read(await send("POST", path, body)),
    async follow(path, onEvent) {
      const stream = await send("GET", path);
      if (stream.statusCode !== 200) throw new Error(`${path} answered ${stream.statusCode}`);
      const lines = createLineSplitter();
      stream.on("error", () => undefined);
      stream.on("data", (chunk: Buffer) => {
        for (const line of lines.push(chunk)) {
          const event = line?.startsWith(DATA) === true && parseFields(line.slice(DATA.length));
          if (event) onEvent(event);
        }
      });
    },
    closed: () => closed,
    close() {
      closed = true;
      for (const sent of open) sent.destroy();
    },
  };
}

async function read(answer: IncomingMessage): Promise<Answer> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8"))
    if (text.length < MAX_ANSWER) text += chunk as string;
  return { status: answer.statusCode ?? 0, text };
}
