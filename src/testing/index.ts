/**
 * `unstuck/testing`: stand-ins for what is too expensive or unreliable in tests. A model server that gives scripted
 * answers in the format of the real APIs, and an agent that follows a script, as a real process.
 */
import { fileURLToPath } from "node:url";

export { startModelServer } from "./model-server/server.ts";
export type { ModelServer, ModelServerOptions } from "./model-server/server.ts";
export { fault, say, shell, write } from "./model-server/scenario.ts";
export type { ModelRequest, Scenario, Turn, TurnUsage } from "./model-server/scenario.ts";
export type { Fault } from "./model-server/faults.ts";
export type { Script, ScriptedAttempt } from "./scripted-agent.ts";

/**
 * The command line of the scripted agent, for a plan whose agent is a plain `command`.
 *
 * @param scriptFile A JSON file of type `Script`: for each subtask, what its attempts do.
 */
export function scriptedAgentCommand(scriptFile: string): string {
  const program = import.meta.url.endsWith(".ts") ? "./scripted-agent.ts" : "./scripted-agent.js";
  const file = fileURLToPath(new URL(program, import.meta.url));
  return `"${process.execPath}" "${file}" "${scriptFile}" {prompt}`;
}
