/**
 * What is installed on this machine, and what to fix with which command. Invariants: changes nothing; `canRun` is true
 * exactly if a run could start; any command can be an agent, so a missing known agent never prevents a run.
 */
import { homedir } from "node:os";
import { defined, operation } from "../operation.ts";
import { ok, warning, type Finding } from "./finding.ts";
import { findAgents, type FoundAgent } from "./found-agents.ts";
import {
  diskFinding,
  gitFindings,
  homeFinding,
  journalFinding,
  nodeFinding,
} from "./machine-findings.ts";
import type { Examination } from "./schemas.ts";
import {
  repositoryFindings,
  serviceFinding,
  sleepFinding,
  terminalFinding,
} from "./surroundings-findings.ts";

export { findAgents } from "./found-agents.ts";
export type { Examination, Finding };

export const examine = operation({
  name: "doctor",
  schemas: async () => (await import("./schemas.ts")).examine,
  async run({ cwd }, { terminal = {} }) {
    const { env, platform } = process;
    const [agents, git, repository, journal] = await Promise.all([
      findAgents({ env, home: homedir(), platform }),
      gitFindings(cwd),
      repositoryFindings(cwd),
      journalFinding(),
    ]);
    const findings = [
      ...[nodeFinding(), ...git, homeFinding(), journal, diskFinding()],
      ...[...repository, sleepFinding(), serviceFinding(), terminalFinding(terminal)],
      agentsFinding(agents),
    ];
    const inTheWay = findings.filter(({ state }) => state === "problem");
    return {
      canRun: inTheWay.length === 0,
      ...(inTheWay.length === 0
        ? {}
        : { why: inTheWay.map(({ what, words }) => `${what}: ${words}`).join("; ") }),
      findings,
      agents: agents.map(agentFacts),
    };
  },
});

/** All agents in one line. */
function agentsFinding(agents: readonly FoundAgent[]): Finding {
  const there = agents.filter(({ path }) => path !== undefined);
  const [first] = agents;
  if (there.length === 0)
    return warning(
      "agents",
      `none of ${agents.map(({ name }) => name).join(", ")} is installed`,
      first?.install ?? "",
    );
  const ready = there.filter(({ isLoggedOut }) => !isLoggedOut);
  return ready.length === 0
    ? warning("agents", "no agent is logged in", there[0]?.login ?? "")
    : ok("agents", `ready: ${ready.map(({ name }) => name).join(", ")}`);
}

function agentFacts(agent: FoundAgent): Examination["agents"][number] {
  const { name, title, path, version, isTested, loginMark, features } = agent;
  return {
    ...{ name, title, installed: path !== undefined, ...defined({ path, version }) },
    ...{ isTested, ...defined({ loginMark }), features },
    finding: agentFinding(agent),
  };
}

function agentFinding(agent: FoundAgent): Finding {
  const { name: what, path, version, isTested, loginMark, isLoggedOut, tested } = agent;
  if (path === undefined) return warning(what, "not installed", agent.install);
  const shown = version ?? "version unknown";
  if (isLoggedOut) return warning(what, `${shown}, not logged in`, agent.login);
  const login =
    loginMark === undefined ? "a login cannot be seen from outside" : `logged in (${loginMark})`;
  if (isTested) return ok(what, `${shown}, ${login}`);
  return warning(
    what,
    `${shown}, ${login}; tested are ${tested.from} to below ${tested.below}`,
    agent.install,
  );
}
