// proves: U5, U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inProject, judged, startsOf } from "./judged.ts";

const PROJECT = {
  "package.json": '{ "dependencies": {} }\n',
  "value.txt": "1\n",
  "check.sh":
    "grep -q dep.: package.json && test ! -d node_modules/dep && exit 1\ngrep -q ^2$ value.txt\n",
};
const added = {
  write: { "package.json": '{ "dependencies": { "dep": "1.0.0" } }\n', "value.txt": "2\n" },
  print: "done",
};

test("dependencies changed and nothing installs them: a question with what mends it, never ten attempts", () =>
  inProject(PROJECT, (here) => {
    const ended = judged(here, {
      script: { a: [added] },
      plan: ['checks: ["sh check.sh"]', "workspace: { setup: [] }"],
    });
    assert.equal(ended.code, 3, ended.ran.out + ended.ran.err);
    assert.equal(startsOf(here), 1);
    const asked = here.unstuck("inbox").out;
    assert.match(asked, /dependencies changed, no set-up: package\.json changed/);
    assert.match(asked, /--setup/);
  }));

test(
  "a manifest that changes in other parts is no changed dependency: the check's failure is told",
  inLargeForm("verdict"),
  () =>
    inProject(PROJECT, (here) => {
      const wrong = {
        write: { "package.json": '{ "name": "x", "dependencies": {} }\n' },
        print: "x",
      };
      const ended = judged(here, {
        script: { a: [wrong, { write: { "value.txt": "2\n" }, print: "done" }] },
        plan: ['checks: ["sh check.sh"]', "workspace: { setup: [] }"],
      });
      assert.equal(ended.code, 0, ended.ran.out + ended.ran.err);
      assert.equal(startsOf(here), 2);
    }),
);

test(
  "set-up that fails on what the work asks for is the work's failure, with its words",
  inLargeForm("verdict"),
  () =>
    inProject({ ...PROJECT, "check.sh": "grep -q ^2$ value.txt\n" }, (here) => {
      const good = { write: { "package.json": '{ "dependencies": {} }\n' }, print: "done" };
      const ended = judged(here, {
        script: { a: [added, good] },
        plan: [
          'checks: ["sh check.sh"]',
          "workspace: { setup: ['if grep -q dep.: package.json; then echo no such package dep >&2; exit 1; fi'] }",
        ],
      });
      assert.equal(ended.code, 0, ended.ran.out + ended.ran.err);
      assert.equal(startsOf(here), 2);
    }),
);
