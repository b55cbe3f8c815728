/**
 * Checks of a Python project: its linter and type checker if they are configured, and its tests, in the environment of
 * its lock file or its own virtual environment. Tests that only pytest can run use pytest; Django's own runner and
 * plain `unittest` are used if nothing mentions pytest.
 */
import { ownVenv, type Environment } from "../ecosystems.ts";
import { programOn } from "../found-agents.ts";
import type { Manifests } from "../manifests.ts";
import { filesBelow, firstOf, NOTHING, type FoundCheck, type Reading } from "./reading.ts";

/** The prefix that runs a command in a project's own environment. */
const RUN_IN: readonly (readonly [lock: string, runner: string])[] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
  ["Pipfile.lock", "pipenv run "],
];

const MANIFESTS = ["pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "Pipfile"];
const REQUIREMENTS = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt"];

export function python(at: Manifests, env: Environment): Reading {
  const manifest = firstOf(at, ...MANIFESTS, ...REQUIREMENTS, "uv.lock");
  const tests = testFiles(at);
  const from = manifest ?? tests[0] ?? firstOf(at, "manage.py");
  if (from === undefined) return NOTHING;
  const { runner, interpreter } = surroundings(at, env);
  const project = at.text("pyproject.toml");
  const checks: FoundCheck[] = [];
  const add = (run: string, file: string): number => checks.push({ run, from: file });
  if (/^\[tool\.ruff|["']ruff\b/m.test(project)) add(`${runner}ruff check .`, "pyproject.toml");
  if (/^\[tool\.mypy|["']mypy\b/m.test(project)) add(`${runner}mypy .`, "pyproject.toml");
  const named = pytestFile(at);
  const { unittest, bare } = styleOf(at, tests);
  if (named === undefined && /\bdjango\b/.test(at.text("manage.py")))
    add(`${interpreter} manage.py test --noinput`, "manage.py");
  else if (named === undefined && unittest && bare === undefined)
    add(`${interpreter} -m unittest ${discovery(at, tests)}`, tests[0] ?? from);
  else if (
    named !== undefined ||
    bare !== undefined ||
    (manifest !== undefined && tests.length > 0)
  )
    add(`${interpreter} -m pytest -q`, named ?? bare ?? from);
  return { checks, leftOut: [] };
}

function surroundings(at: Manifests, env: Environment) {
  const [, runner] = RUN_IN.find(([lock]) => at.has(lock)) ?? ["", undefined];
  if (runner !== undefined) return { runner, interpreter: `${runner}python` };
  const isActive = (env["VIRTUAL_ENV"] ?? "") !== "";
  const { venv } = isActive ? {} : (ownVenv(at, env) ?? {});
  if (venv !== undefined) return { runner: `${venv}/bin/`, interpreter: `${venv}/bin/python` };
  const path = env["PATH"] ?? "";
  const isOnlyThree =
    programOn(path, "python") === undefined && programOn(path, "python3") !== undefined;
  return { runner: "", interpreter: isOnlyThree ? "python3" : "python" };
}

/** The file that mentions pytest. */
function pytestFile(at: Manifests): string | undefined {
  const says: readonly (readonly [file: string, words: RegExp])[] = [
    ["pyproject.toml", /^\[tool\.pytest|["']pytest\b|^pytest[\w-]{0,40}\s{0,5}=/m],
    ["pytest.ini", /^/],
    [".pytest.ini", /^/],
    ["setup.cfg", /^\[tool:pytest\]|^\s{0,20}pytest\b/m],
    ["tox.ini", /^\[pytest\]|^\s{0,20}(?:commands\s{0,5}=\s{0,5})?(?:python -m )?pytest\b/m],
    ["setup.py", /["']pytest\b/],
    ["Pipfile", /^pytest\b/m],
    ...REQUIREMENTS.map((file) => [file, /^pytest\b/m] as const),
    ["uv.lock", /^name = "pytest"$/m],
    ["conftest.py", /^/],
    ["tests/conftest.py", /^/],
  ];
  return says.find(([file, words]) => at.has(file) && words.test(at.text(file)))?.[0];
}

const TEST_FILE = /^(?:test_.{1,200}|.{1,200}_test)\.py$/;

function testFiles(at: Manifests): readonly string[] {
  const below = ["tests", "test"].flatMap((folder) => filesBelow(at, folder, TEST_FILE));
  return [...below, ...at.names().filter((name) => TEST_FILE.test(name) && at.has(name))];
}

/** How the tests are run; `bare`: a file that only pytest can run. */
function styleOf(at: Manifests, tests: readonly string[]) {
  const has = (words: RegExp): string | undefined =>
    tests.find((file) => words.test(at.text(file).slice(0, 50_000)));
  return {
    unittest: has(/^(?:import|from) unittest\b/m) !== undefined,
    bare: has(/^(?:import|from) pytest\b|^(?:async )?def test_/m),
  };
}

/** By itself `unittest` searches only packages, and only names that begin with `test`. */
function discovery(at: Manifests, tests: readonly string[]): string {
  const [folder = ""] = (tests[0] ?? "").split("/");
  if (folder === tests[0]) return "discover";
  return at.has(`${folder}/__init__.py`) ? `discover -s ${folder} -t .` : `discover -s ${folder}`;
}
