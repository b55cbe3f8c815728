// proves: U5, U11, U13
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { noteText, type Note } from "../../../src/core/run/note.ts";
import type { Repository } from "../run/repository.ts";
import { branchOf, eventsOf, failuresOf } from "../run/runs.ts";
import { assertUnverified, assertVerified, inProject, judged, unwrapped } from "./judged.ts";
import type { Judged } from "./judged.ts";
import { ADD_TEST, fixed, NODE_PROJECT, WRONG } from "./projects.ts";

const VALUE = { "value.txt": "1\n" };
const two = { write: { "value.txt": "2\n" }, print: "done" };

function noteOf<K extends Note["kind"]>(ended: Judged, kind: K): Extract<Note, { kind: K }> {
  const note = ended.notes().find((one) => one.kind === kind);
  assert.ok(note !== undefined, `no ${kind} in ${JSON.stringify(ended.notes())}`);
  assert.equal(note.words, noteText(note));
  return note as unknown as Extract<Note, { kind: K }>;
}

/** The words stand wherever a person looks at the result: table, report, explain, status, apply, and in the journal. */
function assertSaidEverywhere(here: Repository, ended: Judged, note: Note): void {
  const words = noteText(note);
  const faces = {
    table: ended.ran.out.slice(ended.ran.out.indexOf("── run ")),
    report: here.unstuck("report", ended.run).out,
    explain: here.unstuck("explain", ended.run).out,
    status: here.unstuck("status", ended.run).out,
  };
  for (const [face, text] of Object.entries(faces))
    assert.ok(unwrapped(text).includes(words), `${face} does not say "${words}":\n${text}`);
  const [done] = eventsOf(here.events(), "subtask-done");
  const kinds = ((done?.["notes"] ?? []) as Note[]).map(({ kind }) => kind);
  assert.ok(kinds.includes(note.kind), JSON.stringify(done));
}

test("V4: a check that was green on the base and an agent that did nothing: said wherever the result is", () =>
  inProject(VALUE, (here) => {
    const ended = judged(here, {
      script: { a: [{ print: "all done" }] },
      plan: ['checks: ["test -f value.txt"]'],
    });
    assertVerified(ended);
    const note = noteOf(ended, "passed-before");
    assert.deepEqual(note.checks, ["test -f value.txt"]);
    assertSaidEverywhere(here, ended, note);
    const applied = here.unstuck("apply", ended.run);
    assert.equal(applied.code, 0, applied.err);
    assert.ok(unwrapped(applied.out + applied.err).includes(noteText(note)), applied.out);
  }));

test("V4: a check that was red on the base proves something: no note", inLargeForm("verdict"), () =>
  inProject(VALUE, (here) => {
    const ended = judged(here, {
      script: { a: [two] },
      plan: ['checks: ["grep -q ^2$ value.txt"]'],
    });
    assertVerified(ended);
    assert.deepEqual(ended.kinds(), []);
  }),
);

test("V3: a result that passes with its own tests only says so everywhere, and is applied only with consent", () =>
  inProject({ ...NODE_PROJECT, "notes.txt": "mine\n" }, (here) => {
    const weaker = ADD_TEST.replace("add(1, 2), 3", "add(1, 2), -1");
    const ended = judged(here, {
      script: {
        a: [{ write: { "test/add.test.js": weaker }, print: "done" }],
        b: [{ write: { "b.txt": "b\n" }, print: "done" }],
      },
      subtasks: [
        'id: a, prompt: a, checks: ["node --test"]',
        'id: b, prompt: b, dependsOn: [a], checks: ["test -f b.txt"]',
      ],
      plan: [],
    });
    assertUnverified(ended, "own-tests");
    assert.match(ended.reason, /own tests only/);
    assert.equal(ended.phase("b"), "verified", "dependents go on");
    const note = noteOf(ended, "own-tests");
    assertSaidEverywhere(here, ended, note);
    const head = here.git("rev-parse", "HEAD");
    const refused = here.unstuck("apply", ended.run);
    assert.equal(refused.code, 3, refused.out + refused.err);
    assert.match(refused.err, /--accept-tests/);
    assert.ok(unwrapped(refused.out + refused.err).includes(noteText(note)), refused.err);
    assert.deepEqual(
      [here.git("rev-parse", "HEAD"), here.git("status", "--porcelain")],
      [head, ""],
    );
    const applied = here.unstuck("apply", ended.run, "--accept-tests");
    assert.equal(applied.code, 0, applied.out + applied.err);
    assert.equal(readFileSync(join(here.path, "test/add.test.js"), "utf8"), weaker);
    assert.equal(readFileSync(join(here.path, "b.txt"), "utf8"), "b\n");
  }));

test(
  "V3: a weaker test beside a right fix passes both ways: verified",
  inLargeForm("verdict"),
  () =>
    inProject(NODE_PROJECT, (here) => {
      const edited = ADD_TEST.replace("add(1, 2), 3", "add(2, 2), 4");
      const ended = judged(here, {
        script: { a: [{ write: { ...fixed.write, "test/add.test.js": edited }, print: "done" }] },
        plan: ['checks: ["node --test"]'],
      });
      assertVerified(ended);
      assert.equal(here.git("show", `${branchOf(here)}:test/add.test.js`), edited);
    }),
);

test(
  "V3: fewer tests than on the base says so everywhere, and is applied only with consent",
  inLargeForm("verdict"),
  () =>
    inProject(NODE_PROJECT, (here) => {
      const ended = judged(here, {
        script: { a: [{ write: { "src/add.js": `${WRONG}process.exit(0);\n` }, print: "done" }] },
        plan: ['checks: ["node --test"]'],
      });
      assertUnverified(ended, "fewer-tests");
      assertSaidEverywhere(here, ended, noteOf(ended, "fewer-tests"));
      const refused = here.unstuck("apply", ended.run);
      assert.equal(refused.code, 3, refused.out + refused.err);
      assert.match(refused.err, /--accept-tests/);
    }),
);

for (const [how, ends] of [
  ["exits with 1", { exit: 1 }],
  ["is ended by SIGSEGV", { signal: "SIGSEGV" }],
] as const)
  test(
    `V18: an agent that ${how} while its work passes: verified, and said`,
    "exit" in ends ? {} : inLargeForm("verdict"),
    () =>
      inProject(VALUE, (here) => {
        const ended = judged(here, {
          script: { a: [{ ...two, ...ends }] },
          plan: ['checks: ["grep -q ^2$ value.txt"]'],
        });
        assertVerified(ended);
        const note = noteOf(ended, "agent-failed");
        assert.match(note.how, "exit" in ends ? /\b1\b/ : /SEGV/);
        assert.ok(unwrapped(here.unstuck("report", ended.run).out).includes(noteText(note)));
        assert.ok(unwrapped(ended.ran.out).includes(noteText(note)), ended.ran.out);
      }),
  );

test(
  "V18: a pass after a failure on the same tree is said to be flaky",
  inLargeForm("verdict"),
  () =>
    inProject(
      {
        ...VALUE,
        "check.sh":
          'grep -q ^2$ value.txt || exit 1\ntest -e "$HOME/ran" || { touch "$HOME/ran"; exit 1; }\n',
      },
      (here) => {
        const ended = judged(here, { script: { a: [two] }, plan: ['checks: ["sh check.sh"]'] });
        assertVerified(ended);
        assert.deepEqual(failuresOf(here.events()), []);
        const note = noteOf(ended, "flaky");
        assertSaidEverywhere(here, ended, note);
      },
    ),
);
