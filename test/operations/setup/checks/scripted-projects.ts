/** Projects of Node and Python, with near misses. */
import { scripts, type Row } from "./project-row.ts";

const CASE = "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n";

export const NODE: readonly Row[] = [
  {
    name: "quickest first, and only what checks",
    files: {
      "package.json": scripts({ build: "tsc", test: "node --test", lint: "eslint .", dev: "vite" }),
    },
    checks: ["npm run lint", "npm test", "npm run build"],
  },
  {
    name: "yarn",
    files: { "package.json": scripts({ test: "x", typecheck: "tsc" }), "yarn.lock": "" },
    checks: ["yarn run typecheck", "yarn test"],
  },
  {
    name: "bun's own runner where there is no script",
    files: { "package.json": "{}", "bun.lock": "", "src/a.test.ts": "" },
    checks: ["bun test"],
  },
  { name: "bun without tests", files: { "package.json": "{}", "bun.lock": "" }, checks: [] },
  {
    name: "a script that only prints",
    files: { "package.json": scripts({ test: "echo none", lint: "true" }) },
    checks: [],
  },
  {
    name: "a linter that edits is told not to",
    files: { "package.json": scripts({ lint: "eslint . --fix" }) },
    checks: ["npm run lint -- --no-fix"],
  },
  {
    name: "one that cannot be told",
    files: { "package.json": scripts({ lint: "prettier --write ." }) },
    checks: [],
    left: ["the linter edits files"],
  },
  {
    name: "a build may format",
    files: { "package.json": scripts({ build: "tsc && prettier --write dist" }) },
    checks: ["npm run build"],
  },
  {
    name: "unit tests where nothing is called test",
    files: { "package.json": scripts({ "test:unit": "mocha", "test:watch": "mocha -w" }) },
    checks: ["npm run test:unit"],
  },
  {
    name: "workspaces without scripts of the root",
    files: {
      "package.json": '{"workspaces":["packages/*"]}',
      "packages/a/package.json": scripts({ test: "mocha" }),
      "packages/b/package.json": "{}",
    },
    checks: ["npm test --workspaces --if-present"],
  },
  {
    name: "workspaces whose tests all watch",
    files: {
      "package.json": '{"workspaces":{"packages":["packages/*"]}}',
      "packages/a/package.json": scripts({ test: "jest --watch" }),
    },
    checks: ["npm test --workspaces --if-present -- --watch=false"],
  },
  {
    name: "workspaces of which some watch",
    files: {
      "package.json": '{"workspaces":["packages/*"]}',
      "packages/a/package.json": scripts({ test: "vitest" }),
      "packages/b/package.json": scripts({ test: "mocha" }),
    },
    checks: ["CI=1 npm test --workspaces --if-present"],
  },
  {
    name: "pnpm's workspace",
    files: {
      "package.json": scripts({ lint: "eslint ." }),
      "pnpm-lock.yaml": "",
      "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n  - \"!apps/old\"\n",
      "apps/a/package.json": scripts({ test: "mocha", lint: "x" }),
    },
    checks: ["pnpm run lint", "pnpm -r test"],
  },
  {
    name: "yarn 1, not every package has tests",
    files: {
      "package.json": '{"workspaces":["a","b"]}',
      "yarn.lock": "# yarn lockfile v1\n",
      "a/package.json": scripts({ test: "mocha" }, { name: "@x/a" }),
      "b/package.json": '{"name":"b"}',
    },
    checks: ["yarn workspace @x/a run test"],
  },
  {
    name: "yarn 4",
    files: {
      "package.json": '{"workspaces":["a","b"]}',
      "yarn.lock": "__metadata:\n",
      "a/package.json": scripts({ test: "mocha" }),
      "b/package.json": "{}",
    },
    checks: ["yarn workspaces foreach -A run test"],
  },
  {
    name: "workspaces without tests, and a pattern that leads out",
    files: {
      "package.json": '{"workspaces":["../*","packages/*"]}',
      "packages/a/package.json": "{}",
    },
    checks: [],
  },
];

export const PYTHON: readonly Row[] = [
  {
    name: "uv with a folder of tests and nothing said",
    files: { "pyproject.toml": '[project]\nname = "a"\n', "uv.lock": "", "tests/test_a.py": "" },
    checks: ["uv run python -m pytest -q"],
  },
  { name: "setup.cfg", files: { "setup.cfg": "[tool:pytest]\n" }, checks: ["python -m pytest -q"] },
  {
    name: "tox.ini",
    files: { "tox.ini": "[testenv]\ncommands = pytest\n" },
    checks: ["python -m pytest -q"],
  },
  { name: "tox.ini of other tools", files: { "tox.ini": "[flake8]\n" }, checks: [] },
  { name: "pytest.ini", files: { "pytest.ini": "" }, checks: ["python -m pytest -q"] },
  {
    name: "requirements",
    files: { "requirements-dev.txt": "pytest==8\n" },
    checks: ["python -m pytest -q"],
  },
  {
    name: "requirements of something alike",
    files: { "requirements.txt": "pytester\n" },
    checks: [],
  },
  {
    name: "only python3 is here",
    files: { "pytest.ini": "" },
    checks: ["python3 -m pytest -q"],
    programs: ["python3"],
  },
  {
    name: "an environment of its own that is not active",
    files: { "requirements.txt": "pytest\n", ".venv/pyvenv.cfg": "" },
    checks: [".venv/bin/python -m pytest -q"],
  },
  {
    name: "unittest",
    files: { "tests/test_a.py": CASE },
    checks: ["python -m unittest discover -s tests"],
  },
  {
    name: "unittest in a package",
    files: { "tests/__init__.py": "", "tests/test_a.py": CASE, "setup.py": "setup()" },
    checks: ["python -m unittest discover -s tests -t ."],
  },
  {
    name: "unittest in the root",
    files: { "test_a.py": CASE },
    checks: ["python -m unittest discover"],
  },
  {
    name: "unittest cases run by pytest",
    files: { "tests/test_a.py": CASE, "tests/conftest.py": "" },
    checks: ["python -m pytest -q"],
  },
  {
    name: "bare functions are for pytest alone",
    files: { "tests/test_a.py": `${CASE}\ndef test_b(): pass\n`, "setup.py": "setup()" },
    checks: ["python -m pytest -q"],
  },
  {
    name: "bare functions and no manifest",
    files: { "calc.py": "", "tests/test_calc.py": "def test_a(): pass\n" },
    checks: ["python -m pytest -q"],
  },
  {
    name: "a folder of tests that say nothing",
    files: { "tests/test_a.py": "x = 1\n" },
    checks: [],
  },
  {
    name: "Django",
    files: { "manage.py": "from django.core import management\n", "requirements.txt": "Django\n" },
    checks: ["python manage.py test --noinput"],
  },
  {
    name: "Django with pytest",
    files: { "manage.py": "import django\n", "pytest.ini": "" },
    checks: ["python -m pytest -q"],
  },
  { name: "another manage.py", files: { "manage.py": "import click\n" }, checks: [] },
  {
    name: "helpers are no tests",
    files: { "pyproject.toml": "[project]\n", "tests/data.py": "" },
    checks: [],
  },
];
