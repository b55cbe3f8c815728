/** What an agent's own gate refuses is asked about, by its very words, and what a person allows gets through it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  say,
  shell,
  type ModelRequest,
  type Turn,
} from "../../src/testing/model-server/scenario.ts";
import type { AgentName } from "./agent-home.ts";
import { withRepository } from "./agent-run.ts";

const COMMAND = "npm config list";

/** `tool`: how the agent calls its shell; `edit`: how it is told to make the value 2 with what it may use. */
export function refusedCase(agent: AgentName, tool: string, edit: Turn): void {
  test(`what the gate of ${agent} refuses is asked about, and the allowance gets through it`, async () => {
    const turns: Turn[] = [
      ...[shell(COMMAND), say("I have tried.")],
      ...[shell(COMMAND), edit, say("Done.")],
    ];
    const next = ({ auxiliary }: ModelRequest): Turn =>
      auxiliary ? say("A value") : (turns.shift() ?? say("Done."));
    const plan = {
      ...{ goal: "make the value 2", checks: ["sh check.sh"], agent },
      agents: { [agent]: { adapter: agent } },
    };
    await withRepository({ [agent]: next }, async (here) => {
      const ran = await here.run(plan);
      assert.equal(ran.code, 3, ran.out + ran.err);
      const { out } = await here.unstuck("inbox");
      assert.match(out, /was not allowed to use `npm config list`\. Allow it\?/);
      await here.unstuck("resolve", "goal/c1", "--allow", "once");
      const resumed = await here.unstuck("resume");
      assert.equal(resumed.code, 0, resumed.out + resumed.err);
      await here.readEvents();
      const refused = here
        .events("received")
        .map(({ input }) => input as { kind: string; remains?: { refused?: unknown } })
        .filter(({ kind }) => kind === "attempt-ended")
        .map(({ remains }) => remains?.refused);
      assert.deepEqual(refused, [[{ tool, command: COMMAND }], undefined]);
    });
  });
}
