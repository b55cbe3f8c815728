/** `unstuck serve` as a process of its own beside a repository, a typed client of it, and its event streams. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "../../../schemas/openapi.d.ts";
import { LAUNCHER, QUICK } from "../../cli/command.ts";
import type { Repository } from "../run/repository.ts";

export interface Served {
  readonly url: string;
  /** As the terminal shows it. */
  readonly link: string;
  /** Its exit code. */
  readonly stop: () => Promise<number | null>;
}

export async function serve(
  here: Repository,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(process.execPath, [...QUICK, LAUNCHER, "serve", "--port", "0", "--json"], {
    cwd: here.path,
    env: { ...process.env, ...here.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
  });
  const { url, link } = JSON.parse(line) as { url: string; link: string };
  const stop = (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, link, stop };
}

export const clientOf = (url: string, token: string): Client<paths> =>
  createClient<paths>({
    baseUrl: url,
    headers: { authorization: `Bearer ${token}` },
  });

export interface StreamEvent {
  readonly event: string;
  readonly id?: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a stream sends, until `isEnough` says so or the server ends it. */
export async function eventsFrom(
  address: string,
  headers: Readonly<Record<string, string>>,
  isEnough: (event: StreamEvent) => boolean = () => false,
): Promise<readonly StreamEvent[]> {
  const response = await fetch(address, { headers: { accept: "text/event-stream", ...headers } });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const events: StreamEvent[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const event of blocks.flatMap(eventOf)) {
      events.push(event);
      // Leaving the loop closes the stream.
      if (isEnough(event)) return events;
    }
  }
  return events;
}

function eventOf(block: string): readonly StreamEvent[] {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const event = fields.get("event");
  if (event === undefined) return [];
  const id = fields.get("id");
  const data = JSON.parse(fields.get("data") ?? "{}") as StreamEvent["data"];
  return [{ event, data, ...(id === undefined ? {} : { id: Number(id) }) }];
}
