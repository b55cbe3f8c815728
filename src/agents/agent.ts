/**
 * What an agent is to Unstuck: one descriptor, in a folder of its own, listed in `registry.ts`. It holds all that
 * is known of the agent; what is the same for every agent lives beside it. Invariants: a descriptor translates, it
 * never decides; every command in a profile is a constant that a person may be shown or asked to run.
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
  /** Absent where it has no program of its own: a plan gives the command. */
  readonly profile?: AgentProfile;
  /** Absent for a plain command, whose first line tells. */
  readonly output?: OutputFormat;
  /** Absent for a plain command. */
  readonly driver?: Driver;
  /** What drives versions from before those the driver needs. */
  readonly older?: { readonly below: string; readonly driver: Driver };
  /** Its own output tells its version: it need not be asked. */
  readonly tellsVersion?: true;
  readonly hooks?: AgentHooks;
  /** For a first plan, weakest first: only models whose names last; without them, its own choice at tier 2. */
  readonly models?: readonly { readonly model: string; readonly tier: number }[];
}

type AgentFeature =
  /** Typed events: errors, usage and the final answer are read, not guessed. */
  | "typed-output"
  | "reports-cost"
  | "reports-tokens"
  | "resume"
  /** Can be told something while it works. */
  | "steer"
  | "thinking"
  | "caps-cost"
  /** Can be kept to editing the worktree; without it an agent always runs ungated. */
  | "least-permissions"
  | "hooks"
  | "mcp";

/** How to get it, log in and tell its version: data only. */
export interface AgentProfile {
  readonly title: string;
  readonly binary: string;
  /** What asks the program for its version; the first `1.2.3` it prints counts. */
  readonly versionArgs: readonly string[];
  /** Tested from this version on, below that one. */
  readonly tested: { readonly from: string; readonly below: string };
  readonly install: string;
  readonly login: string;
  /** Where a person sees the credit and the limits of its account. */
  readonly account: string;
  /** Environment variables that stand for a login: only whether they are set is looked at. */
  readonly keyVariables: readonly string[];
  /** Files under the home folder that a login leaves: only whether they exist is looked at. */
  readonly loginFiles: readonly string[];
  /** What may stand for a login that cannot be seen. Absent: whether somebody is logged in is never sure. */
  readonly otherLogins?: {
    readonly variables: readonly string[];
    /** Under the home folder. */
    readonly files: readonly string[];
    /** Where logins are kept in a keychain. */
    readonly platforms?: readonly NodeJS.Platform[];
  };
  readonly features: readonly AgentFeature[];
}

/** How it is started and talked to, with the session, model and permissions of a request. */
export interface Driver {
  /** Who keeps it to its turns: it itself, or Unstuck, which counts them; absent: nobody can. */
  readonly turns?: "own" | "counted";
  /** Its token counts are those of the whole session, also of attempts before this one. */
  readonly countsSession?: true;
  commandLine(request: AgentRequest): CommandLine;
  /**
   * Without it the prompt is the content of standard input. `reply` is for what becomes known later than in the
   * line it answers; before the agent runs, it is kept until then.
   */
  converse?(
    request: AgentRequest,
    reply: (reply: Reply) => void,
  ): Conversation | Promise<Conversation>;
}

export interface CommandLine {
  readonly args: readonly string[];
  /** Defaults: what the user's environment has under these names wins. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written into the attempt's folder before the start, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** For a person. */
  readonly warnings?: readonly string[];
}

/** With an agent that listens while it works, on standard input or by a way of its own. */
export interface Conversation {
  readonly opening: readonly unknown[];
  /** One typed line of the agent. */
  onLine(line: Fields): Reply;
  /** Everything it prints, as it comes. */
  onText?(text: string): void;
  /** What to send, or whether it was told already. Absent where it cannot be told anything while it works. */
  steer?(text: string): readonly unknown[] | boolean;
  /** It is being ended; where signals do not reach it, it may be told now. */
  stop?(): void;
  /** What it asked for and was refused. */
  refusals?(): readonly Refusal[];
  /** For a person, once it has ended. */
  warnings?(): readonly string[];
  /** The destructive command that it asked for and was refused, and what it would do. */
  unsafe?(): string | undefined;
  /** The agent is gone. */
  close?(): void;
}

export interface Reply {
  /** For its standard input: each object is one line of JSON. */
  readonly send?: readonly unknown[];
  /** What it told by another way than standard output: read and recorded as if printed. */
  readonly print?: readonly unknown[];
  /** It is not needed any more: its standard input is closed, and it leaves. */
  readonly hangUp?: boolean;
  /** Its work is over and it would stay for ever: it is ended. */
  readonly end?: boolean;
}

/** The agent's own hooks: how they speak, and where they are installed. */
export interface AgentHooks {
  readonly dialect: Dialect;
  /** Its own tools that read, write and run things: what a hint may name. */
  readonly tools: readonly string[];
  /** All of its own tools that are known, with what they need: a call that cannot work is refused before it runs. */
  readonly calls?: KnownTools;
  target(place: TargetPlace): HookTarget;
  /** What a person still has to do after installing. */
  readonly afterInstall?: string;
}
