// Shared by the tests of the acp adapter: its side of a conversation, in this process, with an agent that is made of answers.
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { acp } from "../../../src/agents/acp/agent.ts";
import type { Conversation } from "../../../src/agents/agent.ts";
import type { Fields } from "../../../src/agents/output/json.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";

export const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "do it",
  checks: ["npm test"],
  cwd: "/w/tree",
  folder: "/f",
  env: {},
  limits: {},
};

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Talking {
  readonly talk: Conversation;
  /** Everything it has said so far. */
  readonly said: readonly Message[];
  isOver(): boolean;
  readonly hear: (line: unknown) => Promise<void>;
}

/** Until everything that is on its way has arrived. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

export async function talking(more: Partial<AgentRequest> = {}): Promise<Talking> {
  const said: Message[] = [];
  let over = false;
  const talk = await acp.driver?.converse?.({ ...REQUEST, ...more }, (reply) => {
    said.push(...((reply.send ?? []) as readonly Message[]));
    over ||= reply.hangUp === true;
  });
  assert.ok(talk !== undefined);
  await quiet();
  return {
    talk,
    said,
    isOver: () => over,
    async hear(line) {
      talk.onLine(line as Fields);
      await quiet();
    },
  };
}

/** What the agent answers to a method: the rest of the message, or nothing at all. */
export type Answers = Readonly<Record<string, Fields | undefined>>;

export const OPENED: Answers = {
  initialize: { result: { protocolVersion: 1, agentCapabilities: {} } },
  "session/new": { result: { sessionId: "a-1" } },
};
export const DONE: Answers = { "session/prompt": { result: { stopReason: "end_turn" } } };

/** Answers whatever is asked, until something has no answer; gives all requests. */
export async function converse(
  { said, hear }: Talking,
  answers: Answers,
): Promise<readonly Message[]> {
  for (let at = 0; at < said.length; at += 1) {
    const { id, method = "" } = said[at] ?? {};
    const answer = answers[method];
    if (answer === undefined) continue;
    await hear({ jsonrpc: "2.0", id, ...answer });
  }
  return said.filter(({ method }) => method !== undefined);
}

export const methodsOf = (messages: readonly Message[]): readonly (string | undefined)[] =>
  messages.map(({ method }) => method);
