/**
 * As much of ntfy as matters here, on loopback: what is published as JSON is kept for the phone, what is posted to a
 * topic is kept and told to whoever listens there as lines of JSON, also what came before they did.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Tap {
  readonly action: string;
  readonly label: string;
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

export interface OnPhone {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly actions: readonly Tap[];
}

export interface SmallNtfy {
  readonly url: string;
  /** What the phone shows, oldest first. */
  readonly phone: OnPhone[];
  /** How many listen now. */
  readonly listeners: () => number;
  /** How often somebody began to. */
  readonly begun: () => number;
  /** What is asked of it from now on gets this answer; 200: it works. */
  status: number;
  /** Breaks off every stream. */
  readonly hangUp: () => void;
  readonly close: () => Promise<void>;
}

interface Kept {
  readonly id: string;
  readonly topic: string;
  readonly event: "message";
  readonly message: string;
}

export async function smallNtfy(): Promise<SmallNtfy> {
  const phone: OnPhone[] = [];
  const kept: Kept[] = [];
  const streams = new Map<ServerResponse, string>();
  let begun = 0;
  const tell = (to: ServerResponse, line: object): boolean => to.write(`${JSON.stringify(line)}\n`);

  const publish = (topic: string, message: string): void => {
    const one = { id: `m${kept.length}`, topic, event: "message", message } as const;
    kept.push(one);
    for (const [stream, of] of streams) if (of === topic) tell(stream, one);
  };
  const listen = (request: IncomingMessage, response: ServerResponse, topic: string): void => {
    const query = new URL(request.url ?? "", "http://x").searchParams;
    const from = kept.findIndex(({ id }) => id === query.get("since"));
    begun += 1;
    tell(response, { id: "o", event: "open", topic });
    for (const one of kept.slice(from + 1)) if (one.topic === topic) tell(response, one);
    if (query.has("poll")) return void response.end();
    streams.set(response, topic);
    response.on("close", () => streams.delete(response));
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      response.writeHead(ntfy.status);
      if (ntfy.status !== 200) return void response.end();
      const [, topic = "", way] = (request.url ?? "").split(/[/?]/);
      if (request.method === "GET" && way === "json") return listen(request, response, topic);
      if (topic === "") phone.push(JSON.parse(body) as OnPhone);
      else publish(topic, body);
      response.end("{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const ntfy: SmallNtfy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ phone, status: 200, listeners: () => streams.size, begun: () => begun },
    hangUp: () => streams.forEach((_, stream) => void stream.destroy()),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return ntfy;
}
