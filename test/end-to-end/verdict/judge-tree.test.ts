// proves: U5, U11
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Repository } from "../run/repository.ts";
import { branchOf, eventsOf, failuresOf, inputsOf } from "../run/runs.ts";
import { assertVerified, inProject, judged, startsOf } from "./judged.ts";

const filesOf = (here: Repository): string[] =>
  here.git("ls-tree", "-r", "--name-only", branchOf(here)).trim().split("\n");
const resultOf = (here: Repository, file: string): string =>
  here.git("show", `${branchOf(here)}:${file}`);
const value = (text: string) => ({ write: { "value.txt": `${text}\n` }, print: "done" });
const TWO_AT_A_TIME = ["concurrency: 2"];
const A_AND_B = ["id: a, prompt: a", "id: b, prompt: b"];

test("V2: markers that a merge left are a failure whatever the checks say, and are never published", () =>
  inProject({ "value.txt": "1\n" }, (here) => {
    const looks = ["sh", "-c", 'cp value.txt "$HOME/conflict"'];
    const ended = judged(here, {
      script: {
        a: [value("a")],
        b: [{ ...value("b"), sleepMs: 1500 }, { run: [looks], print: "done" }, value("a and b")],
      },
      subtasks: A_AND_B,
      plan: ['checks: ["test -s value.txt"]', ...TWO_AT_A_TIME],
    });
    assertVerified(ended, ["a", "b"]);
    assert.equal(resultOf(here, "value.txt"), "a and b\n");
    assert.equal(startsOf(here), 4);
    const failed = eventsOf(here.events(), "failure-classified").filter(
      ({ subtask, attempt }) => subtask === "b" && attempt === 2,
    );
    assert.equal(failed.length, 1);
    const said = [...failed, ...inputsOf(here.events(), "checks-ended")]
      .map((one) => JSON.stringify(one))
      .join("\n");
    assert.match(said, /value\.txt.*marker|marker.*value\.txt/i);
    const conflict = readFileSync(join(here.path, "..", "conflict"), "utf8");
    assert.match(conflict, /^<{7} [^]*^={7}$[^]*^>{7} /m, "the agent saw both sides");
    const labels = conflict.match(/^(?:<{7}|>{7}) .*$/gm) ?? [];
    assert.ok(
      labels.every((label) => label.includes(ended.run)),
      `labels of this run alone: ${labels.join(", ")}`,
    );
  }));

test(
  "V13: a check of merged work that is killed runs again and counts against nobody",
  inLargeForm("verdict"),
  () =>
    inProject(
      {
        "check.sh":
          'if test -f a.txt && test -f b.txt && ! test -e "$HOME/killed"; then\n' +
          '  touch "$HOME/killed"; kill -9 $$\nfi\ntest -f a.txt || test -f b.txt\n',
      },
      (here) => {
        const ended = judged(here, {
          script: {
            a: [{ write: { "a.txt": "a\n" }, print: "done" }],
            b: [{ write: { "b.txt": "b\n" }, sleepMs: 1200, print: "done" }],
          },
          subtasks: A_AND_B,
          plan: ['checks: ["sh check.sh"]', ...TWO_AT_A_TIME],
        });
        assertVerified(ended, ["a", "b"]);
        const events = here.events();
        assert.deepEqual(failuresOf(events), []);
        assert.equal(eventsOf(events, "attempt-dispatched").length, 2);
        assert.deepEqual(filesOf(here), ["a.txt", "b.txt", "check.sh"]);
      },
    ),
);

const SORTS = "sort -o list.txt list.txt\n";
const IS_TWO = "grep -q '^2$' value.txt\n";

test(
  "V26: a check that formats a file in place changes nothing of the result, and that is said",
  inLargeForm("verdict"),
  () =>
    inProject({ "list.txt": "a\n", "value.txt": "1\n", "check.sh": SORTS + IS_TWO }, (here) => {
      const write = { "list.txt": "c\nb\na\n", "value.txt": "2\n" };
      const ended = judged(here, {
        script: { a: [{ write, print: "done" }] },
        plan: ['checks: ["sh check.sh"]'],
      });
      assertVerified(ended);
      assert.equal(resultOf(here, "list.txt"), "c\nb\na\n");
      const [note] = ended.notes().filter(({ kind }) => kind === "check-wrote");
      assert.deepEqual(note?.kind === "check-wrote" ? note.files : [], ["list.txt"]);
    }),
);

test("V26: what failing rounds of checks write is nobody's work", inLargeForm("verdict"), () =>
  inProject(
    {
      "list.txt": "b\na\n",
      "value.txt": "1\n",
      "check.sh": `echo junk > junk.txt\n${SORTS}${IS_TWO}`,
    },
    (here) => {
      const ended = judged(here, {
        script: { a: [value("3"), value("2")] },
        plan: ['checks: ["sh check.sh"]'],
      });
      assertVerified(ended);
      assert.deepEqual(filesOf(here), ["check.sh", "list.txt", "value.txt"]);
      assert.equal(resultOf(here, "list.txt"), "b\na\n");
    },
  ),
);

test(
  "V26: what one check makes is there for the next check of the same tree",
  inLargeForm("verdict"),
  () =>
    inProject({ "value.txt": "1\n" }, (here) => {
      const ended = judged(here, {
        script: { a: [value("2")] },
        plan: ['checks: ["cp value.txt built.txt", "grep -q ^2$ built.txt"]'],
      });
      assertVerified(ended);
      assert.deepEqual(filesOf(here), ["value.txt"]);
    }),
);

test("U5: a check tree is clean: what the checks of one attempt left is not there for the next", () =>
  inProject(
    {
      ".gitignore": "leftover/\n",
      "value.txt": "1\n",
      "check.sh": `test ! -e leftover && test ! -e loose.txt || { echo unclean; exit 3; }\nmkdir leftover\necho > loose.txt\n${IS_TWO}`,
    },
    (here) => {
      const ended = judged(here, {
        script: { a: [value("3"), value("2")] },
        plan: ['checks: ["sh check.sh"]'],
      });
      assertVerified(ended);
      assert.equal(startsOf(here), 2);
      const said = JSON.stringify(here.events());
      assert.doesNotMatch(said, /unclean/);
    },
  ));
