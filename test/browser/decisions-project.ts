/**
 * A run that asks a person in every way there is, one question a subtask: in words, by hand, for a command that was
 * refused, for a budget, to skip; and one that is never answered. Each subtask wants a 2 in a file of its own name.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claudeLines, says } from "../end-to-end/questions/typed-agent.ts";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import type { Script, ScriptedAttempt } from "../../src/testing/scripted-agent.ts";

export const WORDS = "Write a 2, no 3, and say why <b>not</b>";
/** What the agent of each of them is refused. */
export const COMMANDS = { once: "npm install left-pad", whole: "npm install right-pad" };

export interface AskingProject {
  readonly here: Repository;
  readonly plan: string;
  /** The `--agent` words of a goal whose first attempt goes on until it is stopped. */
  readonly goalAgent: string;
  /** The arguments of each start of the agent that is refused a command. */
  readonly starts: (subtask: string) => readonly string[];
}

const SUBTASKS = ["words", "hands", "once", "whole", "money", "drop", "left"];

const LOST: ScriptedAttempt = { error: "Error: the gate said no to us", exit: 1 };
const right = (name: string, more: Partial<ScriptedAttempt> = {}): ScriptedAttempt => ({
  ...{ write: { [`${name}.txt`]: "2\n" }, print: "done", ...more },
});

/** What Claude Code prints when its gate refuses a command. */
function refusedLines(command: string): string {
  const input = { command };
  const call = { type: "tool_use", id: "t1", name: "Bash", input };
  const content = "This command requires approval";
  const result = { type: "tool_result", tool_use_id: "t1", is_error: true, content };
  const denial = { tool_name: "Bash", tool_use_id: "t1", tool_input: input };
  return lines(
    claudeLines([call, result, says("I tried.")], { result: { permission_denials: [denial] } }),
  );
}
const lines = (all: readonly unknown[]): string =>
  all.map((line) => JSON.stringify(line)).join("\n");

export function askingProject(): AskingProject {
  const files = Object.fromEntries(
    [...SUBTASKS, "goal"].map((name) => [`${name}.txt`, "1\n"] as const),
  );
  const here = repository({ ...files, "check.sh": 'grep -q "^2$" $1.txt\n' });
  const folder = join(here.path, "..");
  const kept = (subtask: string): string => join(folder, `starts-${subtask}`);
  /** Keeps the command line that the agent was started with. */
  const keeps = (subtask: string) => [
    [
      "sh",
      "-c",
      `tr '\\0' ' ' < /proc/$PPID/cmdline >> "${kept(subtask)}"; echo >> "${kept(subtask)}"`,
    ],
  ];
  const refused = (name: keyof typeof COMMANDS): readonly ScriptedAttempt[] => [
    { run: keeps(name), print: refusedLines(COMMANDS[name]) },
    right(name, { run: keeps(name), print: lines(claudeLines([says("done")])) }),
  ];
  const script: Script = {
    words: [LOST, right("words", { expectPrompt: WORDS })],
    hands: [LOST],
    once: refused("once"),
    whole: refused("whole"),
    money: [{ print: "hm" }, right("money")],
    drop: [LOST],
    left: [LOST],
    goal: [{ print: "reading", hang: true }, right("goal")],
  };
  const command = here.agent(script);
  const checks = (id: string): string[] => [`sh check.sh ${id}`];
  const plan = JSON.stringify({
    goal: "Ask in every way there is",
    ...{ agent: "plain", grounding: false, policy: "hierarchical", concurrency: 3 },
    agents: {
      plain: { command },
      gated: { adapter: "claude", command: command.replace(" {prompt}", "") },
    },
    models: [
      { agent: "plain", tier: 1 },
      { agent: "gated", tier: 2 },
    ],
    subtasks: SUBTASKS.map((id) => ({
      ...{ id, prompt: `Write a 2 into ${id}.txt`, checks: checks(id) },
      ...(id in COMMANDS ? { tier: 2 } : {}),
      ...(id === "money" ? { limits: { budget: { attempts: 1 } } } : {}),
    })),
  });
  return {
    ...{ here, plan, goalAgent: command },
    starts: (subtask) =>
      existsSync(kept(subtask)) ? readFileSync(kept(subtask), "utf8").trimEnd().split("\n") : [],
  };
}
