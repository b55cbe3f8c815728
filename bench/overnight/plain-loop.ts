/**
 * The plain loop that people write: the agent, the check, and the check's output back to the agent, with limits for the
 * time of a turn and the number of turns. A separate program, so that it can be killed. Exits 0 when all checks pass.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { OvernightAgent, Subtask } from "./scenario.ts";

interface Order {
  readonly agent: OvernightAgent;
  readonly subtasks: readonly Subtask[];
  readonly gated: boolean;
  readonly model?: string;
  readonly turn: number;
  readonly turns: number;
  readonly total: number;
}

const MAX_TOLD = 8000;
const [, , file = ""] = process.argv;
const order = JSON.parse(readFileSync(file, "utf8")) as Order;
const COMMANDS: Readonly<Record<OvernightAgent, (goesOn: boolean) => readonly string[]>> = {
  claude: (goesOn) => [
    "-p",
    ...(order.gated
      ? ["--permission-mode", "acceptEdits"]
      : ["--permission-mode", "bypassPermissions"]),
    ...(order.model === undefined ? [] : ["--model", order.model]),
    ...(goesOn ? ["--continue"] : []),
  ],
  codex: (goesOn) => [
    "exec",
    ...(goesOn ? ["resume"] : []),
    "--skip-git-repo-check",
    ...(order.gated ? [] : ["--dangerously-bypass-approvals-and-sandbox"]),
    ...(order.model === undefined ? [] : ["-m", order.model]),
    ...(goesOn ? ["--last"] : []),
    "-",
  ],
};

const started = Date.now();
/** For a turn, or what is left of the night. */
const leftMs = (): number => Math.min(order.turn * 1000, started + order.total * 1000 - Date.now());

process.exitCode = order.subtasks.every(solved) ? 0 : 1;

function solved({ prompt, check }: Subtask): boolean {
  let input = prompt;
  for (let turn = 0; turn < order.turns && leftMs() > 0; turn += 1) {
    spawnSync(order.agent, COMMANDS[order.agent](turn > 0), {
      input,
      timeout: Math.max(1000, leftMs()),
      stdio: ["pipe", "inherit", "inherit"],
    });
    const { status, stdout, stderr } = spawnSync(check, {
      shell: true,
      encoding: "utf8",
      timeout: Math.max(1000, leftMs()),
      maxBuffer: 1e8,
    });
    if (status === 0) return true;
    const said = `${stdout}${stderr}`.slice(-MAX_TOLD);
    input = `The check \`${check}\` failed. Fix it.\n\n${said}`;
  }
  return false;
}
