/**
 * What the scripted model does: scenarios as data. Types and small makers only. A scenario says for each request
 * of a run which turn answers it; each API puts a turn into its provider's words.
 */
import type { Fault } from "./faults.ts";

/** Tokens a reply says it cost. */
export interface TurnUsage {
  readonly input: number;
  readonly output: number;
}

export interface SayTurn {
  readonly kind: "say";
  readonly text: string;
  readonly usage?: TurnUsage;
}

export type Turn =
  | SayTurn
  /** A call of the shell tool, under whatever name and arguments the agent declared it. */
  | { readonly kind: "shell"; readonly command: string; readonly text?: string }
  /** A call of the tool that writes a file; of the shell, where the agent has no other. */
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | {
      readonly kind: "fault";
      readonly fault: Fault;
      /** Seconds: the Retry-After header, and words where the provider has them. */
      readonly retryAfter?: number;
    }
  | { readonly kind: "http"; readonly status: number; readonly body: string }
  /** A stream that begins and then ends early, is reset, or goes silent. */
  | { readonly kind: "broken"; readonly how: "truncated" | "reset" | "silent" }
  /** Not one byte, for as long as the client waits. */
  | { readonly kind: "silent" };

/** What one request to the model held, whatever API it came by. */
export interface ModelRequest {
  /** Counts the run's requests from 1, without auxiliary ones. */
  readonly number: number;
  readonly at: number;
  /** The API it came by. */
  readonly api: "anthropic" | "responses" | "chat" | "gemini";
  readonly model: string;
  /** A title maker or the like: no tool is declared that could do the work. Only of a server `forAgents`. */
  readonly auxiliary: boolean;
  /** What the user said, oldest first; agents add words of their own here. */
  readonly user: readonly string[];
  /** Results of tool calls in the conversation so far, oldest first. */
  readonly results: readonly string[];
  readonly body: unknown;
}

/**
 * `request`: the n-th request of the run gets the n-th turn. `result`: the number of tool results in the conversation picks
 * the turn, so that every new session begins at the first. The last turn is repeated.
 */
export type Scenario =
  | { readonly by: "request" | "result"; readonly turns: readonly [Turn, ...Turn[]] }
  | ((request: ModelRequest) => Turn);

export const say = (text: string, usage?: TurnUsage): SayTurn => ({
  kind: "say",
  text,
  ...(usage === undefined ? {} : { usage }),
});

/** `text` is said before the call. */
export const shell = (command: string, text = ""): Turn => ({ kind: "shell", command, text });

export const write = (path: string, text: string): Turn => ({ kind: "write", path, text });

export const fault = (name: Fault, retryAfter?: number): Turn => ({
  kind: "fault",
  fault: name,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

export function turnFor(scenario: Scenario, request: ModelRequest): Turn {
  if (typeof scenario === "function") return scenario(request);
  const index = scenario.by === "request" ? request.number - 1 : request.results.length;
  return scenario.turns[Math.min(index, scenario.turns.length - 1)] ?? scenario.turns[0];
}
