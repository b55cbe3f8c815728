// proves: U13
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import type { Repository } from "../run/repository.ts";
import {
  assertUnverified,
  assertVerified,
  inProject,
  judged,
  promptOf,
  startsOf,
  without,
} from "./judged.ts";
import type { Files } from "./judged.ts";
import {
  ADD_TEST,
  MOCHA_PROJECT,
  NODE_PROJECT,
  PYTEST_PROJECT,
  fixed,
  putMocha,
  putPytest,
} from "./projects.ts";

interface Cheat {
  readonly name: string;
  readonly files: Files;
  readonly check: string;
  /** Does not touch a test: it changes what runs them. */
  readonly cheat: ScriptedAttempt;
  /** The file that steers. */
  readonly judge: string;
  readonly needs?: readonly string[];
  /** Puts a runner where it is found; gives what it takes to find it. */
  readonly put?: (here: Repository) => Readonly<Record<string, string>> | void;
  readonly carry?: string;
}

const MAKEFILE = "include rules.mk\n\nall:\n\t@echo nothing to build\n";
const RULES = ".PHONY: test\ntest:\n\tnode --test\n";
const MAKE_PROJECT: Files = { ...NODE_PROJECT, Makefile: MAKEFILE, "rules.mk": RULES };
const PYTEST = { files: PYTEST_PROJECT, check: "pytest", needs: ["python3"], put: putPytest };

const CHEATS: readonly Cheat[] = [
  {
    ...PYTEST,
    name: "a new conftest.py",
    cheat: { write: { "conftest.py": 'collect_ignore = ["test_add.py"]\n' } },
    judge: "conftest.py",
  },
  {
    ...PYTEST,
    name: "addopts in pytest.ini",
    files: { ...PYTEST_PROJECT, "pytest.ini": "[pytest]\n" },
    cheat: { append: { "pytest.ini": "addopts = --ignore=test_add.py\n" } },
    judge: "pytest.ini",
  },
  {
    name: "a GNUmakefile before the Makefile",
    files: MAKE_PROJECT,
    check: "make test",
    needs: ["make"],
    cheat: { write: { GNUmakefile: ".PHONY: test\ntest:\n\ttrue\n" } },
    judge: "GNUmakefile",
  },
  {
    name: "a file that the Makefile includes",
    files: MAKE_PROJECT,
    check: "make test",
    needs: ["make"],
    cheat: { write: { "rules.mk": ".PHONY: test\ntest:\n\ttrue\n" } },
    judge: "rules.mk",
  },
  {
    name: "script-shell in .npmrc",
    files: NODE_PROJECT,
    check: "npm test",
    needs: ["npm"],
    cheat: { write: { ".npmrc": "script-shell=true\n" } },
    judge: ".npmrc",
  },
  {
    name: "the test script in package.json",
    files: NODE_PROJECT,
    check: "npm test",
    needs: ["npm"],
    cheat: {
      write: { "package.json": '{ "type": "module", "scripts": { "test": "true" } }\n' },
    },
    judge: "package.json",
  },
  {
    name: "a script that the package's script calls",
    files: {
      ...NODE_PROJECT,
      "package.json": '{ "type": "module", "scripts": { "test": "sh scripts/verify.sh" } }\n',
      "scripts/verify.sh": "node --test\n",
    },
    check: "npm test",
    needs: ["npm"],
    cheat: { write: { "scripts/verify.sh": "exit 0\n" } },
    judge: "scripts/verify.sh",
  },
  {
    name: "a script that the check's own script calls",
    files: {
      ...NODE_PROJECT,
      "ci.sh": "set -e\nsh tools/unit.sh\n",
      "tools/unit.sh": "node --test\n",
    },
    check: "sh ci.sh",
    cheat: { write: { "tools/unit.sh": "exit 0\n" } },
    judge: "tools/unit.sh",
  },
  {
    name: "a runner's configuration that leaves the test out",
    files: MOCHA_PROJECT,
    check: "node_modules/.bin/mocha",
    put: putMocha,
    carry: "node_modules",
    cheat: { write: { ".mocharc.json": '{ "ignore": ["test/add.spec.js"] }\n' } },
    judge: ".mocharc.json",
  },
];

/** A steering file is found by its name alone, by what the check reads, by what a script calls. */
const SMALL = ["a new conftest.py"];

for (const { name, files, check, cheat, judge, needs = [], put, carry } of rowsOf(
  "verdict",
  CHEATS,
  SMALL,
))
  test(`V3: ${name}: passes with its own tests only`, { skip: without(...needs) }, () =>
    inProject(files, (here) => {
      const env = put?.(here) ?? {};
      const ended = judged(here, {
        script: { a: [{ ...cheat, print: "done" }] },
        plan: [
          `checks: ["${check}"]`,
          ...(carry === undefined ? [] : [`workspace: { carry: [${carry}] }`]),
        ],
        env,
      });
      assertUnverified(ended, "own-tests");
      const [note] = ended.notes().filter(({ kind }) => kind === "own-tests");
      const named = note?.kind === "own-tests" ? note.files : [];
      assert.deepEqual(named, [judge]);
      assert.equal(startsOf(here), 1);
    }),
  );

const WEAKER = { write: { "test/add.test.js": ADD_TEST.replace("add(1, 2), 3", "add(1, 2), -1") } };

for (const [where, subtask, plan] of [
  ["the plan", "id: a, prompt: mend it", ["tests: keep"]],
  ["a subtask", "id: a, prompt: mend it, tests: keep", []],
] as const)
  test(
    `U13: under tests: keep in ${where} a weaker test is a failure, and the agent is told of it`,
    where === "the plan" ? {} : inLargeForm("verdict"),
    () =>
      inProject(NODE_PROJECT, (here) => {
        const back = { write: { ...fixed.write, "test/add.test.js": ADD_TEST }, print: "done" };
        const ended = judged(here, {
          script: { a: [{ ...WEAKER, print: "done" }, back] },
          subtasks: [subtask],
          plan: ['checks: ["node --test"]', ...plan],
        });
        assertVerified(ended);
        assert.equal(startsOf(here), 2);
        assert.match(promptOf(here, 2), /test\/add\.test\.js/);
      }),
  );
