// proves: J10, U21
import assert from "node:assert/strict";
import { test } from "node:test";
import { say, shell, type Turn } from "../../../src/testing/model-server/scenario.ts";
import { withRepository } from "../agent-run.ts";

const COMMAND = "npm config list";
const PLAN = {
  goal: "make the value 2",
  checks: ["sh check.sh"],
  agent: "claude",
  agents: { claude: { adapter: "claude" } },
};

test("what Claude Code's gate refuses is asked about, and the allowance gets through it", async () => {
  const turns: Turn[] = [
    ...[shell(COMMAND), say("I have tried.")],
    ...[shell(COMMAND), shell("printf '2\\n' > value.txt"), say("Done.")],
  ];
  const next = (): Turn => turns.shift() ?? say("Done.");
  await withRepository({ claude: next }, async (here) => {
    const ran = await here.run(PLAN);
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
    assert.deepEqual(refused, [[{ tool: "Bash", command: COMMAND }], undefined]);
  });
});
