// proves: J5, A1, A2, A9, A10, B10
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, inputsOf, owner, planFile, recoveriesOf, until } from "./runs.ts";

const FILES = {
  "value.txt": "1\n",
  "check.sh":
    "grep -q '^2$' value.txt && exit 0\necho \"FAIL value: it says $(cat value.txt)\"\nexit 1\n",
};
const IDLE: ScriptedAttempt = { print: "I am still looking into it" };
const RIGHT: ScriptedAttempt = { ...IDLE, write: { "value.txt": "2\n" } };
const FIX = "id: fix, prompt: make the value 2, checks: [sh check.sh]";

const lines = (count: number, word: string): string => `${word}\n`.repeat(count);

async function inRepository(body: (here: Repository) => void | Promise<void>): Promise<void> {
  const here = repository(FILES);
  try {
    await body(here);
  } finally {
    here.remove();
  }
}

interface Scored {
  readonly score: number;
  readonly progressed: boolean;
  readonly recovered: boolean;
  readonly state: { readonly status: string; readonly noProgress: number };
}

const scoresOf = (here: Repository): readonly Scored[] =>
  eventsOf(here.events(), "progress-scored") as unknown as readonly Scored[];

const STUCK_RECOVERY = ["grounding: false", "policy: stuck-recovery"];

test(
  "each attempt is scored; three in a row below 0.15 are stuck, and any progress starts the count anew",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const commit = [
        ["git", "add", "-A"],
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a step"],
      ];
      const agent = here.agent({
        fix: [
          IDLE,
          { ...IDLE, write: { "near-miss.txt": lines(49, "a") } },
          { ...IDLE, write: { "left.txt": lines(50, "b") } },
          IDLE,
          { ...IDLE, write: { "committed.txt": lines(50, "c") }, run: commit },
          { ...IDLE, write: { "much.txt": lines(400, "d") } },
          IDLE,
          IDLE,
          IDLE,
          { print: "other words <progress>one</progress> <progress>two</progress>" },
          {
            print: "<progress>one</progress> <progress> </progress>",
            write: { "said.txt": "a\n" },
          },
          RIGHT,
        ],
      });
      const ran = here.unstuck("run", planFile(here, agent, [FIX], STUCK_RECOVERY), "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      const scored = scoresOf(here).map(
        ({ score, state: { status, noProgress } }) => `${score} ${status} ${noProgress}`,
      );
      assert.deepEqual(scored, [
        "0.075 progressing 1", // the first words are all new, and no more than words
        "0.147 warning 2",
        "0.15 progressing 0",
        "0 progressing 1", // an old diff is worth nothing
        "0.15 progressing 0", // committed or not, it is the same
        "0.3 progressing 0", // 100 lines are the most that counts
        "0 progressing 1",
        "0 warning 2",
        "0 stuck 3",
        "0.075 recovering 4", // new words and new markers, but words alone
        "0.303 progressing 0", // a line of work makes new words count, and an old marker does not
      ]);
      assert.equal(scoresOf(here).at(-1)?.recovered, true);
      const mutations = recoveriesOf(here.events()).filter((kind) => kind === "mutate");
      assert.equal(mutations.length, 2, "recovery began once, when it was stuck");
      assert.equal(recoveriesOf(here.events()).indexOf("mutate"), 8);
    }),
);

test("checks that pass now and failed before are progress", () =>
  inRepository((here) => {
    const suite =
      "import { existsSync } from 'node:fs'; import { test } from 'node:test'; import assert from 'node:assert';\n" +
      "for (const name of ['one', 'two', 'three', 'four']) test(`has ${name}`, () => assert.ok(existsSync(name)));\n";
    const same = { write: { "a.test.mjs": suite }, ...IDLE };
    const agent = here.agent({
      fix: [same, { ...IDLE, write: { one: "", two: "" } }, IDLE, IDLE],
    });
    const plan = planFile(
      here,
      agent,
      ["id: fix, prompt: p, checks: [node --test a.test.mjs], limits: { max_retries: 2 }"],
      STUCK_RECOVERY,
    );
    assert.equal(here.unstuck("run", plan, "--trust").code, 3);
    const scores = scoresOf(here).map(({ score }) => score);
    assert.equal(scores[1], 0.15, "some of what failed passes, and nothing else fails");
    assert.equal(scores[2], 0, "and only once");
  }));

