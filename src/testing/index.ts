/**
 * `unstuck/testing`: stand-ins for what a test should not pay for. A model server that answers from a script, in the
 * words of the real APIs; and an agent that does what a script says, as a real process.
 */
import { fileURLToPath } from "node:url";

export { startModelServer } from "./model-server/server.ts";
export type { ModelServer, ModelServerOptions } from "./model-server/server.ts";
export { fault, say, shell, write } from "./model-server/scenario.ts";
export type { ModelRequest, Scenario, Turn, TurnUsage } from "./model-server/scenario.ts";
export type { Fault } from "./model-server/faults.ts";
export type { Script, ScriptedAttempt } from "./scripted-agent.ts";

/**
 * The command line of the scripted agent, for an agent of a plan that is a plain `command`.
 * @param scriptFile A JSON file of type `Script`: for each subtask, what its attempts do.
 */
export function scriptedAgentCommand(scriptFile: string): string {
  const program = import.meta.url.endsWith(".ts") ? "./scripted-agent.ts" : "./scripted-agent.js";
  const file = fileURLToPath(new URL(program, import.meta.url));
  return `"${process.execPath}" "${file}" "${scriptFile}" {prompt}`;
}
