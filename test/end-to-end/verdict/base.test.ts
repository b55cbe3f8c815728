// proves: U11, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import { branchOf, failuresOf } from "../run/runs.ts";
import { assertVerified, inProject, judged, logged, promptOf, startsOf } from "./judged.ts";
import type { Judged } from "./judged.ts";

/** Three red tests, of which nobody can mend two here. */
const TESTS = `import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { value } from "./value.js";
test("goal", () => assert.equal(value, 2));
test("needs a server", () => assert.fail("no server here"));
test("needs another user", () => assert.equal(readFileSync("user.txt", "utf8"), "root"));
`;
const THREE_RED = {
  "package.json": '{ "type": "module" }\n',
  "user.txt": "nobody",
  "value.js": "export const value = 1;\n",
  "value.test.js": TESTS,
};
const value = (of: number) => ({
  write: { "value.js": `export const value = ${of};\n` },
  print: `<approach>value ${of}</approach> done`,
});
const CHECK = 'checks: ["node --test"]';

function failedBefore(ended: Judged, subtask = "a") {
  const note = ended.notes(subtask).find(({ kind }) => kind === "failed-before");
  assert.ok(note?.kind === "failed-before", JSON.stringify(ended.notes(subtask)));
  return note;
}

test("V22: what failed before is told apart, and a fix beside it is kept: unverified, not stuck", () =>
  inProject(THREE_RED, (here) => {
    const ended = judged(here, { script: { a: [value(3), value(2)] }, plan: [CHECK] });
    assert.equal(ended.code, 6, ended.ran.out + ended.ran.err);
    assert.equal(ended.phase(), "unverified");
    const note = failedBefore(ended);
    assert.equal(note.fixed, 1);
    assert.equal(note.items.length, 2);
    assert.match(note.items.join("\n"), /needs a server[^]*needs another user/);
    assert.match(ended.ran.out, /1 fixed, 2 failed before too/);
    assert.equal(here.git("show", `${branchOf(here)}:value.js`), "export const value = 2;\n");
    assert.ok(startsOf(here) <= 4, `${startsOf(here)} starts`);
    assert.match(promptOf(here, 2), /failed before[^]*needs a server/i);
  }));

test("V22: under expect: no-worse the same is verified at once", () =>
  inProject(THREE_RED, (here) => {
    const ended = judged(here, {
      script: { a: [value(2)] },
      plan: ['checks: [{ run: "node --test", expect: no-worse }]'],
    });
    assertVerified(ended);
    assert.equal(startsOf(here), 1);
    assert.equal(failedBefore(ended).allowed, true);
  }));

test(
  "V22: under expect: no-worse what broke is a failure all the same",
  inLargeForm("verdict"),
  () =>
    inProject(
      { ...THREE_RED, "value.test.js": `${TESTS}test("fits", () => assert.ok(value < 9));\n` },
      (here) => {
        const ended = judged(here, {
          script: { a: [value(10), value(2)] },
          plan: ['checks: [{ run: "node --test", expect: no-worse }]'],
        });
        assertVerified(ended);
        assert.equal(startsOf(here), 2);
      },
    ),
);

const TWO_RED = {
  "package.json": '{ "type": "module" }\n',
  ...Object.fromEntries(
    ["a", "b"].flatMap((id) => [
      [`${id}.js`, "export default 1;\n"],
      [
        `${id}.test.js`,
        `import { test } from "node:test";\nimport assert from "node:assert/strict";\n` +
          `import ${id} from "./${id}.js";\ntest("${id}", () => assert.equal(${id}, 2));\n`,
      ],
    ]),
  ),
};
const mends = (id: string) => [{ write: { [`${id}.js`]: "export default 2;\n" }, print: "done" }];

for (const [how, depends] of [
  ["side by side", ""],
  ["one after the other", ", dependsOn: [a]"],
] as const)
  test(
    `V22: two subtasks that each mend one of two red tests, ${how}: both are kept`,
    depends === "" ? {} : inLargeForm("verdict"),
    () =>
      inProject(TWO_RED, (here) => {
        const ended = judged(here, {
          script: { a: mends("a"), b: mends("b") },
          subtasks: ["id: a, prompt: a", `id: b, prompt: b${depends}`],
          plan: [CHECK, "concurrency: 2"],
        });
        assert.ok(ended.code === 0 || ended.code === 6, ended.ran.out + ended.ran.err);
        for (const id of ["a", "b"]) {
          assert.match(ended.phase(id), /^(?:un)?verified$/, id);
          assert.equal(here.git("show", `${branchOf(here)}:${id}.js`), "export default 2;\n");
        }
        if (depends !== "") assert.equal(ended.phase("b"), "verified", "nothing is red any more");
        assert.ok(startsOf(here) <= 5, `${startsOf(here)} starts`);
      }),
  );

