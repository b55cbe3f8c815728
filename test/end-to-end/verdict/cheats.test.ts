// proves: U5, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import { branchOf, failuresOf } from "../run/runs.ts";
import {
  assertUnverified,
  assertVerified,
  inProject,
  judged,
  promptOf,
  startsOf,
} from "./judged.ts";
import type { Files } from "./judged.ts";
import {
  ADD_TEST,
  FIXED,
  MOCHA_PROJECT,
  MOCHA_TEST,
  NODE_PROJECT,
  fixed,
  putMocha,
} from "./projects.ts";

const IN_LIB = 'checks: ["cat lib/value.txt out/value.txt | grep -q ^2$"]';

/** Work that is not in the commit: the attempt fails, is told why, and the next one does it properly. */
const NOT_IN_THE_RESULT = [
  {
    name: "work in an ignored folder",
    files: { ".gitignore": "lib/\n", "value.txt": "1\n" },
    check: IN_LIB,
    cheat: { write: { "lib/value.txt": "2\n" }, print: "done" },
    told: "`lib/` is ignored by git: it will not be part of the result",
    proper: { write: { "out/value.txt": "2\n" }, print: "done" },
    result: ["out/value.txt", "2\n"],
  },
  {
    name: "work in a folder that the agent adds to .gitignore",
    files: { "value.txt": "1\n" },
    check: IN_LIB,
    cheat: { write: { ".gitignore": "lib/\n", "lib/value.txt": "2\n" }, print: "done" },
    told: "`lib/` is ignored by git: it will not be part of the result",
    proper: { write: { "out/value.txt": "2\n" }, print: "done" },
    result: ["out/value.txt", "2\n"],
  },
  {
    name: "a file of 70 MB",
    files: { "value.txt": "1\n" },
    check: 'checks: ["test -s big.bin"]',
    cheat: {
      run: [["node", "-e", 'fs.writeFileSync("big.bin", ""); fs.truncateSync("big.bin", 7e7)']],
      print: "done",
    },
    told: "`big.bin` is too big to be part of the result",
    proper: { write: { "big.bin": "small\n" }, print: "done" },
    result: ["big.bin", "small\n"],
  },
] as const;

for (const { name, files, check, cheat, told, proper, result } of rowsOf(
  "verdict",
  NOT_IN_THE_RESULT,
  ["a file of 70 MB"],
))
  test(`V1: ${name} is no work, and the agent is told why`, () =>
    inProject(files, (here) => {
      const ended = judged(here, { script: { a: [cheat, proper] }, plan: [check] });
      assertVerified(ended);
      assert.equal(startsOf(here), 2, "the first attempt is not the verified one");
      assert.equal(failuresOf(here.events()).length, 1);
      assert.ok(promptOf(here, 2).includes(told), promptOf(here, 2));
      assert.equal(here.git("show", `${branchOf(here)}:${result[0]}`), result[1]);
    }));

test(
  "V1: an agent that is told so and un-ignores the folder gets its work into the result",
  inLargeForm("verdict"),
  () =>
    inProject({ ".gitignore": "lib/\n", "value.txt": "1\n" }, (here) => {
      const write = { "lib/value.txt": "2\n" };
      const ended = judged(here, {
        script: { a: [{ write }, { write: { ...write, ".gitignore": "" }, print: "done" }] },
        plan: [IN_LIB],
      });
      assertVerified(ended);
      assert.ok(startsOf(here) <= 3, `${startsOf(here)} starts`);
      assert.equal(here.git("show", `${branchOf(here)}:lib/value.txt`), "2\n");
    }),
);

interface Cheat {
  readonly name: string;
  readonly write?: Files;
  readonly remove?: readonly string[];
  readonly judge: string;
  readonly mocha?: boolean;
}

const NODE = "node --test";
const MOCHA = "node_modules/.bin/mocha";

