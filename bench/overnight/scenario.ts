/**
 * A night's scenario: the repository's contents, what the scripted model does, and which ends are right. Scenarios are
 * data; Unstuck and the plain loop get the same repository, the same model and the same time.
 */
import type { ModelRequest, Turn } from "../../src/testing/model-server/scenario.ts";

export type OvernightAgent = "claude" | "codex";

/** How long things take, in seconds: in a small night, or a full one. */
export interface Scale {
  /** The wait a server asks for. */
  readonly wait: number;
  /** How long a service is down. */
  readonly outage: number;
  /** How long an agent or a check may be silent. */
  readonly patience: number;
  /** How long the plain loop lets its agent work at a time, how often, and in total. */
  readonly loop: { readonly turn: number; readonly turns: number; readonly total: number };
  /** Unstuck is stopped after this. */
  readonly total: number;
}

/** A request to the model, and what it remembers of earlier ones. */
export interface Asked {
  readonly request: ModelRequest;
  /** The subtask whose prompt is in the conversation. */
  readonly subtask: string;
  /** Counts starts and resumptions, from 1; a model's last word ends each of them. */
  readonly start: number;
  /** Tool results since that start. */
  readonly step: number;
  /** All user messages in the conversation. */
  readonly told: string;
  /** Since the first request. */
  readonly seconds: number;
  /** Kills the agent or its supervisor, like `kill -9`. */
  kill(whom: "agent" | "supervisor"): void;
}

export type Script = (asked: Asked) => Turn;

export interface Subtask {
  readonly id: string;
  readonly prompt: string;
  readonly check: string;
}

export interface NightScenario {
  readonly name: string;
  /** For a person who reads the table. */
  readonly what: string;
  /**
   * `short`: nothing to recover from, or over soon, so time and requests are limited too. `none`: only has to end
   * right.
   */
  readonly bar?: "short" | "conflict" | "none";
  /** Also part of the small night. */
  readonly small?: true;
  readonly agents?: readonly OvernightAgent[];
  /** The exit codes of `unstuck run` that are right here; default: 0. */
  readonly ends?: readonly number[];
  /** Besides the usual ones. */
  readonly files?: Readonly<Record<string, string>>;
  /** Default: one subtask with the usual check. */
  readonly subtasks?: readonly Subtask[];
  /** Unstuck starts with a grounding subtask. */
  readonly grounding?: true;
  /** Additions to the plan. */
  readonly plan?: (scale: Scale, agent: OvernightAgent) => object;
  /** The plain loop's model, if the plan has several. */
  readonly model?: Readonly<Record<OvernightAgent, string>>;
  /** The agent may do only what its own gate allows. */
  readonly gated?: true;
  /** Created anew for each run. */
  readonly script: (scale: Scale) => Script;
}

export const CHECK = "sh check.sh";

export const USUAL_FILES: Readonly<Record<string, string>> = {
  "value.txt": "1\n",
  "README.md": "A value.\n",
  "check.sh":
    'grep -q "^2$" value.txt && exit 0\necho "FAIL: the value is $(cat value.txt), it should be 2"\nexit 1\n',
};

/** The user's own uncommitted files: they must survive the night. */
export const USERS_FILES: Readonly<Record<string, string>> = {
  "README.md": "A value. My own words, not committed yet.\n",
  "notes.txt": "My notes.\n",
};

export const subtasksOf = ({ subtasks }: NightScenario): readonly Subtask[] =>
  subtasks ?? [{ id: "value", prompt: "Make value.txt hold 2.", check: CHECK }];
