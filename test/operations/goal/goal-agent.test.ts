// proves: U17
import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWN_AGENTS } from "../../../src/agents/registry.ts";
import { ProblemError } from "../../../src/operations/operation.ts";
import { chosenAgent } from "../../../src/operations/goal/goal-agent.ts";

type Found = Parameters<typeof chosenAgent>[0][number];

/** The known agents, of which these are installed and these logged in. */
const machine = (installed: string, loggedIn: string, unseen: string): readonly Found[] =>
  KNOWN_AGENTS.map((agent) => ({
    ...{ ...agent, isTested: true, isLoggedOut: !unseen.split(" ").includes(agent.name) },
    ...(installed.split(" ").includes(agent.name)
      ? { path: `/bin/${agent.binary}`, version: "9.8.7" }
      : {}),
    ...(loggedIn.split(" ").includes(agent.name) ? { loginMark: "A_KEY" } : {}),
  }));

interface Row {
  readonly name: string;
  readonly installed: string;
  readonly loggedIn: string;
  /** A login of theirs would be where nobody can look. */
  readonly unseen?: string;
  readonly named?: string;
  readonly agent?: string;
  readonly others?: string;
  readonly refused?: RegExp;
}

const ROWS: readonly Row[] = [
  { name: "the only one", installed: "claude", loggedIn: "claude", agent: "claude" },
  {
    name: "the only one that is logged in",
    ...{ installed: "claude codex", loggedIn: "codex", agent: "codex" },
  },
  {
    name: "a login without its program is nobody",
    ...{ installed: "codex", loggedIn: "codex claude", agent: "codex" },
  },
  {
    name: "several: a person chooses",
    ...{ installed: "claude codex pi", loggedIn: "claude codex", others: "claude codex" },
  },
  {
    name: "the one that is named, beside others",
    ...{ installed: "claude codex", loggedIn: "claude codex", named: "codex" },
    ...{ agent: "codex", others: "claude" },
  },
  {
    name: "the one that is named, although no login was seen",
    ...{ installed: "claude codex", loggedIn: "codex", named: "claude" },
    ...{ agent: "claude", others: "codex" },
  },
  {
    name: "one that is named and not there is never replaced",
    ...{ installed: "claude", loggedIn: "claude", named: "codex" },
    refused: /^Codex is not installed here\. Install it: npm install -g/,
  },
  {
    name: "installed, not logged in",
    ...{ installed: "claude", loggedIn: "" },
    refused:
      /^Claude Code is installed, but it does not seem to be logged in\.\nLog in first: claude auth login\nOr use it as it is: --agent claude$/,
  },
  {
    name: "the only one whose login cannot be seen",
    ...{ installed: "claude codex", loggedIn: "", unseen: "claude", agent: "claude" },
  },
  {
    name: "a login that is seen comes before one that may be there",
    ...{ installed: "claude codex", loggedIn: "codex", unseen: "claude", agent: "codex" },
  },
  {
    name: "none",
    ...{ installed: "", loggedIn: "" },
    refused: /^no coding agent found\. Looked for: Claude Code, .*\nInstall one.*\n.*--agent '/,
  },
];

for (const { name, installed, loggedIn, unseen = "", named, ...row } of ROWS)
  test(`who works: ${name}`, () => {
    const choose = () => chosenAgent(machine(installed, loggedIn, unseen), named);
    const { agent, others = "", refused } = row;
    if (refused !== undefined)
      return assert.throws(
        choose,
        (error) => error instanceof ProblemError && refused.test(error.message),
      );
    const chosen = choose();
    assert.equal(chosen.agent?.agent, agent);
    assert.equal(chosen.others.map((one) => one.agent).join(" "), others);
  });
