// proves: U5, U6, U9, E1, E2, E3, E10, U14, A11
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository } from "./repository.ts";

const GOAL = ["run", "--goal", "make the value 2", "--check", "sh check.sh"];

test("a goal, grounded where that is asked for, is worked on, checked, merged and published; the checkout stays as it was", () => {
  const here = repository();
  try {
    writeFileSync(join(here.path, "untracked.txt"), "mine\n");
    const before = here.git("status", "--porcelain");
    const agent = here.agent({ goal: [{ write: { "value.txt": "2\n" }, print: "done" }] });
    const ran = here.unstuck(...GOAL, "--grounding", "--agent", agent);
    assert.equal(ran.code, 0, ran.err + ran.out);
    assert.match(ran.out, /\[grounding\] answered[^]*\[goal\] verified[^]*run verified/);
    assert.match(ran.err, /1 uncommitted change is not part of this run/);
    const branch = here.git("branch", "--list", "unstuck/*").trim();
    assert.equal(here.git("show", `${branch}:value.txt`), "2\n");
    assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "1\n");
    assert.equal(here.git("status", "--porcelain"), before);
  } finally {
    here.remove();
  }
});

test("failing checks go back to the agent, with what failed, until they pass", () => {
  const here = repository();
  try {
    const agent = here.agent({
      goal: [
        { write: { "value.txt": "3\n" }, print: "<approach>three</approach> done" },
        { expectPrompt: "PREVIOUS ATTEMPTS", write: { "value.txt": "2\n" }, print: "done" },
      ],
    });
    const ran = here.unstuck(...GOAL, "--no-grounding", "--agent", agent);
    assert.equal(ran.code, 0, ran.err + ran.out);
    const kinds = here.events().map(({ event }) => event.kind);
    assert.equal(kinds.filter((kind) => kind === "attempt-dispatched").length, 2);
    assert.equal(kinds.filter((kind) => kind === "recovery-chosen").length, 1);
    assert.match(here.unstuck("diff", "--attempt", "goal/1").out, /\+3/);
    const second = (against: string) =>
      here.unstuck("diff", "--attempt", "goal/2", "--against", against);
    assert.match(second("goal/1").out, /^-3\n\+2$/m);
    assert.match(second("base").out, /^-1\n\+2$/m);
    assert.match(second("good").err, /goal has no good commit: its checks have not passed yet/);
    assert.match(second("goal/9").err, /has no attempt goal\/9; see them: unstuck logs \S+ --list/);
    assert.match(here.unstuck("diff", "--against", "good").err, /--against needs --attempt/);
  } finally {
    here.remove();
  }
});

test("the agent's word alone is unverified, exit code 6", inLargeForm("run"), () => {
  const here = repository();
  try {
    const agent = here.agent({ goal: [{ write: { "value.txt": "9\n" }, print: "all done" }] });
    const ran = here.unstuck("run", "--goal", "g", "--no-grounding", "--agent", agent);
    assert.equal(ran.code, 6, ran.err + ran.out);
  } finally {
    here.remove();
  }
});

test(
  "what needs a person ends with exit code 3 and a question; independent work went on",
  inLargeForm("run"),
  () => {
    const here = repository();
    try {
      const plan = join(here.path, "plan.yaml");
      const agent = here.agent({
        a: [{ error: "Error: Invalid API key. Please run /login", exit: 1 }],
      });
      const other = here.agent({ c: [{ write: { "c.txt": "c\n" }, print: "done" }] });
      const agents = `{main: {command: ${JSON.stringify(agent)}}, other: {command: ${JSON.stringify(other)}}}`;
      const subtasks =
        "  - {id: a, prompt: pa}\n  - {id: b, prompt: pb, dependsOn: [a]}\n  - {id: c, prompt: pc, tier: 2, checks: [test -f c.txt]}\n";
      writeFileSync(
        plan,
        `agents: ${agents}\nmodels: [{agent: main}, {agent: other, tier: 2}]\ngrounding: false\nsubtasks:\n${subtasks}`,
      );
      const untrusted = here.unstuck("run", plan);
      assert.equal(untrusted.code, 3);
      assert.match(untrusted.err, /check: test -f c\.txt[^]*--trust/);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 3, ran.err + ran.out);
      assert.match(ran.out, /\[a\] not logged in: /);
      assert.match(ran.out, /\[c\] verified/);
      const { out } = here.unstuck(
        "status",
        "--json",
        ...runIds(here.unstuck("status", "--json").out),
      );
      const { subtasks: rows } = JSON.parse(out) as { subtasks: { id: string; phase: string }[] };
      assert.deepEqual(
        rows.map(({ id, phase }) => [id, phase]),
        [
          ["a", "asking"],
          ["b", "blocked"],
          ["c", "verified"],
        ],
      );
      assert.equal(
        here.unstuck("run", plan).code,
        3,
        "trusted now: it asks about the key again, not about trust",
      );
    } finally {
      here.remove();
    }
  },
);

const runIds = (json: string): string[] =>
  (JSON.parse(json) as { runs: { id: string }[] }).runs.slice(0, 1).map(({ id }) => id);

