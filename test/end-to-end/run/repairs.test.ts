// proves: J1, J2, C1, C2, C5
import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL, inLargeForm } from "../../large-form.ts";
import { EVERY_STRATEGY } from "../../core/repair/every-strategy.ts";
import { bashAccepts, scriptsIn } from "../../core/repair/scripts-in.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "./recording-agent.ts";
import { inRepository } from "./repository.ts";
import { eventsOf, planFile } from "./runs.ts";

/** An attempt whose last call failed, and that could not get over it. */
function stoppedAt(command: string, error: string): ScriptedAttempt {
  const steps = [
    { kind: "tool_call", id: "1", tool: "Bash", args: { command } },
    { kind: "tool_result", id: "1", output: error, isError: true },
  ];
  return { print: steps.map((step) => JSON.stringify(step)).join("\n"), error, exit: 1 };
}

const SETTINGS = ["grounding: false", "policy: recovery-strategies", "concurrency: 2"];
const ALLOWED = "permissions: { sudo: allow, install: allow, delete: allow }";

/** test/core/repair looks at all of them without a run. */
const SMALL: readonly string[] = ["command_not_found", "permission_denied", "disk_full"];
const STRATEGIES = EVERY_STRATEGY.filter(({ kind }) => FULL || SMALL.includes(kind));
test("the chains of the other kinds", inLargeForm("run"));

test("every strategy of a chain: what the journal names is what the agent is told, with scripts that bash accepts", async () => {
  const kinds = [...new Set(STRATEGIES.map(({ kind }) => kind))];
  const script = Object.fromEntries(
    kinds.map((kind) => [
      kind.replaceAll("_", "-"),
      STRATEGIES.filter((one) => one.kind === kind).map(({ call, error }) =>
        stoppedAt(call?.command ?? "", error),
      ),
    ]),
  );
  await inRepository((here) => {
    const agent = recordingAgent(here, script);
    const subtasks = Object.keys(script).map((id) => `id: ${id}, prompt: do ${id}`);
    const plan = planFile(here, agent.command, subtasks, [...SETTINGS, ALLOWED]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.err + ran.out);
    const chosen = eventsOf(here.events(), "recovery-chosen").flatMap((event) =>
      (event["recoveries"] as { kind: string; strategy?: string }[])
        .filter(({ kind }) => kind === "repair")
        .map(({ strategy = "" }) => ({ subtask: String(event["subtask"]), strategy })),
    );
    assert.deepEqual(
      chosen.map(({ strategy }) => strategy).toSorted(),
      STRATEGIES.map(({ kind, strategy }) => `${kind}/${strategy}`).toSorted(),
    );
    for (const { subtask, strategy } of chosen) {
      const number = chosen
        .filter((one) => one.subtask === subtask)
        .findIndex((one) => one.strategy === strategy);
      const prompt = agent.promptOf(`${subtask}/${number + 2}`);
      const name = strategy.split("/")[1] ?? "";
      assert.ok(
        prompt.includes(`This failure has a known repair (${name}).`),
        `${strategy}: ${prompt}`,
      );
      assert.doesNotMatch(prompt, /the failed call/, strategy);
      for (const one of scriptsIn(prompt)) assert.ok(bashAccepts(one), `${strategy}: ${one}`);
    }
  });
});

test(
  "the source's own example works in a run: curl and tar instead of git clone",
  inLargeForm("run"),
  async () => {
    await inRepository((here) => {
      const clone = "git clone https://github.com/acme/tool";
      const agent = recordingAgent(here, {
        fetch: [stoppedAt(clone, "bash: line 1: git: command not found"), { print: "done" }],
      });
      const plan = planFile(here, agent.command, ["id: fetch, prompt: get the tool"], SETTINGS);
      here.unstuck("run", plan, "--trust");
      const prompt = agent.promptOf("fetch/2");
      assert.match(prompt, /known repair \(alternative_command_curl_tar\)/);
      const [download = "", unpack = ""] = scriptsIn(prompt);
      assert.match(
        download,
        /^curl -fL 'https:\/\/github\.com\/acme\/tool\/archive\/.+' -o 'tool\.tar\.gz'$/,
      );
      assert.match(unpack, /^tar -xzf 'tool\.tar\.gz'$/);
      const { out } = here.unstuck("explain", "--verbose");
      assert.match(out, /alternative_command_curl_tar/);
    });
  },
);

test("what cannot be used is passed over, and explain says why; a command that only the words name is used", async () => {
  await inRepository((here) => {
    const error = "Error: Command failed: jq . package.json\nbash: line 1: jq: command not found";
    const agent = recordingAgent(here, { read: [{ error, exit: 127 }] });
    const plan = planFile(here, agent.command, ["id: read, prompt: read it"], SETTINGS);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.err + ran.out);
    assert.match(
      agent.promptOf("read/2"),
      /known repair \(alternative_command\)[^]*bash -c 'jq \. package\.json'/,
    );
    assert.equal(agent.prompts().length, 2, "nothing is named that is not handed over");
    const { out } = here.unstuck("explain", "--verbose");
    assert.match(out, /manual_installation needs permission to install software/);
  });
});
