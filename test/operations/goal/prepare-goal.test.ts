// proves: U17, P10
// Before anything of a repository runs, a person who never agreed to it is told all of it; afterwards no more.
import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { test } from "node:test";
import { agreeToStart, prepareGoal } from "../../../src/operations/goal/prepare-goal.ts";
import type { TryHappening } from "../../../src/operations/setup/try-on-base.ts";
import { folder, repository } from "../../workspace/fixture.ts";

const AGENT = { agent: "x {prompt}", title: "x", namesCost: false };

test("all commands are told before the first of them runs, until a person has agreed to them", async () => {
  process.env["UNSTUCK_HOME"] = folder("home");
  const root = realpathSync(
    repository({
      "package.json": JSON.stringify({ scripts: { test: "sh ok.sh", lint: "sh ok.sh" } }),
      "ok.sh": "exit 0\n",
    }),
  );
  const prepare = async () => {
    const happened: TryHappening[] = [];
    const input = { goal: "mend it", agent: AGENT, canAsk: true, setup: ["true"] };
    const prepared = await prepareGoal.run({ cwd: root }, input, (one) => happened.push(one));
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return { ...prepared.value, happened };
  };
  const first = await prepare();
  const commands = ["true", "npm run lint", "npm test"];
  assert.deepEqual(first.happened[0], { kind: "about-to-run", commands });
  assert.deepEqual(first.happened[1], { kind: "set-up", commands: ["true"] });
  assert.match(first.measured ?? "", /^try-[0-9a-f]{12}$/);
  assert.ok((await agreeToStart.run({ cwd: root }, { mark: first.mark })).ok);
  const again = await prepare();
  assert.ok(again.agreed);
  assert.deepEqual(
    again.happened.filter(({ kind }) => kind === "about-to-run"),
    [],
  );
});
