// proves: U12
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inputsOf, isStarted, owner, until } from "../run/runs.ts";
import { repository, type Repository } from "../run/repository.ts";

const KEY = `gh${"p_"}${"aB3dE6gH9j".repeat(4)}`;

async function within(body: (here: Repository) => Promise<void>): Promise<void> {
  const here = repository();
  try {
    await body(here);
  } finally {
    here.remove();
  }
}

const runDir = (here: Repository): string => {
  const [run = ""] = readdirSync(join(here.home, "runs"));
  return join(here.home, "runs", run);
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("V7: a run that was killed goes on with the very same commands, though the journal has them without secrets", async () => {
  await within(async (here) => {
    const file = join(here.path, "..", "plan.yaml");
    const once = join(here.path, "..", "once");
    const work = 'test -e "$0" || { : > "$0"; sleep 30; }; cat "$1" > told.txt; echo 2 > value.txt';
    const agent = `sh -c '${work}' ${once} {promptFile}`;
    writeFileSync(
      file,
      `agent: ${JSON.stringify(agent)}\ngrounding: false\nsubtasks:\n  - id: goal\n    prompt: "use ${KEY}"\n` +
        `    checks: [${JSON.stringify(`grep -q ${KEY} told.txt && sh check.sh`)}]\n`,
    );
    const first = owner(here.start("run", file, "--trust"));
    await until(here, isStarted);
    await first.kill();
    const lent = filesIn(join(runDir(here), "attempts")).filter((path) =>
      readFileSync(path, "utf8").includes(KEY),
    );
    assert.ok(lent.length <= 1, "only what the agent reads");
    const resumed = here.unstuck("resume");
    assert.equal(resumed.code, 0, resumed.out + resumed.err);
    for (const path of filesIn(join(runDir(here), "attempts")))
      assert.ok(!readFileSync(path, "utf8").includes(KEY), path);
    const [started] = inputsOf(here.events(), "run-started");
    assert.match(JSON.stringify(started), /use \[secret 1\]/);
    assert.ok(!JSON.stringify(here.events()).includes(KEY));
    assert.ok(!resumed.out.includes(KEY) && !resumed.err.includes(KEY));
  });
});

test("V7: a plan with a key in it is warned about, with its place; one that was changed later is refused", async () => {
  await within(async (here) => {
    const agent = here.agent({ goal: [{ print: "no", exit: 2 }] });
    const ran = here.unstuck("run", "--goal", `use ${KEY}`, "--agent", agent, "--check", "false");
    assert.match(ran.err.replace(/\s+/g, " "), /there seems to be a key in subtasks\.goal\.prompt/);
    assert.ok(!ran.err.includes(KEY));
    const plan = join(runDir(here), "plan.json");
    writeFileSync(plan, readFileSync(plan, "utf8").replace('"false"', '"true"'));
    const resumed = here.unstuck("resume");
    assert.equal(resumed.code, 2, resumed.out + resumed.err);
    assert.match(resumed.err, /plan\.json in its folder was changed/);
  });
});

test("V7: a person's words are recorded without secrets", async () => {
  await within(async (here) => {
    const agent = here.agent({ goal: [{ error: "Invalid API key. Please run /login", exit: 1 }] });
    here.unstuck("run", "--goal", "g", "--agent", agent, "--check", "sh check.sh");
    const [question] = here.unstuck("inbox", "--json").out.trim().split("\n");
    const { id } = JSON.parse(question ?? "{}") as { id: string };
    here.unstuck("resolve", id, "--retry", `take ${KEY}`);
    for (const name of readdirSync(here.home).filter((one) => one.startsWith("unstuck.db")))
      assert.ok(!readFileSync(join(here.home, name)).includes(KEY), name);
  });
});