test(
  "the count of attempts without progress, and the metrics, survive kill -9 of the owner",
  inLargeForm("run"),
  () =>
    inRepository(async (here) => {
      const agent = here.agent({ fix: [IDLE, IDLE, { hang: true }, IDLE, RIGHT] });
      const plan = planFile(here, agent, [FIX], STUCK_RECOVERY);
      const first = owner(here.start("run", plan, "--trust"));
      await until(here, (events) => inputsOf(events, "attempt-started").length === 3);
      await first.kill();
      const resumed = here.unstuck("resume");
      assert.equal(resumed.code, 0, resumed.out + resumed.err);
      assert.deepEqual(
        scoresOf(here).map(({ state: { status, noProgress } }) => `${status} ${noProgress}`),
        ["progressing 1", "warning 2", "stuck 3"],
      );
      assert.deepEqual(JSON.parse(here.unstuck("metrics", "--json").out), {
        runs: 1,
        recovery_triggers: 1,
        recovery_success: 1,
        stage_success: { "prompt-mutation": 1 },
        recovery_iterations: 1,
      });
    }),
);

test("metrics count what did not help too, and over all runs", inLargeForm("run"), () =>
  inRepository((here) => {
    const agent = here.agent({ fix: [IDLE] });
    const loop = "loop: { stuck_after: 1, recovery: { branch_exploration: false } }";
    const plan = planFile(here, agent, [FIX], [...STUCK_RECOVERY, loop]);
    assert.equal(here.unstuck("run", plan, "--trust").code, 3);
    const failed = {
      recovery_triggers: 1,
      recovery_success: 0,
      stage_success: {},
      recovery_iterations: 3,
    };
    assert.deepEqual(JSON.parse(here.unstuck("metrics", "--json").out), { runs: 1, ...failed });
    const helped = here.agent({ fix: [IDLE, RIGHT] });
    assert.equal(here.unstuck("run", plan, "--trust", "--agent", helped).code, 0);
    assert.deepEqual(JSON.parse(here.unstuck("metrics", "--json").out), {
      runs: 2,
      recovery_triggers: 2,
      recovery_success: 1,
      stage_success: { "prompt-mutation": 1 },
      recovery_iterations: 4,
    });
  }),
);

/** What an agent that never gets on leads to, as kinds of recoveries. */
function whenIdle(here: Repository, loop: string, flags: readonly string[]): readonly string[] {
  const agent = here.agent({ fix: [IDLE] });
  const plan = planFile(here, agent, [FIX], [...STUCK_RECOVERY, `loop: ${loop}`]);
  const ran = here.unstuck("run", plan, "--trust", ...flags);
  assert.equal(ran.code, 3, ran.out + ran.err);
  return recoveriesOf(here.events());
}

const ONE_MUTATION = "branch_exploration: false, prompt_mutations: 1";

const SETTINGS = [
  {
    name: "stuck_after and prompt_mutations of the plan",
    loop: `{ stuck_after: 2, recovery: { ${ONE_MUTATION} } }`,
    flags: [],
    recoveries: ["retry", "mutate", "ask"],
  },
  {
    name: "--stuck-after wins over the plan",
    loop: `{ stuck_after: 9, recovery: { ${ONE_MUTATION} } }`,
    flags: ["--stuck-after", "1"],
    recoveries: ["mutate", "ask"],
  },
  {
    name: "progress_threshold and total_recovery_budget of the plan",
    loop: "{ stuck_after: 1, progress_threshold: 0.31, recovery: { total_recovery_budget: 2 } }",
    flags: [],
    recoveries: ["mutate", "mutate", "ask"],
  },
  {
    name: "--progress-threshold and --recovery-budget win over the plan",
    loop: "{ stuck_after: 1, progress_threshold: 0, recovery: { total_recovery_budget: 9 } }",
    flags: ["--progress-threshold", "0.31", "--recovery-budget", "1"],
    recoveries: ["mutate", "ask"],
  },
];

for (const { name, loop, flags, recoveries } of rowsOf("run", SETTINGS, [
  "--progress-threshold and --recovery-budget win over the plan",
]))
  test(`settings of the loop: ${name}`, () =>
    inRepository((here) => {
      assert.deepEqual(whenIdle(here, loop, flags), recoveries);
    }));

