// proves: J14, D5
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inRepository, type Repository } from "../run/repository.ts";
import { eventsOf, planFile } from "../run/runs.ts";
import { claudeLines, says, typedAgent, type PlayedAttempt } from "./typed-agent.ts";

const SUBTASK = "id: goal, prompt: make it 2, checks: [sh check.sh]";
const RIGHT: PlayedAttempt = {
  lines: claudeLines([says("done")]),
  write: { "value.txt": "2\n" },
};

/** What Claude Code prints when the service turns the request down. */
function turnedDown(status: number, error: string, text: string): PlayedAttempt {
  const [init, , result] = claudeLines([says(text)]);
  const message = { role: "assistant", model: "<synthetic>", content: [says(text)] };
  const failed = { type: "assistant", message, error, is_api_error_message: true };
  return {
    lines: [
      init,
      { ...failed, api_error_status: status },
      { ...(result as object), is_error: true, terminal_reason: "api_error", result: text },
    ],
  };
}

function planOf(
  here: Repository,
  attempts: readonly PlayedAttempt[],
  more: readonly string[] = [],
) {
  const { command } = typedAgent(here, attempts);
  const agents = [`  mine: { adapter: claude, command: '${command}' }`, ...more];
  return planFile(here, "mine", [SUBTASK], ["grounding: false", "agents:", ...agents]);
}

test("logged out: the command to run, then done and try again", () =>
  inRepository((here) => {
    const out = turnedDown(401, "authentication_failed", "Invalid API key · Please run /login");
    assert.equal(here.unstuck("run", planOf(here, [out, RIGHT]), "--trust").code, 3);
    const shown = here.unstuck("inbox").out;
    assert.match(shown, /The agent mine is not logged in\./);
    assert.match(shown, /Log in to Claude Code: run claude auth login, or set ANTHROPIC_API_KEY/);
    assert.match(
      shown,
      /Logged in: try again \(recommended\)\n +unstuck resolve goal\/c1 --run \S+ --retry\n/,
    );
    here.unstuck("resolve", "goal/c1", "--retry");
    assert.equal(here.unstuck("resume").code, 0);
  }));

test(
  "no credit: where to look, try again, or another agent, which then does the work",
  inLargeForm("questions"),
  () =>
    inRepository((here) => {
      const broke = turnedDown(
        400,
        "billing_error",
        "Your credit balance is too low to access the API",
      );
      const other = here.agent({ goal: [{ write: { "value.txt": "2\n" }, print: "done" }] });
      const plan = planOf(
        here,
        [broke],
        [`  other: { command: '${other}' }`, "models: [{ agent: mine }, { agent: other }]"],
      );
      assert.equal(here.unstuck("run", plan, "--trust").code, 3);
      const shown = here.unstuck("inbox").out;
      assert.match(shown, /The account of the agent mine has no credit/);
      assert.match(shown, /Look at the account of Claude Code: https:/);
      assert.match(
        shown,
        /Try again \(recommended\)\n.*--retry\n +Use another agent: other\n.*--other-agent\n/,
      );
      here.unstuck("resolve", "goal/c1", "--other-agent");
      assert.equal(here.unstuck("resume").code, 0);
      const agents = eventsOf(here.events(), "attempt-dispatched").map(
        ({ spec }) => (spec as { entry: { agent: string } }).entry.agent,
      );
      assert.deepEqual(agents, ["mine", "other"]);
      assert.match(here.unstuck("explain", "--verbose").out, /chose another agent/);
    }),
);

test("a program that is gone: how to install it, then try again", inLargeForm("questions"), () =>
  inRepository((here) => {
    const gone = join(here.home, "..", "codex");
    writeFileSync(gone, "#!/bin/sh\n", { mode: 0o755 });
    const agents = [`  mine: { adapter: codex, command: ${gone} }`];
    const plan = planFile(here, "mine", [SUBTASK], ["grounding: false", "agents:", ...agents]);
    assert.equal(here.unstuck("run", plan, "--trust", "--setup", `rm -f ${gone}`).code, 3);
    const shown = here.unstuck("inbox").out;
    assert.match(shown, /The program of the agent mine cannot be started\./);
    assert.match(shown, /Install Codex: npm install -g/);
    assert.match(shown, /Installed: try again \(recommended\)/);
  }),
);
