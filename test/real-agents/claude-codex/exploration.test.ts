// proves: A6
import assert from "node:assert/strict";
import { test } from "node:test";
import { say, shell, type Scenario } from "../../../src/testing/model-server/scenario.ts";
import { withRepository } from "../agent-run.ts";

/** What Claude Code writes is wrong; Codex gets it right, but only when it explores. */
const wrong: Scenario = {
  by: "result",
  turns: [shell("printf '3\\n' > value.txt; sleep 1"), say("Done.")],
};
const right: Scenario = {
  by: "result",
  turns: [shell("printf '2\\n' > value.txt; sleep 1"), say("Done.")],
};

test("two agents explore at the same time in trees of their own; the branch that passes wins", () =>
  withRepository({ claude: wrong, codex: right }, async (here) => {
    const ran = await here.run({
      goal: "make the value 2",
      checks: ["sh check.sh"],
      agents: { claude: { adapter: "claude" }, codex: { adapter: "codex" } },
      models: [
        { agent: "claude", tier: 1 },
        { agent: "codex", tier: 1 },
      ],
      concurrency: 3,
      policy: { extends: "standard", rungs: [{ id: "explore", do: "explore", times: 1 }] },
    });
    assert.equal(ran.code, 0, ran.out + ran.err);
    const dispatched = here.events("attempt-dispatched").map(({ spec }) => spec as Spec);
    assert.equal(dispatched[0]?.entry.agent, "claude");
    const branches = dispatched.filter(({ recovery }) => recovery === "explore");
    assert.deepEqual([...new Set(branches.map(({ entry }) => entry.agent))].sort(), [
      "claude",
      "codex",
    ]);
    const begun = (agent: "claude" | "codex"): number[] =>
      here
        .requests(agent)
        .filter(({ results }) => results.length === 0)
        .map(({ at }) => at);
    const last = (agent: "claude" | "codex"): number => here.requests(agent).at(-1)?.at ?? 0;
    const [, claudeBranch = 0] = begun("claude");
    const [codexBranch = 0] = begun("codex");
    assert.ok(claudeBranch < last("codex") && codexBranch < last("claude"), "one after the other");
    const branch = here.repository.git(
      "branch",
      "--list",
      "--format=%(refname:short)",
      "unstuck/*",
    );
    assert.equal(here.repository.git("show", `${branch.trim()}:value.txt`), "2\n");
  }));

interface Spec {
  readonly entry: { readonly agent: string };
  readonly recovery?: string;
}