test(
  "settings of the loop: branch_count and branch_budget shape the exploration",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const recovery = "prompt_mutations: 0, branch_count: 2, branch_budget: 1";
      const recoveries = whenIdle(here, `{ stuck_after: 1, recovery: { ${recovery} } }`, []);
      assert.deepEqual(recoveries, ["explore", "ask"]);
      const [started] = eventsOf(here.events(), "exploration-started");
      const branches = started?.["branches"] as { id: string; iterations: number }[];
      assert.deepEqual(
        branches.map(({ id, iterations }) => [id, iterations]),
        [
          ["bottom-up", 1],
          ["research-first", 1],
        ],
      );
      const begun = eventsOf(here.events(), "attempt-dispatched");
      assert.equal(begun.length, 3, "one of the loop and one for each branch");
    }),
);

test("settings of the loop: what is out of bounds is refused before anything starts", () =>
  inRepository((here) => {
    const agent = here.agent({ fix: [IDLE] });
    const plan = planFile(here, agent, [FIX]);
    const refused = [
      ["--stuck-after", "0"],
      ["--stuck-after", "many"],
      ["--stuck-after", "1.5"],
      ["--concurrency", "0"],
      ["--progress-threshold", "2"],
      ["--recovery-budget", "-1"],
    ].map((flag) => [flag.join(" "), here.unstuck("run", plan, "--trust", ...flag).code]);
    assert.deepEqual(
      refused.filter(([, code]) => code !== 2),
      [],
    );
    const misspelt = planFile(here, agent, [FIX], ["loop: { stuck_aftr: 2 }"]);
    const ran = here.unstuck("run", misspelt, "--trust");
    assert.equal(ran.code, 2);
    assert.match(ran.err, /plan\.yaml:2:.*loop/);
    assert.deepEqual(here.runs(), []);
  }));

const wrote = (value: string, approach: string): ScriptedAttempt => ({
  write: { "value.txt": `${value}\n` },
  print: `<approach>${approach}</approach>`,
});

/** What three attempts do, by the name of their subtask, and why that is a circle. */
const THREE: Readonly<Record<string, readonly [readonly ScriptedAttempt[], RegExp?]>> = {
  "back-again": [
    [wrote("apple", "x one"), wrote("pear", "y two"), wrote("apple", "z three")],
    /^attempt 3 ends with the tree of failed attempt 1, after attempt 2 had left it$/,
  ],
  "same-approach": [
    [
      wrote("apple", "Use a regular expression"),
      wrote("pear", "a regular expression"),
      wrote("plum", "use the regular expression again"),
    ],
    /^the same approach in attempts 1, 2, 3$/,
  ],
  "same-failure": [
    [
      wrote("apple", "x one"),
      { ...wrote("apple", "y two"), write: { b: "b\n" } },
      { ...wrote("apple", "z three"), write: { c: "c\n" } },
    ],
    /^the same failure signature in attempts 1, 2, 3$/,
  ],
  "sources-own-pair": [
    [
      wrote("apple", "async/await pattern"),
      wrote("pear", "callback pattern"),
      wrote("plum", "events pattern"),
    ],
  ],
  "no-change": [[wrote("apple", "x one"), wrote("pear", "y two"), { print: "nothing to do" }]],
};

test("what is a circle, and what only looks like one", inLargeForm("run"), () =>
  inRepository((here) => {
    const agent = here.agent(
      Object.fromEntries(Object.entries(THREE).map(([id, [attempts]]) => [id, attempts])),
    );
    const subtasks = Object.keys(THREE).map(
      (id) => `id: ${id}, prompt: p, checks: [sh check.sh], limits: { max_retries: 2 }`,
    );
    assert.equal(here.unstuck("run", planFile(here, agent, subtasks), "--trust").code, 3);
    const seen = eventsOf(here.events(), "circular-fix-seen");
    for (const [id, [, because]] of Object.entries(THREE)) {
      const told = seen.filter(({ subtask }) => subtask === id).map((event) => event["because"]);
      assert.equal(told.length, because === undefined ? 0 : 1, `${id}: ${told.join()}`);
      if (because !== undefined) assert.match(String(told[0]), because);
    }
  }),
);

test(
  "after a circle the next recovery is another one: no retry, no feedback",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const circle = [wrote("apple", "x one"), wrote("pear", "y two"), wrote("apple", "z three")];
      const agent = here.agent({ fix: [...circle, RIGHT] });
      const ran = here.unstuck("run", planFile(here, agent, [FIX]), "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.deepEqual(recoveriesOf(here.events()), ["feedback", "feedback", "mutate"]);
      assert.match(ran.out, /goes in circles/);
    }),
);
