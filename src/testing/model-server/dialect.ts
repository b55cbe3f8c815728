/** What each API gives the server: reading of a request, and the words for a reply or an error. */
import type { Fields } from "./json.ts";
import type { Fault, ModelRequest, TurnUsage } from "./scenario.ts";
import type { Wire } from "./wire.ts";

export interface DeclaredTool {
  readonly name: string;
  readonly schema: Fields;
  /** OpenAI Responses: a tool within a group of tools, or one that takes plain text. */
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
  /** In place of `args`, for a tool that takes plain text. */
  readonly input?: string;
}

export interface Reply {
  /** Unique within the server. */
  readonly id: string;
  readonly model: string;
  readonly stream: boolean;
  readonly usage: TurnUsage;
  /** Empty where it only calls. */
  readonly text: string;
  readonly call?: ToolCall;
}

export interface Dialect {
  read(body: Fields, path: string): Conversation;
  reply(reply: Reply): Wire;
  fault(fault: Fault, model: string, retryAfter: number): Wire;
}
