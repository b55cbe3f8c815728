/**
 * What the scripted model does: scenarios as data. Types and small constructors only. A scenario chooses the turn that
 * answers each request of a run; each API formats the turn for its provider.
 */
import type { Fault } from "./faults.ts";

/** Token counts that a reply reports. */
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
  /** A call to the shell tool, under whatever name and arguments the agent declared it. */
  | { readonly kind: "shell"; readonly command: string; readonly text?: string }
  /** A call to the tool that writes a file, or to the shell if the agent has no such tool. */
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | {
      readonly kind: "fault";
      readonly fault: Fault;
      /** In seconds: sent as the Retry-After header, and in the text if the provider does so. */
      readonly retryAfter?: number;
    }
  | { readonly kind: "http"; readonly status: number; readonly body: string }
  /** A stream that starts and then ends early, is reset, or goes silent. */
  | { readonly kind: "broken"; readonly how: "truncated" | "reset" | "silent" }
  /** No response at all, however long the client waits. */
  | { readonly kind: "silent" };

/** One request to the model, independent of the API it came through. */
export interface ModelRequest {
  /** Counts the run's requests from 1, without auxiliary ones. */
  readonly number: number;
  readonly at: number;
  /** The API it came through. */
  readonly api: "anthropic" | "responses" | "chat" | "gemini";
  readonly model: string;
  /** A request for a title or the like, which declares no tool that could do the work. Only with `forAgents`. */
  readonly auxiliary: boolean;
  /** The user messages, oldest first; agents add text of their own here. */
  readonly user: readonly string[];
  /** Results of tool calls in the conversation so far, oldest first. */
  readonly results: readonly string[];
  readonly body: unknown;
}

/**
 * `request`: the n-th request of the run gets the n-th turn. `result`: the number of tool results in the conversation
 * selects the turn, so every new session starts at the first. The last turn is repeated.
 */
export type Scenario =
  | { readonly by: "request" | "result"; readonly turns: readonly [Turn, ...Turn[]] }
  | ((request: ModelRequest) => Turn);

export const say = (text: string, usage?: TurnUsage): SayTurn => ({
  kind: "say",
  text,
  ...(usage === undefined ? {} : { usage }),
});

/** `text` is the message before the call. */
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