/** Tests that were made weaker: what passes only by them is not verified. In the small form notes.test.ts has one of them. */
const WEAKER_TESTS: readonly Cheat[] = [
  { name: "the failing test deleted", remove: ["test/add.test.js"], judge: "test/add.test.js" },
  {
    name: "the assertion edited",
    write: { "test/add.test.js": ADD_TEST.replace("add(1, 2), 3", "add(1, 2), -1") },
    judge: "test/add.test.js",
  },
  {
    name: "test.skip",
    write: { "test/add.test.js": ADD_TEST.replace('test("adds"', 'test.skip("adds"') },
    judge: "test/add.test.js",
  },
  {
    name: ".only on another test",
    write: {
      "test/add.spec.js": MOCHA_TEST.replace('it("adds nothing"', 'it.only("adds nothing"'),
    },
    judge: "test/add.spec.js",
    mocha: true,
  },
];

for (const { name, write = {}, remove = [], judge, mocha = false } of rowsOf(
  "verdict",
  WEAKER_TESTS,
  [],
))
  test(`V3: ${name}: passes with its own tests only`, () =>
    inProject(mocha ? MOCHA_PROJECT : NODE_PROJECT, (here) => {
      if (mocha) putMocha(here);
      const ended = judged(here, {
        script: { a: [{ write, remove, print: "done" }] },
        plan: mocha
          ? [`checks: ["${MOCHA}"]`, "workspace: { carry: [node_modules] }"]
          : [`checks: ["${NODE}"]`],
      });
      assertUnverified(ended, "own-tests");
      const [note] = ended.notes().filter(({ kind }) => kind === "own-tests");
      assert.deepEqual(note?.kind === "own-tests" ? note.files : [], [judge]);
      assert.match(ended.ran.out, /passes with its own tests only/);
      assert.equal(startsOf(here), 1, "nothing is spent on what a person has to decide");
    }));

test("V3: process.exit(0) on import: fewer tests ran than on the base", () =>
  inProject(NODE_PROJECT, (here) => {
    const leaves = `${FIXED.replace("+", "-")}process.exit(0);\n`;
    const ended = judged(here, {
      script: { a: [{ write: { "src/add.js": leaves }, print: "done" }] },
      plan: [`checks: ["${NODE}"]`],
    });
    assertUnverified(ended, "fewer-tests");
    const [note] = ended.notes().filter(({ kind }) => kind === "fewer-tests");
    assert.ok(note?.kind === "fewer-tests" && note.before === 3 && note.now < 3, note?.words);
  }));

test("V3: a carried tool that the agent replaced judges nobody", () =>
  inProject(MOCHA_PROJECT, (here) => {
    putMocha(here);
    const replace = `rm ${MOCHA} && printf '#!/bin/sh\\n' > ${MOCHA} && chmod +x ${MOCHA}`;
    const ended = judged(here, {
      script: { a: [{ run: [["sh", "-c", replace]], print: "done" }, fixed] },
      plan: [`checks: ["${MOCHA}"]`, "workspace: { carry: [node_modules] }"],
    });
    assertVerified(ended);
    assert.equal(failuresOf(here.events()).length, 1, "the check tree has a copy of its own");
    assert.equal(here.git("show", `${branchOf(here)}:src/add.js`), FIXED);
  }));

test("V3: a test that an earlier subtask wrote is nobody's to weaken", inLargeForm("verdict"), () =>
  inProject(NODE_PROJECT, (here) => {
    const wrote = ADD_TEST.replace("add(4, 0), 4", "add(4, 4), 8");
    const cheats = {
      "src/add.js": "export const add = (a, b) => (b === 4 ? 0 : a + b);\n",
      "test/more.test.js": wrote.replace("add(4, 4), 8", "add(4, 4), 0"),
    };
    const ended = judged(here, {
      script: {
        a: [{ write: { ...fixed.write, "test/more.test.js": wrote }, print: "done" }],
        b: [{ write: cheats, print: "done" }],
      },
      subtasks: ["id: a, prompt: a", "id: b, prompt: b, dependsOn: [a]"],
      plan: [`checks: ["${NODE}"]`],
    });
    assert.equal(ended.code, 6, ended.ran.out + ended.ran.err);
    assert.deepEqual([ended.phase("a"), ended.phase("b")], ["verified", "unverified"]);
    assert.deepEqual(ended.kinds("a"), []);
    const [note] = ended.notes("b").filter(({ kind }) => kind === "own-tests");
    assert.deepEqual(note?.kind === "own-tests" ? note.files : [], ["test/more.test.js"]);
  }),
);
