// proves: U5
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import type { Repository } from "../run/repository.ts";
import { branchOf, planFile } from "../run/runs.ts";
import { FIXTURES, PYTHON_FILES, pythonCheck } from "./fixtures.ts";
import { assertVerified, inProject, judged, startsOf, without } from "./judged.ts";

const QUIET = { NPM_CONFIG_UPDATE_NOTIFIER: "false", NPM_CONFIG_AUDIT: "false" };

/** Every file of the checkout, ignored ones too, and what git keeps of its state: mode, link or content by path. */
function printOf(folder: string, inGit = false): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path))) {
      const at = join(path, name);
      if (at === ".git" && !inGit) continue;
      const stat = lstatSync(join(folder, at));
      if (stat.isDirectory()) visit(at);
      else found.push([at, `${stat.mode.toString(8)} ${contentOf(join(folder, at))}`]);
    }
  };
  visit("");
  for (const name of ["HEAD", "index", "config"])
    found.push([`.git/${name}`, contentOf(join(folder, ".git", name))]);
  return Object.fromEntries(found);
}

const contentOf = (file: string): string =>
  lstatSync(file).isSymbolicLink()
    ? readlinkSync(file)
    : createHash("sha256").update(readFileSync(file)).digest("hex");

for (const { name, files, needs, put, plan, wrong, right } of rowsOf("verdict", FIXTURES, [
  "a C library with make",
]))
  test(`U5: ${name}: red, a wrong try, the right fix`, { skip: without(...needs) }, () =>
    inProject(files, (here) => {
      put?.(here);
      const before = printOf(here.path);
      const script = {
        a: [
          { write: wrong, print: "<approach>a guess</approach> done" },
          { write: right, print: "<approach>read the test</approach> done" },
        ],
      };
      const ended = judged(here, { script, plan, env: QUIET });
      assertVerified(ended);
      assert.equal(startsOf(here), 2, "the wrong try was seen to be wrong");
      for (const [path, text] of Object.entries(right))
        assert.equal(here.git("show", `${branchOf(here)}:${path}`), text);
      assert.deepEqual(printOf(here.path), before, "the user's checkout is as it was");
    }),
  );

/** A carried folder that stands for the user's own checkout: refused before any agent starts, or re-pointed; never a verdict. */
function assertNeverVerified(here: Repository, check: string, carry: string, breaks: object): void {
  const before = printOf(here.path);
  const agent = here.agent({ a: [{ ...breaks, print: "done" }] });
  const subtask = `id: a, prompt: a, checks: ["${check}"], limits: { max_retries: 0 }`;
  const plan = planFile(
    here,
    agent,
    [subtask],
    ["grounding: false", "policy: tier-ladder", `workspace: { carry: [${carry}] }`],
  );
  const ran = here.unstuck("run", plan, "--trust");
  assert.notEqual(ran.code, 0, ran.out + ran.err);
  assert.deepEqual(printOf(here.path), before, "the user's checkout is as it was");
  const agentsStarted = /attempt 1 started/.test(ran.out);
  if (!agentsStarted) assert.match(ran.out + ran.err, /setup/, "what to use instead is named");
}

test(
  "V21: a carried .venv whose package is the user's checkout verifies nothing",
  { skip: without("python3") },
  () => {
    const files = {
      ...PYTHON_FILES,
      "src/calc/__init__.py": "def add(a, b):\n    return a + b\n",
    };
    inProject(files, (here) => {
      const made = spawnSync("sh", ["tools/venv.sh"], { cwd: here.path, encoding: "utf8" });
      assert.equal(made.status, 0, made.stderr);
      const raise = { "src/calc/__init__.py": 'raise RuntimeError("broken")\n' };
      assertNeverVerified(here, `PYTHONDONTWRITEBYTECODE=1 ${pythonCheck()}`, ".venv", {
        append: raise,
      });
    });
  },
);

const CMAKE_FILES = {
  ".gitignore": "build/\n",
  "CMakeLists.txt":
    "cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nadd_executable(check add.c check.c)\n",
  "add.c": "int add(int a, int b) { return a + b; }\n",
  "check.c": "int add(int, int);\nint main(void) { return add(1, 2) != 3; }\n",
};

test(
  "V21: a carried CMake build folder that builds the user's checkout verifies nothing and changes nothing there",
  inLargeForm("verdict", without("cmake", "make", "cc")),
  () =>
    inProject(CMAKE_FILES, (here) => {
      for (const args of [
        ["-S", ".", "-B", "build"],
        ["--build", "build"],
      ]) {
        const made = spawnSync("cmake", args, { cwd: here.path, encoding: "utf8" });
        assert.equal(made.status, 0, made.stderr);
      }
      assertNeverVerified(here, "cmake --build build && ./build/check", "build", {
        write: { "add.c": "int add(int a, int b) { return a - b; }\n" },
      });
    }),
);
