/**
 * What an agent is to Unstuck: one descriptor in its own folder, listed in `registry.ts`, with everything known about
 * that agent; code common to all agents is outside those folders. Invariants: a descriptor translates, it never
 * decides; every command in a profile is a constant that may be shown to a person or run on request.
 */
import type { Refusal } from "../core/agent-words/refusal.ts";
import type { AgentRequest } from "../runtime/ports-agent.ts";
import type { KnownTools } from "./hooks/known-tools.ts";
import type { Dialect } from "./hooks/hook-event.ts";
import type { HookTarget, TargetPlace } from "./hooks/hook-target.ts";
import type { OutputFormat } from "./output/format.ts";
import type { Fields } from "./output/json.ts";

export interface AgentDescriptor {
  readonly name: string;
  /** Absent if it has no program of its own: then the plan gives the command. */
  readonly profile?: AgentProfile;
  /** Absent for a plain command, whose format is detected from its first line. */
  readonly output?: OutputFormat;
  /** Absent for a plain command. */
  readonly driver?: Driver;
  /** Drives versions older than those the driver needs. */
  readonly older?: { readonly below: string; readonly driver: Driver };
  /** Its output includes its version, so there is no need to ask. */
  readonly tellsVersion?: true;
  readonly hooks?: AgentHooks;
  /** For a first plan, weakest first: only models with lasting names. Without it, the agent's own default at tier 2. */
  readonly models?: readonly { readonly model: string; readonly tier: number }[];
}

type AgentFeature =
  /** Typed events: errors, usage and the final answer are read, not guessed. */
  | "typed-output"
  | "reports-cost"
  | "reports-tokens"
  | "resume"
  /** Accepts messages while it works. */
  | "steer"
  | "thinking"
  | "caps-cost"
  /** Can be restricted to editing the worktree; without this feature an agent always runs ungated. */
  | "least-permissions"
  | "hooks"
  | "mcp";

/** How to install it, log in and ask for its version: data only. */
export interface AgentProfile {
  readonly title: string;
  readonly binary: string;
  /** The arguments that make the program print its version; the first `1.2.3` counts. */
  readonly versionArgs: readonly string[];
  /** Tested from this version (inclusive) to below that one. */
  readonly tested: { readonly from: string; readonly below: string };
  readonly install: string;
  readonly login: string;
  /** Where a person can see the account's credit and limits. */
  readonly account: string;
  /** Environment variables that count as a login; only whether they are set is checked. */
  readonly keyVariables: readonly string[];
  /** Files in the home folder that a login creates; only whether they exist is checked. */
  readonly loginFiles: readonly string[];
  /** Signs of a login that cannot be verified. If absent, it is never certain whether anyone is logged in. */
  readonly otherLogins?: {
    readonly variables: readonly string[];
    /** In the home folder. */
    readonly files: readonly string[];
    /** Platforms on which logins are stored in a keychain. */
    readonly platforms?: readonly NodeJS.Platform[];
  };
  readonly features: readonly AgentFeature[];
}

/** How to start it and talk to it, with the session, model and permissions of a request. */
export interface Driver {
  /** What enforces the limit on turns: the agent itself, or Unstuck by counting them; absent if neither can. */
  readonly turns?: "own" | "counted";
  /** Its token counts cover the whole session, including earlier attempts. */
  readonly countsSession?: true;
  commandLine(request: AgentRequest): CommandLine;
  /**
   * Without it, the prompt is written to standard input. `reply` is for messages that are not an immediate answer to a
   * line; before the agent runs, they are queued.
   */
  converse?(
    request: AgentRequest,
    reply: (reply: Reply) => void,
  ): Conversation | Promise<Conversation>;
}

export interface CommandLine {
  readonly args: readonly string[];
  /** Defaults: the user's environment takes precedence. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written into the attempt's folder before the start, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** For a person. */
  readonly warnings?: readonly string[];
}

/** With an agent that accepts messages while it works, on standard input or through its own channel. */
export interface Conversation {
  readonly opening: readonly unknown[];
  /** Handles one typed line from the agent. */
  onLine(line: Fields): Reply;
  /** Receives everything it prints, as it arrives. */
  onText?(text: string): void;
  /** Returns what to send, or whether it was sent already. Absent if the agent accepts nothing while it works. */
  steer?(text: string): readonly unknown[] | boolean;
  /** The agent is about to be ended; if signals do not reach it, tell it now. */
  stop?(): void;
  /** What the agent requested and was refused. */
  refusals?(): readonly Refusal[];
  /** For a person, once the agent has ended. */
  warnings?(): readonly string[];
  /** The destructive command that it requested and was refused, and what that would do. */
  unsafe?(): string | undefined;
  /** The agent is gone. */
  close?(): void;
}

export interface Reply {
  /** For its standard input: each object is one line of JSON. */
  readonly send?: readonly unknown[];
  /** Messages received other than by standard output: read and recorded as if printed. */
  readonly print?: readonly unknown[];
  /** It is no longer needed: its standard input is closed, and it exits. */
  readonly hangUp?: boolean;
  /** Its work is done but it would never exit: it is ended. */
  readonly end?: boolean;
}

/** The agent's own hooks: their message format, and where they are installed. */
export interface AgentHooks {
  readonly dialect: Dialect;
  /** Its own tools for reading, writing and running: hints may name them. */
  readonly tools: readonly string[];
  /** All known tools of its own with their required arguments: a call that cannot work is refused before it runs. */
  readonly calls?: KnownTools;
  target(place: TargetPlace): HookTarget;
  /** What a person still has to do after installing. */
  readonly afterInstall?: string;
}
