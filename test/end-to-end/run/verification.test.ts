// proves: B3, U3, U5, U9, U11, U13, U14, E3
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { LAUNCHER } from "../../cli/command.ts";
import { repository, type Repository } from "./repository.ts";
import {
  branchOf,
  eventsOf,
  failuresOf,
  inputsOf,
  orphansOf,
  phasesOf,
  planFile,
  recoveriesOf,
} from "./runs.ts";

function inRepository(files: Readonly<Record<string, string>>, body: (here: Repository) => void) {
  const here = repository(files);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const VALUE = { "value.txt": "1\n" };
const IS_TWO = 'checks: ["grep -q ^2$ value.txt"]';
const right = { write: { "value.txt": "2\n" }, print: "done" };
const filesOf = (here: Repository): string[] =>
  here.git("ls-tree", "-r", "--name-only", branchOf(here)).trim().split("\n");

test(
  "B3: a broken build goes back to the last good commit; what was there is kept and not lost",
  inLargeForm("run"),
  () =>
    inRepository({ "a.mjs": "export const a = 1;\n" }, (here) => {
      const agent = here.agent({
        good: [{ write: { "good.txt": "good\n" }, print: "done" }],
        a: [
          {
            write: { "a.mjs": "export const a = {;\n", "mess.txt": "mess\n" },
            print: "<approach>braces</approach> done",
          },
          { expectPrompt: "DIFFERENT", write: { "b.mjs": "export const b = 2;\n" }, print: "done" },
        ],
      });
      const plan = planFile(here, agent, [
        'id: good, prompt: g, checks: ["test -f good.txt"]',
        'id: a, prompt: a, dependsOn: [good], checks: ["node --check a.mjs"]',
      ]);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      const events = here.events();
      assert.deepEqual(failuresOf(events), ["a broken_build"]);
      assert.deepEqual(recoveriesOf(events), ["fresh"]);
      const [good] = inputsOf(events, "merge-ended");
      const { commit } = good?.["result"] as { commit: string };
      const second = eventsOf(events, "attempt-dispatched").at(-1)?.["spec"] as { tree: object };
      assert.deepEqual(second.tree, { kind: "good", commit }, "recorded after its checks passed");
      here.git("merge-base", "--is-ancestor", commit, branchOf(here));
      assert.match(here.unstuck("diff", "--attempt", "a/1").out, /mess\.txt[^]*\+mess/);
      assert.deepEqual(filesOf(here), ["a.mjs", "b.mjs", "good.txt"]);
    }),
);

test("U3: a silent agent is ended with all it started, its work is kept, and the next goes on from it", () =>
  inRepository(VALUE, (here) => {
    const agent = here.agent({
      a: [
        {
          write: { "half.txt": "half\n" },
          run: [["setsid", "sh", "-c", "sleep 60 &"]],
          hang: true,
        },
        right,
      ],
    });
    const plan = planFile(here, agent, [
      `id: a, prompt: a, limits: { idleMinutes: 0.03 }, ${IS_TWO}`,
    ]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.deepEqual(failuresOf(here.events()), ["a hung"]);
    assert.deepEqual(recoveriesOf(here.events()), ["continue"]);
    assert.equal(here.git("show", `${branchOf(here)}:half.txt`), "half\n");
    assert.deepEqual(orphansOf(here.runs()[0] ?? ""), []);
  }));

test(
  "U5: an agent that says it is done while its checks fail is not done",
  inLargeForm("run"),
  () =>
    inRepository(VALUE, (here) => {
      const agent = here.agent({
        a: [{ write: { "value.txt": "3\n" }, print: "All tests pass!" }],
      });
      const plan = planFile(
        here,
        agent,
        [`id: a, prompt: a, limits: { max_retries: 1 }, ${IS_TWO}`],
        ["grounding: false", "policy: tier-ladder"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual(failuresOf(here.events()), [
        "a verification_failed",
        "a verification_failed",
      ]);
      assert.notEqual(phasesOf(here)["a"], "verified");
    }),
);

test("U9: every attempt is kept and can be looked at: what it changed, what it said, what it took", () =>
  inRepository(VALUE, (here) => {
    const agent = here.agent({
      a: [3, 4, 2].map((value) => ({
        write: { "value.txt": `${value}\n` },
        print: `<approach>try ${value}</approach> I say ${value}`,
      })),
    });
    const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
    assert.equal(here.unstuck("run", plan, "--trust").code, 0);
    const [run = ""] = here.runs();
    const ends = inputsOf(here.events(), "attempt-ended");
    for (const [index, value] of [3, 4, 2].entries()) {
      const attempt = `a/${index + 1}`;
      assert.match(
        here.unstuck("diff", "--attempt", attempt).out,
        new RegExp(`^\\+${value}$`, "m"),
      );
      const folder = join(here.home, "runs", run, "attempts", attempt);
      assert.ok(existsSync(folder));
      const said = ends[index] as {
        remains: { output: string; approach: string; used: { timeMs: number } };
      };
      assert.match(said.remains.output, new RegExp(`I say ${value}`));
      assert.equal(said.remains.approach, `try ${value}`);
      assert.ok(said.remains.used.timeMs > 0);
    }
  }));

const COUNTED = (then: string): string =>
  `n=$(cat "$HOME/count" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "$HOME/count"; ${then}\n`;

test("U11: a flaky check runs again on the same tree before blaming the code", () =>
  inRepository(
    { ...VALUE, "check.sh": COUNTED("grep -q ^2$ value.txt && test $n -ne 2") },
    (here) => {
      const agent = here.agent({ a: [right] });
      const plan = planFile(here, agent, ['id: a, prompt: a, checks: ["sh check.sh"]']);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.match(ran.out, /running its checks again before blaming the code/);
      assert.deepEqual(failuresOf(here.events()), []);
      const count = readFileSync(join(here.path, "..", "count"), "utf8");
      assert.equal(count, "5\n", "base, twice for the work, and a flaky pass is never remembered");
    },
  ));

test("U11: a check that cannot run is run again, and is not a failing check", () =>
  inRepository({ ...VALUE, "check.sh": "grep -q ^2$ value.txt\n" }, (here) => {
    const agent = here.agent({ a: [{ ...right, remove: ["check.sh"] }] });
    const plan = planFile(here, agent, [
      'id: a, prompt: a, checks: ["if test -f check.sh; then sh check.sh; else no-such-checker-at-all; fi"]',
    ]);
    const ran = here.unstuck("run", plan, "--trust", "--recovery-budget", "0");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const events = here.events();
    assert.deepEqual(
      inputsOf(events, "checks-ended").map(({ round, result }) => [
        round,
        (result as { kind: string }).kind,
      ]),
      [1, 2, 3].map((round) => [round, "could-not-run"]),
    );
    assert.deepEqual(failuresOf(events), ["a command_not_found"]);
  }));

test("U13: plan and checks are pinned at the start; an agent that rewrites them changes nothing", () =>
  inRepository(VALUE, (here) => {
    const weaker = "agent: x\nsubtasks:\n  - { id: a, prompt: a, checks: ['true'] }\n";
    const plan = join(here.path, "..", "plan.yaml");
    const rewrite = ["sh", "-c", `printf '%s' "$0" > '${plan}'`, weaker];
    const agent = here.agent({
      a: [{ write: { "unstuck.yaml": weaker, "value.txt": "3\n" }, run: [rewrite] }, right],
    });
    planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
    const ran = here.unstuckWith({ UNSTUCK_CRASH_AT: "before-append#2" }, "run", plan, "--trust");
    assert.equal(ran.code, null, "it died on the way, and the plan file is another one by now");
    writeFileSync(plan, weaker);
    const resumed = here.unstuck("resume");
    assert.equal(resumed.code, 0, resumed.out + resumed.err);
    assert.equal(here.git("show", `${branchOf(here)}:value.txt`), "2\n");
    assert.deepEqual(
      failuresOf(here.events()).filter((failure) => failure !== "a lost"),
      ["a verification_failed"],
    );
  }));

test(
  "U13: what failed or passed before anybody worked is said at the start",
  inLargeForm("run"),
  () =>
    inRepository(VALUE, (here) => {
      const agent = here.agent({ a: [right] });
      const checks = 'checks: ["grep -q ^2$ value.txt", "test -f value.txt"]';
      const plan = planFile(here, agent, [`id: a, prompt: a, ${checks}`]);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.match(
        ran.out,
        /on the base: grep -q \^2\$ value\.txt fails, test -f value\.txt passes already/,
      );
    }),
);

test("U14: a plan runs only as trusted; an agent cannot answer, stop, resume or clean for its person", () =>
  inRepository(VALUE, (here) => {
    const inside = (words: string): string[] => [
      "sh",
      "-c",
      `"$0" "$1" ${words}; echo "${words} $?" >> "$HOME/codes"`,
      process.execPath,
      LAUNCHER,
    ];
    const commands = ["stop", "resume", "resolve a/c1 --skip", "clean --older-than 0", "apply"];
    const agent = here.agent({ a: [{ ...right, run: commands.map(inside) }] });
    const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`]);
    const refused = here.unstuck("run", plan);
    assert.equal(refused.code, 3);
    assert.match(refused.err, /agent agent: [^]*check: grep -q \^2\$ value\.txt[^]*--trust/);
    assert.equal(
      here.unstuck("status").out,
      'no runs yet; start one: unstuck "make the tests pass"\n',
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const codes = readFileSync(join(here.path, "..", "codes"), "utf8")
      .trim()
      .split("\n");
    assert.deepEqual(
      codes,
      commands.map((words) => `${words} 2`),
    );
    writeFileSync(plan, `${readFileSync(plan, "utf8")}# another content\n`);
    assert.equal(here.unstuck("run", plan).code, 3);
  }));

test(
  "E3: a subtask is told its declared inputs and nothing else that others said",
  inLargeForm("run"),
  () =>
    inRepository(VALUE, (here) => {
      const script = here.agent({
        look: [{ print: "the answer is blue" }],
        other: [{ print: "the answer is red", write: { "o.txt": "o\n" } }],
        use: [{ print: "done", write: { "u.txt": "u\n" } }],
      });
      const agent =
        `sh -c 'printf %s "$1" > "$HOME/$UNSTUCK_SUBTASK.prompt"; shift; exec "$@"' sh {prompt} ` +
        script;
      const plan = planFile(
        here,
        agent,
        [
          "id: look, prompt: look around, readOnly: true",
          "id: other, prompt: the other work",
          "id: use, prompt: use it, inputs: [look], dependsOn: [other]",
        ],
        [],
      );
      assert.equal(here.unstuck("run", plan, "--trust").code, 6);
      const prompt = (id: string): string =>
        readFileSync(join(here.path, "..", `${id}.prompt`), "utf8");
      assert.match(prompt("use"), /the answer is blue/);
      assert.doesNotMatch(prompt("use"), /the answer is red|the other work/);
      assert.doesNotMatch(prompt("other"), /blue|use it/);
    }),
);