test(
  "a question is answered from another terminal and the run goes on where it stood, with the words in the prompt",
  inLargeForm("run"),
  () => {
    const here = repository();
    try {
      const agent = here.agent({
        goal: [
          { error: "Error: Invalid API key. Please run /login", exit: 1 },
          { expectPrompt: "the key is set now", write: { "value.txt": "2\n" }, print: "done" },
        ],
      });
      assert.equal(here.unstuck(...GOAL, "--no-grounding", "--agent", agent).code, 3);
      assert.match(here.unstuck("inbox").out, /goal\/c1[^]*Logged in: try again \(recommended\)/);
      assert.equal(here.unstuck("resolve", "goal/c9", "--skip").code, 2);
      assert.equal(
        here.unstuckWith({ UNSTUCK_ATTEMPT: "x" }, "resolve", "goal/c1", "--skip").code,
        2,
      );
      assert.match(
        here.unstuck("resolve", "goal/c1", "--retry", "the key is set now").out,
        /unstuck resume/,
      );
      const ran = here.unstuck("resume");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.match(here.unstuck("explain", "--verbose").out, /auth_required[^]*guard:fatal/);
    } finally {
      here.remove();
    }
  },
);

test("declared inputs reach a subtask, other subtasks' words do not; missing data is to be reported", () => {
  const here = repository();
  try {
    const plan = join(here.path, "plan.yaml");
    const agent = here.agent({
      look: [{ print: "the answer is blue" }],
      other: [{ print: "the answer is red", write: { "o.txt": "o" } }],
      use: [{ expectPrompt: "the answer is blue", print: "done", write: { "u.txt": "u" } }],
    });
    writeFileSync(
      plan,
      `agent: ${JSON.stringify(agent)}\nsubtasks:\n  - {id: look, prompt: look, readOnly: true}\n  - {id: other, prompt: o}\n  - {id: use, prompt: use it, inputs: [look], dependsOn: [other]}\n`,
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 6, ran.err + ran.out);
    assert.ok(!ran.out.includes("the prompt does not say"));
  } finally {
    here.remove();
  }
});

test("bad plans name their line; a folder that is no repository is said so", () => {
  const here = repository();
  try {
    const plan = join(here.path, "plan.yaml");
    writeFileSync(plan, "agent: x\nsubtasks:\n  - id: a\n    prompt: p\n    dependsOn: [nobody]\n");
    const ran = here.unstuck("run", plan);
    assert.equal(ran.code, 2);
    assert.match(
      ran.err,
      /plan\.yaml:5:17: subtasks\.0\.dependsOn\.0: there is no subtask "nobody"/,
    );
  } finally {
    here.remove();
  }
});

test(
  "apply takes the result over, undo takes that back, clean keeps what is then nowhere else",
  inLargeForm("run"),
  () => {
    const here = repository();
    try {
      const agent = here.agent({
        goal: [{ write: { "value.txt": "2\n", "new file.txt": "n\n" }, print: "done" }],
      });
      assert.equal(here.unstuck(...GOAL, "--no-grounding", "--agent", agent).code, 0);
      assert.match(here.unstuck("apply", "--dry-run").out, /would apply run .*: 2 files/);
      writeFileSync(join(here.path, "value.txt"), "dirty\n");
      const refused = here.unstuck("apply");
      assert.equal(refused.code, 2);
      assert.match(refused.err, /value\.txt/);
      here.git("checkout", "--", "value.txt");
      assert.equal(here.unstuck("apply").code, 0);
      assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "2\n");
      assert.equal(here.unstuck("undo").code, 0);
      assert.equal(readFileSync(join(here.path, "value.txt"), "utf8"), "1\n");
      assert.match(here.unstuck("clean", "--older-than", "0").out, /kept: 1 commit not applied/);
    } finally {
      here.remove();
    }
  },
);

test(
  "full permissions are the user's own word: their config or a flag, shown at the start",
  inLargeForm("run"),
  () => {
    const here = repository();
    try {
      const config = join(here.home, "..", ".config", "unstuck");
      const agent = here.agent({ goal: [{ write: { "value.txt": "2\n" } }] });
      const plain = here.unstuck(...GOAL, "--no-grounding", "--agent", agent);
      assert.doesNotMatch(plain.err, /full permissions/);
      assert.match(
        here.unstuck(...GOAL, "--no-grounding", "--full-permissions", "--agent", agent).err,
        /agents have full permissions, as you asked/,
      );
      mkdirSync(config, { recursive: true });
      writeFileSync(join(config, "config.yaml"), "permissions: full\n");
      const env = { XDG_CONFIG_HOME: join(here.home, "..", ".config") };
      const ran = here.unstuckWith(env, ...GOAL, "--no-grounding", "--agent", agent);
      assert.match(ran.err, /agents have full permissions/);
      writeFileSync(join(config, "config.yaml"), "permisions: full\n");
      const wrong = here.unstuckWith(env, ...GOAL, "--no-grounding", "--agent", agent);
      assert.equal(wrong.code, 2);
      assert.match(wrong.err, /config\.yaml:1/);
    } finally {
      here.remove();
    }
  },
);
