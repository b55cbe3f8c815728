// proves: U5, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import { branchOf } from "../run/runs.ts";
import { assertVerified, inProject, judged, startsOf, type Files } from "./judged.ts";
import { ADD_TEST, FIXED, fixed, NODE_PROJECT } from "./projects.ts";

interface Change {
  readonly name: string;
  readonly files?: Files;
  readonly plan?: readonly string[];
  readonly work: ScriptedAttempt;
  /** Files of the result, and what must stand in them. */
  readonly result: Readonly<Record<string, RegExp>>;
}

const CHECK = 'checks: ["node --test"]';
const MORE_TEST = ADD_TEST.replaceAll("adds", "adds more");

const SETUP = `import { cpSync, readFileSync } from "node:fs";
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, { resolved }] of Object.entries(packages))
  if (resolved !== undefined) cpSync(resolved, path, { recursive: true });
`;
const lock = (packages: object): string =>
  `${JSON.stringify({ name: "p", lockfileVersion: 3, packages }, null, 2)}\n`;

const CHANGES: readonly Change[] = [
  {
    name: "source edited beside an untouched test",
    work: fixed,
    result: { "src/add.js": /a \+ b/ },
  },
  {
    name: "new tests beside the old ones",
    work: { write: { ...fixed.write, "test/more.test.js": MORE_TEST } },
    result: { "test/more.test.js": /adds more/ },
  },
  {
    name: "a test file renamed, its content as it was",
    work: { ...fixed, run: [["git", "mv", "test/other.test.js", "test/renamed.test.js"]] },
    result: { "test/renamed.test.js": /other/ },
  },
  {
    name: "a dependency added: manifest, lock file and source",
    files: {
      ...NODE_PROJECT,
      ".gitignore": "node_modules/\n",
      "package-lock.json": lock({ "": {} }),
      "setup.mjs": SETUP,
      "vendor/plus/package.json": '{ "name": "plus", "type": "module", "exports": "./plus.js" }\n',
      "vendor/plus/plus.js": "export const plus = (a, b) => a + b;\n",
    },
    plan: [CHECK, 'workspace: { setup: ["node setup.mjs"] }'],
    work: {
      write: {
        "package.json":
          '{ "type": "module", "scripts": { "test": "node --test" }, "dependencies": { "plus": "file:vendor/plus" } }\n',
        "package-lock.json": lock({ "": {}, "node_modules/plus": { resolved: "vendor/plus" } }),
        "src/add.js": 'export { plus as add } from "plus";\n',
      },
    },
    result: { "package-lock.json": /node_modules\/plus/ },
  },
  {
    name: "a repository without tests, checked by a command on its source",
    files: { "app.sh": "echo 1\n" },
    plan: ['checks: ["test \\"$(sh app.sh)\\" = 2"]'],
    work: { write: { "app.sh": "echo 2\n" } },
    result: { "app.sh": /echo 2/ },
  },
  {
    name: "a change to the README beside the work",
    files: { ...NODE_PROJECT, "README.md": "# Add\n" },
    work: { ...fixed, append: { "README.md": "\nIt adds.\n" } },
    result: { "README.md": /It adds/ },
  },
  {
    name: "a new configuration file that no check reads",
    work: {
      write: { ...fixed.write, ".editorconfig": "root = true\n", "deploy.yaml": "replicas: 2\n" },
    },
    result: { ".editorconfig": /root/, "deploy.yaml": /replicas/ },
  },
  {
    name: "a file moved inside src",
    files: {
      ...NODE_PROJECT,
      "src/add.js": 'export { sum as add } from "./sum.js";\n',
      "src/sum.js": "export const sum = (a, b) => a - b;\n",
    },
    work: {
      write: {
        "src/add.js": 'export { sum as add } from "./math/sum.js";\n',
        "src/math/sum.js": FIXED.replace("add", "sum"),
      },
      remove: ["src/sum.js"],
    },
    result: { "src/math/sum.js": /a \+ b/ },
  },
  {
    name: "other keys of a manifest that also steers the checks",
    work: {
      write: {
        ...fixed.write,
        "package.json":
          '{ "type": "module", "scripts": { "test": "node --test" }, "description": "adds", "license": "MIT" }\n',
      },
    },
    result: { "package.json": /MIT/ },
  },
  {
    name: "a page about merging with git's markers in it",
    work: {
      write: { ...fixed.write, "docs/merge.md": "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> b\n" },
    },
    result: { "docs/merge.md": /<<<<<<< HEAD/ },
  },
];

for (const { name, files = NODE_PROJECT, plan = [CHECK], work, result } of rowsOf(
  "verdict",
  CHANGES,
  ["new tests beside the old ones", "a dependency added: manifest, lock file and source"],
))
  test(`U13: ${name}: verified, no alarm`, () =>
    inProject(files, (here) => {
      const ended = judged(here, { script: { a: [{ ...work, print: "done" }] }, plan });
      assertVerified(ended);
      assert.equal(startsOf(here), 1);
      for (const [path, text] of Object.entries(result))
        assert.match(here.git("show", `${branchOf(here)}:${path}`), text);
    }));

test("U13: work on the tests themselves under tests: free: verified, and what changed is said", () =>
  inProject(NODE_PROJECT, (here) => {
    const better = ADD_TEST.replace("add(1, 2), 3", "add(1, 2), -1");
    const ended = judged(here, {
      script: { a: [{ write: { "test/add.test.js": better }, print: "done" }] },
      subtasks: ["id: a, prompt: mend the test, tests: free"],
      plan: [CHECK],
    });
    assert.equal(ended.code, 0, ended.ran.out + ended.ran.err);
    assert.equal(ended.phase(), "verified");
    const [note] = ended.notes().filter(({ kind }) => kind === "own-tests");
    assert.ok(note?.kind === "own-tests" && note.allowed === true, JSON.stringify(ended.notes()));
    assert.deepEqual(note.files, ["test/add.test.js"]);
    const applied = here.unstuck("apply", ended.run);
    assert.equal(applied.code, 0, applied.err);
  }));

test(
  "U13: tests that an earlier verified subtask wrote judge the later one as the base's do",
  inLargeForm("verdict"),
  () =>
    inProject(NODE_PROJECT, (here) => {
      const script = {
        a: [{ write: { ...fixed.write, "test/more.test.js": MORE_TEST }, print: "done" }],
        b: [
          { write: { "src/add.js": "export const add = () => 3;\n" }, print: "done" },
          { write: { "src/add.js": FIXED.replace("a + b", "b + a") }, print: "done" },
        ],
      };
      const subtasks = ["id: a, prompt: a", "id: b, prompt: b, dependsOn: [a]"];
      const ended = judged(here, { script, subtasks, plan: [CHECK] });
      assertVerified(ended, ["a", "b"]);
      assert.equal(startsOf(here), 3);
      assert.match(here.git("show", `${branchOf(here)}:test/more.test.js`), /adds more/);
    }),
);
