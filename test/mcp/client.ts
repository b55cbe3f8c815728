/** A raw client of the MCP server: lines in, lines out, over the pipes of a real process. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LAUNCHER } from "../cli/command.ts";

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Client {
  readonly folder: string;
  send(line: string): void;
  /** The next message, whatever it answers. */
  next(): Promise<Message>;
  ask(method: string, params?: object): Promise<Message>;
  end(): Promise<number | null>;
}

/** The server ends in order when the body is done. `version` "": without the handshake. */
export async function withServer(
  body: (client: Client) => Promise<void>,
  version: string | undefined = "2025-06-18",
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-mcp-"));
  const { UNSTUCK_SUBTASK: _, UNSTUCK_RUN: __, ...env } = process.env;
  const child = spawn(process.execPath, [LAUNCHER, "mcp"], {
    ...{ cwd: folder, stdio: ["pipe", "pipe", "inherit"] },
    env: { ...env, NODE_OPTIONS: "", UNSTUCK_HOME: join(folder, "state") },
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const waiting: ((message: Message) => void)[] = [];
  const come: Message[] = [];
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      const taker = waiting.shift();
      if (taker === undefined) come.push(message);
      else taker(message);
    }
  });
  let id = 0;
  const client: Client = {
    folder,
    send: (line) => void child.stdin?.write(`${line}\n`),
    next: () => {
      const message = come.shift();
      return message === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(message);
    },
    async ask(method, params = {}) {
      id += 1;
      client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      const message = await client.next();
      assert.equal(message.id, id);
      return message;
    },
    end: () => (child.stdin?.end(), ended),
  };
  try {
    if (version !== "") await client.ask("initialize", { protocolVersion: version });
    await body(client);
    assert.equal(await client.end(), 0, "ends in order when the client is gone");
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

export const call = async (
  client: Client,
  name: string,
  args: object,
): Promise<Record<string, unknown>> => {
  const { result, error } = await client.ask("tools/call", { name, arguments: args });
  assert.equal(error, undefined);
  return result ?? {};
};

export const words = (result: Record<string, unknown>): string =>
  (result["content"] as { text: string }[]).map(({ text }) => text).join("\n");
