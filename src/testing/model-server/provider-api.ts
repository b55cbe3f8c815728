/**
 * What an API implements for the server: reading a request and formatting a reply. Also the small readers and writers
 * that APIs share. Foreign JSON is read step by step, and a value of the wrong type reads as empty.
 */
import type { ModelRequest, TurnUsage } from "./scenario.ts";

export interface DeclaredTool {
  readonly name: string;
  readonly schema: Fields;
  /** OpenAI Responses: a tool in a group of tools, or one that takes plain text. */
  readonly group?: string;
  readonly freeText?: boolean;
}

export type Conversation = Pick<ModelRequest, "model" | "user" | "results"> & {
  readonly tools: readonly DeclaredTool[];
  readonly stream: boolean;
};

export interface ToolCall {
  readonly tool: DeclaredTool;
  readonly args: Fields;
  /** Replaces `args` for a tool that takes plain text. */
  readonly input?: string;
}

export interface Reply {
  /** Unique within the server. */
  readonly id: string;
  readonly model: string;
  readonly stream: boolean;
  readonly usage: TurnUsage;
  /** Empty if the reply is only a call. */
  readonly text: string;
  readonly call?: ToolCall;
}

export interface ProviderApi {
  readonly name: ModelRequest["api"];
  /** The end of its path. */
  readonly path: RegExp;
  read(body: Fields, path: string): Conversation;
  reply(reply: Reply): WireResponse;
}

export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const records = (value: unknown): readonly Fields[] => list(value).map(fields);

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text of a message's content: a string, or a list of parts, some with text. */
export const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : records(content)
        .map(({ text }) => stringOf(text))
        .filter((text) => text !== "")
        .join("\n");

/** What is sent for one reply, in two parts, so that a broken stream sends only the first. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly opening: readonly string[];
  readonly closing: readonly string[];
}

/** One server-sent event; OpenAI chat and Gemini omit the name. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** One with its type both as name and in the data, as Anthropic and OpenAI responses send it. */
export const typed = (type: string, more: object): string => event({ type, ...more }, type);

/** A broken stream stops before its last few events. */
export const streamed = (events: readonly string[], last: number): WireResponse => ({
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  opening: events.slice(0, -last),
  closing: events.slice(-last),
});

export function whole(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  const text = JSON.stringify(value);
  const half = Math.ceil(text.length / 2);
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    opening: [text.slice(0, half)],
    closing: [text.slice(half)],
  };
}
