/**
 * Chooses the agent for a goal: the one named by the user, the one in their settings, or the only one installed and
 * logged in. If there are several, the user chooses once and their settings remember it. Invariants: nothing is sent
 * anywhere, only files and variables are read; a named agent is never replaced by another.
 */
import { homedir } from "node:os";
import { KNOWN_AGENTS, knownAgent } from "../../agents/registry.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, ProblemError } from "../operation.ts";
import { findAgents } from "../setup/found-agents.ts";
import { keepAgent, userConfig, userConfigFile } from "../user-config.ts";
import type { GoalAgent } from "./schemas.ts";

type Found = Awaited<ReturnType<typeof findAgents>>[number];

export const findAgent = operation({
  name: "goal-agent",
  schemas: async () => (await import("./schemas.ts")).findAgent,
  async run(_, input) {
    const named = input.agent ?? userConfig().agent;
    if (named !== undefined && knownAgent(named) === undefined)
      return { agent: ownCommand(named), others: [] };
    const agents = await findAgents({ env: process.env, home: homedir() });
    return chosenAgent(agents, named);
  },
});

/** Remembers the agent for goals from now on. */
export const chooseAgent = operation({
  name: "choose-agent",
  schemas: async () => (await import("./schemas.ts")).chooseAgent,
  run(_, { agent }) {
    refuseInsideAttempt("choosing an agent");
    keepAgent(agent);
    return { agent, file: userConfigFile() };
  },
});

export function chosenAgent(
  agents: readonly Found[],
  named: string | undefined,
): { readonly agent?: GoalAgent; readonly others: readonly GoalAgent[] } {
  const installed = agents.filter(({ path }) => path !== undefined);
  const seen = installed.filter(({ loginMark }) => loginMark !== undefined);
  const ready = seen.length > 0 ? seen : installed.filter((one) => !one.isLoggedOut);
  if (named !== undefined) {
    const found = installed.find(({ name }) => name === named);
    if (found === undefined) throw notInstalled(named);
    return { agent: described(found), others: ready.filter((one) => one !== found).map(described) };
  }
  if (ready.length > 1) return { others: ready.map(described) };
  const [only] = ready;
  if (only === undefined) throw noneReady(installed);
  return { agent: described(only), others: [] };
}

const described = ({ name, title, version, loginMark, features }: Found): GoalAgent => ({
  ...{ agent: name, title, ...defined({ version, loginMark }) },
  namesCost: features.includes("reports-cost"),
});

const ownCommand = (command: string): GoalAgent => ({
  ...{ agent: command, title: cleanLine(command, 200), namesCost: false },
});

function notInstalled(name: string): ProblemError {
  const { title = name, install = "" } = knownAgent(name) ?? {};
  return new ProblemError("bad-input", `${title} is not installed here. Install it: ${install}`);
}

function noneReady(installed: readonly Found[]): ProblemError {
  const [first] = installed;
  if (first !== undefined)
    return new ProblemError(
      "bad-input",
      `${first.title} is installed, but it does not seem to be logged in.\n` +
        `Log in first: ${first.login}\n` +
        `Or use it as it is: --agent ${first.name}`,
    );
  const titles = KNOWN_AGENTS.map(({ title }) => title).join(", ");
  return new ProblemError(
    "bad-input",
    `no coding agent found. Looked for: ${titles}.\n` +
      `Install one, for example: ${KNOWN_AGENTS[0]?.install ?? ""}\n` +
      `Or give any command that takes a prompt: --agent 'my-agent {prompt}'`,
  );
}
