// proves: U6, U9, U13, B5
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "./repository.ts";

const GOAL = ["run", "--goal", "make the value 2", "--check", "sh check.sh", "--no-grounding"];

function within(body: (here: Repository) => void, files?: Readonly<Record<string, string>>): void {
  const here = repository(files);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

test("two subtasks change the same line: the second gets both sides in its tree and settles it", () => {
  const files = { "list.txt": "start\n", "check.sh": "! grep -q '<<<<' list.txt\n" };
  within((here) => {
    const settled = {
      expectPrompt: "between conflict markers",
      write: { "list.txt": "from a\nfrom b\n" },
      print: "settled",
    };
    const agent = here.agent({
      a: [{ write: { "list.txt": "from a\n" }, sleepMs: 1000, print: "done" }, settled],
      b: [{ write: { "list.txt": "from b\n" }, sleepMs: 1000, print: "done" }, settled],
    });
    const plan = join(here.path, "plan.yaml");
    writeFileSync(
      plan,
      `agent: ${JSON.stringify(agent)}\ngrounding: false\nconcurrency: 2\nchecks: [sh check.sh]\n` +
        "subtasks:\n  - {id: a, prompt: pa}\n  - {id: b, prompt: pb}\n",
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.err + ran.out);
    const [, second = ""] = /\[([ab])\] merge conflict/.exec(ran.out) ?? [];
    const [run = ""] = here.runs();
    assert.equal(here.git("show", `unstuck/${run}:list.txt`), "from a\nfrom b\n");
    const seen = here.unstuck("diff", "--attempt", `${second}/2`).out;
    assert.match(seen, /-<<<<<<<[^]*from [ab][^]*from [ab][^]*->>>>>>>/);
  }, files);
});

test("a change to a file that the plan protects fails the attempt", inLargeForm("run"), () => {
  within((here) => {
    const agent = here.agent({
      goal: [
        { write: { "check.sh": "true\n", "value.txt": "3\n" }, print: "done" },
        {
          expectPrompt: "changed what the plan protects: check.sh",
          write: { "check.sh": "grep -q '^2$' value.txt\n", "value.txt": "2\n" },
          print: "done",
        },
      ],
    });
    const plan = join(here.path, "plan.yaml");
    writeFileSync(
      plan,
      `agent: ${JSON.stringify(agent)}\ngrounding: false\ngoal: make it 2\nchecks: [sh check.sh]\n` +
        "workspace: {protect: ['*.sh'], forbidProtected: true}\n",
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.err + ran.out);
    const kinds = here.events().map(({ event }) => event.kind);
    assert.equal(kinds.filter((kind) => kind === "attempt-dispatched").length, 2);
  });
});

const CHECK_NAMES = {
  "a.test.mjs":
    'import { readFileSync } from "node:fs"; import { test } from "node:test"; import assert from "node:assert";\n' +
    'const has = (word) => assert.ok(readFileSync("done.txt", "utf8").includes(word));\n' +
    'for (const word of ["one", "two", "three"]) test(`has ${word}`, () => has(word));\n',
  "done.txt": "nothing\n",
};

test(
  "giving up keeps the best tree: a person's retry starts from it, and apply can take it over",
  inLargeForm("run"),
  () => {
    within((here) => {
      const agent = here.agent({
        goal: [
          { write: { "done.txt": "one two\n" }, print: "<approach>a</approach>" },
          { write: { "done.txt": "one\n" }, print: "<approach>b</approach>" },
          { write: { "done.txt": "worse\n" }, print: "<approach>c</approach>" },
          { append: { "done.txt": "three\n" } },
        ],
      });
      const goal = ["run", "--goal", "g", "--check", "node --test a.test.mjs", "--no-grounding"];
      const ran = here.unstuck(...goal, "--policy", "recovery-actions", "--agent", agent);
      assert.equal(ran.code, 3, ran.err + ran.out);
      const parked = here.events().find(({ event }) => event.kind === "subtask-parked");
      assert.equal(parked?.event["best"], 1);
      assert.equal(here.unstuck("apply", "--attempt", "goal/1").code, 0);
      assert.equal(readFileSync(join(here.path, "done.txt"), "utf8"), "one two\n");
      assert.equal(here.unstuck("undo", "--attempt", "goal/1").code, 0);
      assert.equal(readFileSync(join(here.path, "done.txt"), "utf8"), "nothing\n");
      assert.equal(here.unstuck("resolve", "goal/c1", "--retry", "try harder").code, 0);
      const resumed = here.unstuck("resume");
      assert.equal(resumed.code, 0, resumed.err + resumed.out);
      const [run = ""] = here.runs();
      assert.equal(here.git("show", `unstuck/${run}:done.txt`), "one two\nthree\n");
    }, CHECK_NAMES);
  },
);

test("in place: the agent works in the checkout itself, a failed try included; undo takes all of it back", () => {
  within((here) => {
    writeFileSync(join(here.path, "mine.txt"), "not committed\n");
    const agent = here.agent({
      goal: [
        { write: { "value.txt": "3\n", "junk.txt": "x\n" }, remove: ["mine.txt"], print: "done" },
        { write: { "value.txt": "2\n" }, print: "done" },
      ],
    });
    const refs = here.git("for-each-ref");
    const ran = here.unstuck(...GOAL, "--in-place", "--agent", agent);
    assert.equal(ran.code, 0, ran.err + ran.out);
    assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "2\n");
    assert.ok(existsSync(join(here.path, "junk.txt")));
    assert.equal(here.git("for-each-ref", "refs/heads"), refs, "no branch is made");
    const back = here.unstuck("undo");
    assert.equal(back.code, 0, back.err);
    assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "1\n");
    assert.equal(readFileSync(join(here.path, "mine.txt"), "utf8"), "not committed\n");
    assert.ok(!existsSync(join(here.path, "junk.txt")));
    const again = here.unstuck("undo", "--to", "goal/2/after");
    assert.equal(again.code, 0, again.err);
    assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "2\n");
    assert.equal(here.unstuck("undo", "--to", "no/such/snapshot").code, 2);
  });
});
