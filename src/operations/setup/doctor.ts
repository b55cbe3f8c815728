/**
 * What is on this machine, and what to fix with which command. Invariants: changes nothing; reads no secret;
 * `canRun` exactly when a run could start.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isBefore } from "../../agents/agent-version.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { openHome } from "../home.ts";
import { refuseLost } from "../journal.ts";
import { operation } from "../operation.ts";
import { findAgents, programOn, versionOf } from "./installed-agents.ts";
import type { FoundAgent } from "./installed-agents.ts";

const NODE_NEEDED = "22.13.0";
const GIT_NEEDED = "2.38.0";

export interface Finding {
  readonly what: string;
  readonly state: "ok" | "warning" | "broken";
  readonly words: string;
  /** What to do about it. */
  readonly fix?: string;
}

export interface Examination {
  readonly canRun: boolean;
  /** Of Node, git, the journal and the agents as a whole, in this order. */
  readonly findings: readonly Finding[];
  readonly agents: readonly (AgentFacts & { readonly finding: Finding })[];
}

interface AgentFacts {
  readonly name: string;
  readonly title: string;
  readonly installed: boolean;
  readonly path?: string;
  readonly version?: string;
  readonly isTested: boolean;
  readonly loginMark?: string;
  readonly features: readonly string[];
}

export const examine = operation<object, Examination>({
  name: "doctor",
  schemas: async () => (await import("./schemas.ts")).examine,
  async run() {
    const { env } = process;
    const [agents, git] = await Promise.all([findAgents({ env, home: homedir() }), gitFinding()]);
    const findings = [nodeFinding(), git, await journalFinding(), agentsFinding(agents)];
    const canRun = findings.every(({ state }) => state !== "broken");
    return { canRun, findings, agents: agents.map(agentFacts) };
  },
});

const ok = (what: string, words: string): Finding => ({ what, state: "ok", words });

const broken = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "broken", words, fix },
});

function nodeFinding(): Finding {
  const version = process.versions.node;
  return isBefore(version, NODE_NEEDED)
    ? broken("node", `${version}, too old`, `install Node ${NODE_NEEDED} or newer`)
    : ok("node", version);
}

async function gitFinding(): Promise<Finding> {
  const path = programOn(process.env["PATH"] ?? "", "git");
  if (path === undefined)
    return broken("git", "not found", "install git with your system's package manager");
  const version = await versionOf(path, ["--version"], process.env);
  if (version === undefined) return broken("git", "does not answer", `run: ${path} --version`);
  return isBefore(version, GIT_NEEDED)
    ? broken("git", `${version}, too old`, `install git ${GIT_NEEDED} or newer`)
    : ok("git", version);
}

async function journalFinding(): Promise<Finding> {
  try {
    const home = openHome();
    refuseLost(home);
    if (!existsSync(home.database)) return ok("journal", "none yet; the first run makes it");
    const { openJournalToRead } = await import("../../journal/journal.ts");
    const { SCHEMA_VERSION } = await import("../../journal/schema.ts");
    const journal = await openJournalToRead(home.database);
    const { length } = await journal.runs().finally(() => journal.close());
    return ok("journal", `opens, version ${SCHEMA_VERSION}, runs: ${length}`);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === "older-version")
      return ok("journal", "of an older version; the next run updates it");
    const words = cleanLine(message ?? String(error), 300);
    return broken("journal", words, "choose another place: export UNSTUCK_HOME=<folder>");
  }
}

function agentsFinding(agents: readonly FoundAgent[]): Finding {
  const there = agents.filter(({ path }) => path !== undefined);
  if (there.length === 0)
    return broken("agents", "none of the known ones", `for example: ${agents[0]?.install ?? ""}`);
  const ready = there.filter(({ loginMark }) => loginMark !== undefined);
  return ready.length === 0
    ? broken("agents", "none with a login", there[0]?.login ?? "")
    : ok("agents", ready.map(({ name }) => name).join(", "));
}

function agentFacts(agent: FoundAgent): Examination["agents"][number] {
  const { name, title, path, version, isTested, loginMark, features } = agent;
  return {
    ...{ name, title, installed: path !== undefined },
    ...(path === undefined ? {} : { path }),
    ...(version === undefined ? {} : { version }),
    isTested,
    ...(loginMark === undefined ? {} : { loginMark }),
    features,
    finding: agentFinding(agent),
  };
}

function agentFinding(agent: FoundAgent): Finding {
  const { name: what, path, version, isTested, loginMark, features, tested } = agent;
  if (path === undefined)
    return { what, state: "warning", words: "not installed", fix: agent.install };
  const shown = version ?? "version unknown";
  if (loginMark === undefined)
    return { what, state: "warning", words: `${shown}, no login seen`, fix: agent.login };
  const untested = isTested ? "" : `, tested are ${tested.from} to below ${tested.below}`;
  const words = `${shown}, login by ${loginMark}${untested}; ${features.join(", ")}`;
  return { what, state: isTested ? "ok" : "warning", words };
}
