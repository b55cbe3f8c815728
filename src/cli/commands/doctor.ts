/**
 * `unstuck doctor`: what is on this machine, and what to fix with which command. Invariants: changes nothing;
 * reads no secret; exit code 0 exactly when a run could start.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { EXIT } from "../exit-codes.ts";
import { findAgents, isBelow, programOn, versionOf } from "../found-agents.ts";
import type { FoundAgent } from "../found-agents.ts";
import { openHome } from "../../operations/home.ts";
import { refuseLost } from "../../operations/journal.ts";
import { styled, write, writeJson } from "../io.ts";

const NODE_NEEDED = "22.13.0";
const GIT_NEEDED = "2.38.0";

interface Finding {
  readonly what: string;
  readonly state: "ok" | "warning" | "broken";
  readonly words: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function command(): Command {
  return new Command("doctor")
    .summary("what is there, and what to fix")
    .description("Looks for agents, git, Node and the journal. Exit code 0: a run could start.")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const [agents, git] = await Promise.all([
        findAgents({ env: process.env, home: homedir() }),
        gitFinding(),
      ]);
      const findings = [nodeFinding(), git, await journalFinding(), agentsFinding(agents)];
      const canRun = findings.every(({ state }) => state !== "broken");
      if (json === true) writeJson({ canRun, findings, agents: agents.map(agentJson) });
      else write(described(findings, agents, canRun));
      process.exitCode = canRun ? EXIT.ok : EXIT.failed;
    });
}

function nodeFinding(): Finding {
  const version = process.versions.node;
  return isBelow(version, NODE_NEEDED)
    ? broken("node", `${version}, too old`, `install Node ${NODE_NEEDED} or newer`)
    : { what: "node", state: "ok", words: version };
}

async function gitFinding(): Promise<Finding> {
  const path = programOn(process.env["PATH"] ?? "", "git");
  if (path === undefined)
    return broken("git", "not found", "install git with your system's package manager");
  const version = await versionOf(path, ["--version"], process.env);
  if (version === undefined) return broken("git", "does not answer", `run: ${path} --version`);
  return isBelow(version, GIT_NEEDED)
    ? broken("git", `${version}, too old`, `install git ${GIT_NEEDED} or newer`)
    : { what: "git", state: "ok", words: version };
}

async function journalFinding(): Promise<Finding> {
  try {
    const home = openHome();
    refuseLost(home);
    const { database } = home;
    if (!existsSync(database))
      return { what: "journal", state: "ok", words: "none yet; the first run makes it" };
    const { openJournalToRead } = await import("../../journal/journal.ts");
    const { SCHEMA_VERSION } = await import("../../journal/schema.ts");
    const journal = await openJournalToRead(database);
    const { length } = await journal.runs().finally(() => journal.close());
    const words = `opens, version ${SCHEMA_VERSION}, runs: ${length}`;
    return { what: "journal", state: "ok", words };
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const words = tameLine(message ?? String(error), 300);
    if (code === "older-version")
      return {
        what: "journal",
        state: "ok",
        words: "of an older version; the next run updates it",
      };
    return broken("journal", words, "choose another place: export UNSTUCK_HOME=<folder>");
  }
}

function agentsFinding(agents: readonly FoundAgent[]): Finding {
  const there = agents.filter(({ path }) => path !== undefined);
  const [first] = agents;
  if (there.length === 0)
    return broken("agents", "none of the known ones", `for example: ${first?.install ?? ""}`);
  const ready = there.filter(({ loginMark }) => loginMark !== undefined);
  const [known] = there;
  return ready.length === 0
    ? broken("agents", "none with a login", known?.login ?? "")
    : { what: "agents", state: "ok", words: ready.map(({ name }) => name).join(", ") };
}

const broken = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "broken", words, fix },
});

function agentJson({ name, title, path, version, isTested, loginMark, features }: FoundAgent) {
  return {
    name,
    title,
    installed: path !== undefined,
    path,
    version,
    isTested,
    loginMark,
    features,
  };
}

const MARKS = { ok: "ok", warning: "!", broken: "x" } as const;
const STYLES = { ok: "green", warning: "yellow", broken: "red" } as const;

function described(
  findings: readonly Finding[],
  agents: readonly FoundAgent[],
  canRun: boolean,
): string {
  const rows = [...findings.slice(0, -1), ...agents.map(agentFinding)];
  const end = canRun
    ? "A run could start: unstuck run --help"
    : "A run could not start yet; fix what is marked x.";
  const last = findings.at(-1);
  const none = last?.state === "broken" ? [last] : [];
  return [...[...rows, ...none].map(row), "", end].join("\n");
}

function agentFinding(agent: FoundAgent): Finding {
  const { name, path, version, isTested, loginMark, features, tested } = agent;
  if (path === undefined)
    return { what: name, state: "warning", words: "not installed", fix: agent.install };
  const shown = version ?? "version unknown";
  if (loginMark === undefined)
    return { what: name, state: "warning", words: `${shown}, no login seen`, fix: agent.login };
  const untested = isTested ? "" : `, tested are ${tested.from} to below ${tested.below}`;
  const words = `${shown}, login by ${loginMark}${untested}; ${features.join(", ")}`;
  return { what: name, state: isTested ? "ok" : "warning", words };
}

function row({ what, state, words, fix }: Finding): string {
  const mark = styled(STYLES[state], MARKS[state].padEnd(3));
  const hint = fix === undefined ? "" : `\n             fix: ${fix}`;
  return `${mark}${what.padEnd(10)}${words}${hint}`;
}
