/**
 * Tiny projects with one red test each, and stand-ins for runners that a machine may not have: they obey the files by which the
 * real ones are steered, and print what the real ones print.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Repository } from "../run/repository.ts";
import type { Files } from "./judged.ts";

export const WRONG = "export const add = (a, b) => a - b;\n";
export const ALSO_WRONG = "export const add = (a, b) => a * b;\n";
export const FIXED = "export const add = (a, b) => a + b;\n";

const TESTS = (name: string, it: string): string =>
  `${name}import assert from "node:assert/strict";\nimport { add } from "../src/add.js";\n` +
  `${it}("adds", () => assert.equal(add(1, 2), 3));\n` +
  `${it}("adds nothing", () => assert.equal(add(4, 0), 4));\n`;

export const ADD_TEST: string = TESTS('import { test } from "node:test";\n', "test");

/** Checked by `node --test` or `npm test`: "adds" is red, two others are green. */
export const NODE_PROJECT: Files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/add.js": WRONG,
  "test/add.test.js": ADD_TEST,
  "test/other.test.js": 'import { test } from "node:test";\ntest("other", () => {});\n',
};

export const fixed = { write: { "src/add.js": FIXED }, print: "done" };

export const MOCHA_TEST: string = TESTS("", "it");

/** Checked by `node_modules/.bin/mocha`, which has to be put there by `putMocha`. */
export const MOCHA_PROJECT: Files = {
  ".gitignore": "node_modules/\n",
  "package.json": '{ "type": "module", "scripts": { "test": "mocha" } }\n',
  "src/add.js": WRONG,
  "test/add.spec.js": MOCHA_TEST,
  "test/other.spec.js": 'it("other", () => {});\n',
};

const MOCHA = `#!/usr/bin/env node
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
const rc = existsSync(".mocharc.json") ? JSON.parse(readFileSync(".mocharc.json", "utf8")) : {};
const files = readdirSync("test").sort().map((name) => "test/" + name);
const all = [];
const adds = (how) => (name, body) => all.push({ name, body, how });
globalThis.it = Object.assign(adds("run"), { only: adds("only"), skip: adds("skip") });
for (const file of files)
  if (/[.]c?js$/.test(file) && !(rc.ignore ?? []).includes(file)) await import(resolve(file));
const only = all.filter(({ how }) => how === "only");
const chosen = only.length > 0 ? only : all;
const failed = [];
for (const { name, body, how } of chosen) {
  if (how === "skip") continue;
  try {
    await body();
  } catch (error) {
    failed.push([name, error]);
  }
}
const pending = chosen.filter(({ how }) => how === "skip").length;
console.log("\\n  " + (chosen.length - failed.length - pending) + " passing (1ms)");
if (pending > 0) console.log("  " + pending + " pending");
if (failed.length > 0) console.log("  " + failed.length + " failing");
for (const [index, [name, error]] of failed.entries())
  console.log("\\n  " + (index + 1) + ") " + name + ":\\n     " + error.message.split("\\n")[0]);
process.exitCode = failed.length;
`;

/** As npm lays it: the package, and a link to its program. */
export function putMocha({ path }: Repository): void {
  const folder = join(path, "node_modules");
  mkdirSync(join(folder, "mocha", "bin"), { recursive: true });
  mkdirSync(join(folder, ".bin"), { recursive: true });
  writeFileSync(join(folder, "mocha", "package.json"), '{ "name": "mocha", "version": "1.0.0" }\n');
  writeProgram(join(folder, "mocha", "bin", "mocha.mjs"), MOCHA);
  symlinkSync("../mocha/bin/mocha.mjs", join(folder, ".bin", "mocha"));
}

export const PYTEST_PROJECT: Files = {
  ".gitignore": "__pycache__/\n",
  "add.py": "def add(a, b):\n    return a - b\n",
  "test_add.py":
    "from add import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n" +
    "def test_adds_nothing():\n    assert add(4, 0) == 4\n",
  "test_other.py": "def test_other():\n    assert True\n",
};

const PYTEST = `#!/usr/bin/env python3
import configparser, glob, importlib, os, shlex, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.getcwd())
ini = configparser.ConfigParser()
ini.read("pytest.ini")
options = shlex.split(ini.get("pytest", "addopts", fallback="")) + sys.argv[1:]
left_out = [option.split("=", 1)[1] for option in options if option.startswith("--ignore=")]
if os.path.exists("conftest.py"):
    left_out += getattr(importlib.import_module("conftest"), "collect_ignore", [])
print("=" * 20, "test session starts", "=" * 20)
passed, failed = 0, []
for path in sorted(glob.glob("test_*.py")):
    if path in left_out:
        continue
    module = importlib.import_module(path[:-3])
    for name in [name for name in dir(module) if name.startswith("test_")]:
        try:
            getattr(module, name)()
            passed += 1
        except AssertionError:
            failed.append(f"FAILED {path}::{name} - assert")
if failed:
    print("=" * 20, "short test summary info", "=" * 20)
    print("\\n".join(failed))
said = ([f"{len(failed)} failed"] if failed else []) + ([f"{passed} passed"] if passed else [])
print("=" * 20, (", ".join(said) or "no tests ran") + " in 0.01s", "=" * 20)
sys.exit(1 if failed else 0 if passed else 5)
`;

/** Puts a program named `pytest` into a folder outside the repository; gives what makes it found. */
export function putPytest({ path }: Repository): Readonly<Record<string, string>> {
  const folder = join(path, "..", "bin");
  writeProgram(join(folder, "pytest"), PYTEST);
  return { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
}

function writeProgram(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}
