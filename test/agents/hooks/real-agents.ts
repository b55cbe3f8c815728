/**
 * The hook inside real agents: what the scripted model is asked next shows that hint, nudge, denial and stop gate reached
 * it. Cases for `test/real-agents`, where the agents are installed; everything is gone after each.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { say, shell } from "../../../src/testing/model-server/scenario.ts";
import type { ModelRequest, Turn } from "../../../src/testing/model-server/scenario.ts";
import { startModelServer } from "../../../src/testing/model-server/server.ts";
import { commonEnvironment, configure, freshFolder } from "../../real-agents/agent-home.ts";
import type { AgentName } from "../../real-agents/agent-home.ts";
import { LAUNCHER } from "../../cli/command.ts";

const COMMANDS: Readonly<Record<AgentName, readonly string[]>> = {
  claude: [
    ...["claude", "-p", "Do it", "--output-format", "stream-json", "--verbose"],
    ...["--permission-mode", "bypassPermissions", "--model", "sonnet"],
  ],
  codex: [
    ...["codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
    ...["--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5.1-codex", "Do it"],
  ],
  gemini: ["gemini", "-p", "Do it", "--output-format", "stream-json", "--yolo"],
  opencode: ["opencode", "run", "--format", "json", "Do it"],
  pi: ["pi", "--mode", "json", "-p", "--provider", "scripted", "--model", "small-model", "Do it"],
};

const LIMIT_MS = 90_000;

/** Runs the agent on the turns, with the hook installed by our own command; what the model was asked. */
async function asked(agent: AgentName, turns: [Turn, ...Turn[]]): Promise<readonly ModelRequest[]> {
  const folder = freshFolder();
  const [home, cwd, bin] = ["home", "tree", "bin"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, cwd, bin]) mkdirSync(path);
  const server = await startModelServer({ script: { by: "request", turns } }, { forAgents: true });
  const stop = new AbortController();
  try {
    const launcher = `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`;
    writeFileSync(join(bin, "unstuck"), launcher, { mode: 0o755 });
    const common = commonEnvironment(home);
    const env = {
      ...common,
      ...configure(agent, home, server.at("script", "run")),
      PATH: `${bin}:${common["PATH"] ?? ""}`,
      UNSTUCK_HOME: join(folder, "state"),
      ...{ IS_SANDBOX: "1", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    };
    execFileSync("git", ["init", "-q", cwd]);
    const check = ["--check", "echo 'not ok 1 - sums numbers'; exit 1", "--send-backs", "2"];
    execFileSync("unstuck", ["hook", "install", agent, "--yes", ...check], { cwd, env });
    const [program = "", ...args] = COMMANDS[agent];
    const child = spawn(program, args, { cwd, env, stdio: "ignore", signal: stop.signal });
    child.on("error", () => undefined);
    const timer = setTimeout(() => stop.abort(), LIMIT_MS);
    await once(child, "exit").finally(() => clearTimeout(timer));
    return server.requests("run");
  } finally {
    stop.abort();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The number of the first request that holds these words, from 1; 0 where none does. */
const firstWith = (requests: readonly ModelRequest[], words: string): number =>
  requests.findIndex(({ body }) => JSON.stringify(body).includes(words)) + 1;

export function hookCases(agent: AgentName): void {
  test(`${agent}: hint, nudge and denial reach the model`, async () => {
    // two calls in turn: Gemini CLI itself ends a run of equal ones
    const loop = Array.from({ length: 5 }, () => [shell("echo a"), shell("echo b")]).flat();
    const requests = await asked(agent, [shell("frobnicate --now"), ...loop, say("Done.")]);
    assert.equal(firstWith(requests, "command_not_found"), 2, "the hint, at once");
    const nudge = firstWith(requests, "going in circles");
    const denial = firstWith(requests, "This call was not run");
    assert.ok(nudge > 4 && nudge < denial && denial <= 11, `nudge ${nudge}, denial ${denial}`);
  });

  // `opencode run` ends with the model's answer and waits for no plugin.
  if (agent === "opencode") return;
  test(`${agent}: a stop with failing checks is sent back, at most twice`, async () => {
    const requests = await asked(agent, [say("Done.")]);
    assert.equal(requests.length, 3, "asked once, sent back twice, then let go");
    assert.equal(firstWith(requests, "sums numbers"), 2);
    assert.equal(firstWith(requests, "told 2 of 2"), 3);
  });
}
