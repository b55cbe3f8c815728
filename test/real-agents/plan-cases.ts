/** `unstuck plan` with a real agent and the scripted model: asked, asked again in the same session, and an agent that is logged out. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fault, say } from "../../src/testing/model-server/scenario.ts";
import type { Scenario } from "../../src/testing/model-server/scenario.ts";
import { GOOD, WITHOUT_CHECK } from "../end-to-end/plan/answers.ts";
import type { AgentName } from "./agent-home.ts";
import { withRepository } from "./agent-run.ts";

const answers: Scenario = ({ user }) =>
  say(user.join().includes("it has no check") ? GOOD : WITHOUT_CHECK);

export function planCases(agent: AgentName): void {
  test(`${agent} writes a plan; asked again, it still knows what it was asked first`, () =>
    withRepository({ [agent]: answers }, async (here) => {
      const planned = await here.unstuck("plan", "make it two", "--agent", agent, "--yes");
      assert.equal(planned.code, 0, planned.out + planned.err);
      assert.match(planned.err, /asking again \(1 of 3\)/);
      assert.match(planned.out, /fails +sh check\.sh\n[^]*Next: unstuck run/);
      const file = readFileSync(join(here.repository.path, "unstuck.yaml"), "utf8");
      assert.match(file, new RegExp(`^agent: ${agent}$`, "m"));
      const asked = here.requests(agent).at(-1)?.user.join("\n") ?? "";
      assert.equal(asked.split("Write a plan for the work below").length - 1, 2, "one session");
    }));

  test(`${agent}, logged out: said at once, with what mends it`, () =>
    withRepository({ [agent]: () => fault("bad_key") }, async (here) => {
      const planned = await here.unstuck("plan", "make it two", "--agent", agent, "--yes");
      assert.equal(planned.code, 1, planned.out + planned.err);
      assert.match(planned.err, /Log in to /);
    }));
}