/** Checks that say nothing about the work; what would mend each of them. */
const CANNOT = [
  {
    name: "whose program is not there",
    check: '"sh runner.sh"',
    why: /no-such-runner/,
    mend: /--setup|--carry/,
  },
  {
    name: "that never ends",
    check: '{ run: "sleep 30", minutes: 0.02 }',
    why: /timed out|time limit|longer/i,
    mend: /minutes|longer/i,
  },
  {
    name: "that needs the network",
    check: '"sh fetch.sh"',
    why: /network|ENOTFOUND/i,
    mend: /network|--setup|--carry/i,
  },
];
const FETCH = 'echo "npm error code ENOTFOUND" >&2\necho "npm error network is down" >&2\nexit 1\n';

for (const { name, check, why, mend } of rowsOf("verdict", CANNOT, ["whose program is not there"]))
  test(`V23: a check ${name} on the base is asked about before any agent starts`, () =>
    inProject(
      { "value.txt": "1\n", "fetch.sh": FETCH, "runner.sh": "no-such-runner --all\n" },
      (here) => {
        const ended = judged(here, {
          script: { a: [{ write: { "value.txt": "2\n" }, print: "done" }] },
          plan: [`checks: [${check}, "grep -q ^2$ value.txt"]`],
        });
        assert.equal(ended.code, 3, ended.ran.out + ended.ran.err);
        assert.equal(startsOf(here), 0, "nothing is spent before it is answered");
        const asked = here.unstuck("inbox", "--json").out.trim();
        const { run } = JSON.parse(asked.split("\n")[0] ?? "") as { run: string };
        assert.equal(run, ended.run);
        assert.match(asked, why);
        assert.match(asked, mend);
        assert.ok(!asked.includes('"subtask":"a"'), "the run asks, not one subtask of it");
      },
    ));

test(
  "V22: what was kept with failures of the base can be let try on after the end, with words",
  inLargeForm("verdict"),
  () =>
    inProject(TWO_RED, (here) => {
      const half = { write: { "a.js": "export default 2;\n" }, print: "done" };
      const rest = { write: { "b.js": "export default 2;\n" }, print: "done" };
      const ended = judged(here, {
        script: { a: [half, { print: "no more" }, rest] },
        plan: [CHECK],
      });
      assert.equal(ended.code, 6, ended.ran.out + ended.ran.err);
      assert.match(ended.ran.out, new RegExp(`unstuck resume ${ended.run} --retry a`));
      assert.equal(here.unstuck("resume", ended.run, "--retry", "b").code, 2);
      const again = here.unstuck("resume", ended.run, "--retry", "a", "--words", "mind b");
      assert.equal(again.code, 0, again.out + again.err);
      assert.match(promptOf(here, 3), /mind b/);
      assert.equal(here.git("show", `${branchOf(here)}:b.js`), "export default 2;\n");
      assert.equal(here.git("show", `${branchOf(here)}:a.js`), "export default 2;\n");
    }),
);

test(
  "V28: a red round whose failing items are the base's is not run twice",
  inLargeForm("verdict"),
  () =>
    inProject(
      {
        ...TWO_RED,
        "package.json": '{ "type": "module" }\n',
        "check.sh": 'echo run >> "$HOME/log"\nnode --test\n',
      },
      (here) => {
        const both = { write: { "a.js": "export default 2;\n", "b.js": "export default 2;\n" } };
        const ended = judged(here, {
          script: { a: [{ write: { "notes.txt": "tried\n" }, print: "done" }, both] },
          plan: ['checks: ["sh check.sh"]', "workspace: { finalCheck: warm }"],
        });
        assertVerified(ended);
        assert.equal(failuresOf(here.events()).length, 1);
        assert.equal(
          logged(here).length,
          3,
          "the base, the attempt that mended nothing, the one that did",
        );
      },
    ),
);
