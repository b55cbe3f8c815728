/**
 * What a scenario of a night is: what the repository holds, what the scripted model does, and which ends are right.
 * Scenarios are data; Unstuck and the plain loop get the same repository, the same model and the same time.
 */
import type { ModelRequest, Turn } from "../../src/testing/model-server/scenario.ts";

export type OvernightAgent = "claude" | "codex";

/** How long things take, in seconds: a night in small, or in full. */
export interface Scale {
  /** What a server asks to wait for. */
  readonly wait: number;
  /** How long a service is down. */
  readonly outage: number;
  /** How long an agent or a check may be silent. */
  readonly patience: number;
  /** How long the plain loop lets its agent work at a time, how often, and how long in all. */
  readonly loop: { readonly turn: number; readonly turns: number; readonly total: number };
  /** Unstuck is given up on after this. */
  readonly total: number;
}

/** What the model is asked, and what it remembers of what it was asked before. */
export interface Asked {
  readonly request: ModelRequest;
  /** Whose prompt the conversation holds. */
  readonly subtask: string;
  /** Counts the times somebody began or went on, from 1; a model's last word ends each of them. */
  readonly start: number;
  /** Results of tools since that start. */
  readonly step: number;
  /** All the words of people in the conversation. */
  readonly told: string;
  /** Since the first request. */
  readonly seconds: number;
  /** Ends, as `kill -9` does, the agent or whoever started it. */
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
  /** `short`: nothing to recover from, or over soon: bound in time and requests as well. `none`: only has to end right. */
  readonly bar?: "short" | "conflict" | "none";
  /** Also run in the small form. */
  readonly small?: true;
  readonly agents?: readonly OvernightAgent[];
  /** Exit codes of `unstuck run` that are right here; 0 where it does not say. */
  readonly ends?: readonly number[];
  /** Beside the usual ones. */
  readonly files?: Readonly<Record<string, string>>;
  /** One subtask with the usual check where it does not say. */
  readonly subtasks?: readonly Subtask[];
  /** Unstuck has the repository looked at first. */
  readonly grounding?: true;
  /** More for the plan. */
  readonly plan?: (scale: Scale, agent: OvernightAgent) => object;
  /** The plain loop's model, where the plan has several. */
  readonly model?: Readonly<Record<OvernightAgent, string>>;
  /** The agent may do only what the gate of the agent lets through. */
  readonly gated?: true;
  /** Made anew for each run. */
  readonly script: (scale: Scale) => Script;
}

export const CHECK = "sh check.sh";

export const USUAL_FILES: Readonly<Record<string, string>> = {
  "value.txt": "1\n",
  "README.md": "A value.\n",
  "check.sh":
    'grep -q "^2$" value.txt && exit 0\necho "FAIL: the value is $(cat value.txt), it should be 2"\nexit 1\n',
};

/** The user's own, not committed: whatever happens in the night, it is there in the morning. */
export const USERS_FILES: Readonly<Record<string, string>> = {
  "README.md": "A value. My own words, not committed yet.\n",
  "notes.txt": "My notes.\n",
};

export const subtasksOf = ({ subtasks }: NightScenario): readonly Subtask[] =>
  subtasks ?? [{ id: "value", prompt: "Make value.txt hold 2.", check: CHECK }];
