// proves: J5, J6, J7, A2, B7, B10
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";
import { rephrased, words } from "./rephrasing-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, inputsOf, planFile, recoveriesOf } from "./runs.ts";

const CHECK = "sh check.sh";
const FILES: Readonly<Record<string, string>> = {
  "value.txt": "1\n",
  "left.txt": "5\n",
  // Nothing is wrong once it says 0; else it counts, as many runners do.
  "check.sh": 'n=$(cat left.txt)\n[ "$n" = 0 ] && exit 0\necho "$n failed"\nexit 1\n',
};

interface Run {
  readonly here: Repository;
  readonly out: string;
  readonly starts: number;
}

function ran(
  script: Script,
  policy: string,
  look: (run: Run) => void,
  { check = CHECK, files = FILES } = {},
): void {
  const here = repository(files);
  try {
    const subtasks = [`id: fix, prompt: fix it, checks: [${check}]`];
    const settings = ["grounding: false", `policy: ${policy}`];
    const plan = planFile(here, here.agent(script), subtasks, settings);
    const { out } = here.unstuck("run", plan, "--trust");
    look({ here, out, starts: inputsOf(here.events(), "attempt-started").length });
  } finally {
    here.remove();
  }
}

test(
  "J5: an agent that changes nothing but its words is stuck after three attempts, and its ladder ends",
  inLargeForm("run"),
  () =>
    ran(rephrased({ fix: [{}] }), "stuck-recovery", ({ here, out, starts }) => {
      const scored = eventsOf(here.events(), "progress-scored");
      assert.deepEqual([...new Set(scored.map((event) => event["progressed"]))], [false], out);
      assert.deepEqual(recoveriesOf(here.events()), [
        ...["retry", "retry", "mutate", "mutate", "mutate", "explore", "ask"],
      ]);
      assert.equal(starts, 9, "three in the loop, three mutations, three branches");
    }),
);

const SUITE =
  "import { existsSync } from 'node:fs'; import { test } from 'node:test'; import assert from 'node:assert';\n" +
  "for (const name of ['one', 'two', 'three', 'four', 'five']) test(`has ${name}`, () => assert.ok(existsSync(name)));\n";

test("J5, J6: one named test after the other is progress, and no circle, even with the same words each time", () => {
  const fixes = (name: string) => ({
    write: { [name]: "" },
    print: "<approach>add the next file</approach>",
  });
  ran(
    { fix: ["one", "two", "three", "four", "five"].map(fixes) },
    "standard",
    ({ here, out }) => {
      const scored = eventsOf(here.events(), "progress-scored");
      assert.deepEqual(
        scored.map((event) => event["progressed"]),
        [true, true, true, true],
        out,
      );
      assert.deepEqual(eventsOf(here.events(), "circular-fix-seen"), []);
    },
    { check: "node --test a.test.mjs", files: { ...FILES, "a.test.mjs": SUITE } },
  );
});

test("J6: 5 failed, 3 failed, 1 failed is no circle; 3, 3, 3 is one", inLargeForm("run"), () => {
  const leaves = (left: number, at: number) => ({
    write: { "left.txt": `${left}\n`, [`note-${at}.txt`]: `${left}\n` },
    print: words(at),
  });
  ran({ fix: [5, 3, 1, 0].map(leaves) }, "standard", ({ here, out }) => {
    assert.match(out, /run verified/);
    assert.deepEqual(eventsOf(here.events(), "circular-fix-seen"), []);
    assert.deepEqual(recoveriesOf(here.events()), ["feedback", "feedback", "mutate"]);
  });
  ran({ fix: [3, 3, 3, 0].map(leaves) }, "standard", ({ here, out }) => {
    assert.match(out, /goes in circles/);
    assert.equal(eventsOf(here.events(), "circular-fix-seen").length, 1);
  });
});

const FULL_CONTEXT = "Error: prompt is too long: 214031 tokens > 200000 maximum";

test(
  "J7: a full context is handed over five times without net progress, whatever is said",
  inLargeForm("run"),
  () =>
    ran(
      rephrased({ fix: [{ error: FULL_CONTEXT, exit: 1 }] }),
      "standard",
      ({ here, out, starts }) => {
        const recoveries = recoveriesOf(here.events());
        assert.deepEqual(recoveries.slice(0, 6).join(), `${"continue,".repeat(5)}mutate`, out);
        assert.equal(recoveries.filter((kind) => kind === "continue").length, 5);
        assert.ok(starts < 20, `${starts} starts`);
      },
    ),
);

test(
  "J7: a handed over session that changes the tree counts from the start again",
  inLargeForm("run"),
  () => {
    const works = (at: number) => ({
      ...{ write: { [`part-${at}.txt`]: "x\n" }, error: FULL_CONTEXT, exit: 1 },
    });
    const idle = { error: FULL_CONTEXT, exit: 1 };
    const script = {
      fix: [idle, idle, idle, works(1), idle, idle, idle, idle, { write: { "left.txt": "0\n" } }],
    };
    ran(script, "standard", ({ here, out }) => {
      assert.match(out, /run verified/);
      assert.deepEqual(new Set(recoveriesOf(here.events())), new Set(["continue"]));
    });
  },
);
