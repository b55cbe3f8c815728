// proves: J16, U21
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inFolder, ROOT, unstuck } from "../../cli/command.ts";
import { inRepository, type Repository } from "../run/repository.ts";
import { eventsOf, failuresOf, planFile, recoveriesOf } from "../run/runs.ts";

const SUBTASK = ["id: a, prompt: p, checks: [sh check.sh]"];

function assertAsked(here: Repository): void {
  assert.deepEqual(failuresOf(here.events()), ["a unsafe_action"]);
  assert.equal(eventsOf(here.events(), "attempt-dispatched").length, 1);
  assert.deepEqual(recoveriesOf(here.events()), ["ask"]);
  assert.match(here.unstuck("inbox").out, /may cause harm|not allowed to use `rm -rf \/`/);
}

test("J16: an agent that ends because a destructive command was blocked is asked about at once", () =>
  inRepository((here) => {
    const blocked = { error: "Blocked: command 'rm -rf /'", exit: 1 };
    const ran = here.unstuck(
      "run",
      planFile(here, here.agent({ a: [blocked] }), SUBTASK),
      "--trust",
    );
    assert.equal(ran.code, 3, ran.out + ran.err);
    assertAsked(here);
    assert.match(here.unstuck("inbox").out, /rm -rf \//);
  }));

test("J16: a blocked command that harms nothing goes the usual way", inLargeForm("kinds"), () =>
  inRepository((here) => {
    const blocked = { error: "Blocked: command 'rm -rf node_modules'", exit: 1 };
    const right = { write: { "value.txt": "2\n" }, print: "done" };
    const agent = here.agent({ a: [blocked, right] });
    const ran = here.unstuck("run", planFile(here, agent, SUBTASK), "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.ok(!failuresOf(here.events()).includes("a unsafe_action"));
  }),
);

test("J16: a destructive command asked for over the Agent Client Protocol is refused and asked about", () =>
  inRepository((here) => {
    const program = join(ROOT, "test", "agents", "acp", "acp-agent.ts");
    const command = `env FAKE_TURN=destroy "${process.execPath}" "${program}"`;
    const plan = planFile(here, "", SUBTASK, [
      "grounding: false",
      `agents: { mine: { adapter: acp, command: ${JSON.stringify(command)} } }`,
      "models: [{ agent: mine, tier: 1 }]",
    ]);
    writeFileSync(plan, readFileSync(plan, "utf8").replace(/^agent: .*\n/, ""));
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assertAsked(here);
    const [failed] = eventsOf(here.events(), "failure-classified");
    const { because } = failed?.["failure"] as { readonly because: readonly string[] };
    assert.match(because[0] ?? "", /it was refused rm -rf \/, which deletes \//);
  }));

test("J16: the hook refuses what would destroy the machine, and nothing that only looks like it", () => {
  inFolder((folder) => {
    const env = { HOME: folder, UNSTUCK_HOME: folder, XDG_STATE_HOME: folder };
    const answerTo = (command: string): string => {
      const event = {
        ...{ hook_event_name: "PreToolUse", session_id: `j16-${command.length}`, cwd: folder },
        ...{ tool_name: "Bash", tool_input: { command } },
      };
      return unstuck(["hook", "claude"], { input: JSON.stringify(event), env }).out;
    };
    assert.match(answerTo("sudo rm -rf /"), /deny.*deletes \//s);
    for (const command of ["rm -rf node_modules", "echo rm -rf /", "git push --force origin mine"])
      assert.doesNotMatch(answerTo(command), /deny/, command);
  });
});
