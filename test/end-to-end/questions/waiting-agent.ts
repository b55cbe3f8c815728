/**
 * A plan for an agent that speaks the Agent Client Protocol, asks to install something and does its work only if it may;
 * and what it was told: the prompt and the answer, once for each attempt.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../cli/command.ts";
import type { Repository } from "../run/repository.ts";
import { planFile } from "../run/runs.ts";

interface Heard {
  readonly words: string;
  /** The option that it was answered with: `go` or `stop`. */
  readonly heard: string;
}

export function waitingAgent(here: Repository, more: readonly string[] = []) {
  const file = join(here.path, "..", "heard.jsonl");
  const program = join(ROOT, "test", "agents", "acp", "acp-agent.ts");
  const command = `env FAKE_TURN=install "FAKE_HEARD=${file}" "${process.execPath}" "${program}"`;
  const subtasks = ["id: goal, prompt: make it 2, checks: [sh check.sh]"];
  const plan = planFile(here, "", subtasks, [
    ...["grounding: false", "models: [{ agent: mine, tier: 1 }]", ...more],
    `agents: { mine: { adapter: acp, command: ${JSON.stringify(command)} } }`,
  ]);
  writeFileSync(plan, readFileSync(plan, "utf8").replace(/^agent: .*\n/, ""));
  const heard = (): readonly Heard[] =>
    (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []).map(
      (line) => JSON.parse(line) as Heard,
    );
  return { plan, heard };
}
