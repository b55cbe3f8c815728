// proves: U13
import { proveCases, type Case } from "./case.ts";
import type { Patch, Texts } from "./trees.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const node: Texts = {
  "package.json": json({ main: "src/calc.js", scripts: { test: "node --test", lint: "eslint ." } }),
  "src/calc.js": "export const add = (a, b) => a - b;\n",
  "test/calc.test.js": "test('adds', () => equal(add(1, 2), 3));\n",
  "README.md": "# calc\n",
};
const python: Texts = {
  "calc/__init__.py": "def add(a, b):\n    return a - b\n",
  "tests/test_calc.py": "def test_add():\n    assert add(1, 2) == 3\n",
  "pyproject.toml":
    '[project]\ndependencies = [\n  "a", # [tool.pytest]\n]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
};

/** Changes that are the work itself: nothing is said of them, and all of them is left. */
const ordinary = (name: string, checks: readonly string[], base: Texts, change: Patch): Case => ({
  name,
  checks,
  base,
  change,
  changes: [],
  again: false,
  left: change,
});

proveCases([
  ordinary("source is edited", ["npm test"], node, { "src/calc.js": "export const add = 1;\n" }),
  ordinary("a new source file", ["npm test"], node, { "src/mul.js": "export {};\n" }),
  ordinary("the README is edited", ["npm test"], node, { "README.md": "# calc 2\n" }),
  ordinary("names that only look like tests", ["npm test"], node, {
    "src/latest.js": "",
    "src/contest/a.js": "",
    "src/testing.js": "",
    "lib/commands/test.js": "",
    "testing.md": "",
    "src/main/java/com/x/test/Foo.java": "",
    "docs/inspect.md": "",
    "spec/openapi.yaml": "",
    "src/Tested.java": "",
  }),
  ordinary("a dependency is added to package.json", ["npm test"], node, {
    "package.json": json({
      main: "src/calc.js",
      scripts: { test: "node --test", lint: "eslint ." },
      dependencies: { ms: "2" },
    }),
    "package-lock.json": "{}\n",
  }),
  ordinary("package.json is only written in another order", ["npm test"], node, {
    "package.json": JSON.stringify({
      scripts: { lint: "eslint .", test: "node --test" },
      main: "src/calc.js",
    }),
  }),
  ordinary("a package script that no check runs", ["npm test"], node, {
    "package.json": json({
      main: "src/calc.js",
      scripts: { test: "node --test", lint: "biome", docs: "typedoc" },
    }),
  }),
  ordinary("a lock file among the tests", ["pytest"], python, {
    "tests/requirements.txt": "attrs\n",
    "uv.lock": "",
  }),
  ordinary("a dependency is added to pyproject.toml", ["pytest"], python, {
    "pyproject.toml":
      '[project]\ndependencies = [\n  "a", # [tool.pytest]\n  "b",\n]\n\n[tool.pytest.ini_options]\n# quiet\naddopts = "-q"\n\n[tool.ruff]\nline-length = 100\n',
  }),
  ordinary("a script that no check runs", ["npm test"], node, {
    "scripts/release.sh": "npm publish\n",
    Makefile: "test:\n\ttrue\n",
  }),
  ordinary(
    "a script that only another target runs",
    ["make test"],
    {
      Makefile: "test:\n\tcc -o a a.c && ./a\n\ndeploy:\n\t./scripts/deploy.sh\n",
      "scripts/deploy.sh": "scp a b\n",
    },
    { "scripts/deploy.sh": "rsync a b\n" },
  ),
  ordinary("configuration of runners that no check starts", ["npm test"], node, {
    "conftest.py": "",
    "pytest.ini": "",
    "playwright.config.ts": "",
    "eslint.config.js": "",
    ".golangci.yml": "",
    "tsconfig.json": json({ include: [] }),
  }),
  ordinary(
    "tsconfig.json: what is no leaving out",
    ["npx tsc"],
    { "tsconfig.json": json({ include: ["src"] }) },
    {
      "tsconfig.json": json({ include: ["src"], compilerOptions: { target: "es2024", paths: {} } }),
    },
  ),
  ordinary(
    "a repository without tests",
    ["node app.js | grep -q hello"],
    { "greet.js": "" },
    {
      "greet.js": "exports.greet = () => 'hello';\n",
    },
  ),
  ordinary(
    "what a check only looks at",
    ["grep -q ^2$ value.txt && test -f out/a.txt && diff a b"],
    { "value.txt": "1\n", a: "" },
    {
      "value.txt": "2\n",
      "out/a.txt": "x\n",
      a: "y\n",
    },
  ),
  ordinary(
    "what a check script imports from outside the scripts",
    ["node check.js"],
    {
      "check.js":
        "import assert from 'node:assert';\nimport { add } from './calc.js';\nassert(add(1, 2) === 3);\n",
      "calc.js": "export const add = () => 1;\n",
    },
    { "calc.js": "export const add = (a, b) => a + b;\n" },
  ),
  ordinary(
    "a file that a configuration leaves out is no configuration",
    ["npx jest"],
    {
      "jest.config.js": "module.exports = { coveragePathIgnorePatterns: ['server/index.js'] };\n",
      "server/index.js": "1\n",
    },
    { "server/index.js": "2\n" },
  ),
  ordinary(
    "cargo: a dependency and a feature",
    ["cargo test"],
    {
      "Cargo.toml": '[package]\nname = "a"\n\n[[test]]\nname = "t"\n\n[dependencies]\n',
    },
    {
      "Cargo.toml":
        '[package]\nname = "a"\nversion = "2"\n\n[dependencies]\nserde = "1"\n\n[[test]]\nname = "t"\n',
    },
  ),
  ordinary(
    "tox.ini: a dependency",
    ["tox"],
    { "tox.ini": "[testenv]\ndeps = pytest\ncommands = pytest\n" },
    {
      "tox.ini": "[testenv]\ndeps =\n    pytest\n    attrs\ncommands = pytest\n",
    },
  ),
  {
    name: "new tests beside untouched old ones",
    checks: ["npm test"],
    base: node,
    change: {
      "test/mul.test.js": "test('mul');\n",
      "test/fixtures/a.json": "{}\n",
      "src/mul.js": "",
    },
    changes: ["added test test/fixtures/a.json", "added test test/mul.test.js"],
    again: false,
    left: { "src/mul.js": "" },
  },
  {
    name: "a renamed test file, byte for byte",
    checks: ["npm test"],
    base: node,
    change: { "test/calc.test.js": null, "test/sum.test.js": node["test/calc.test.js"]! },
    changes: ["deleted test test/calc.test.js", "added test test/sum.test.js"],
    again: false,
  },
  {
    name: "a new workspace package with its own tests and configuration",
    checks: ["npm test --workspaces"],
    base: {
      "package.json": json({ workspaces: ["packages/*"], scripts: {} }),
      "packages/a/package.json": json({ scripts: { test: "jest" } }),
      "packages/a/a.test.js": "",
    },
    change: {
      "packages/b/package.json": json({ scripts: { test: "jest" }, jest: { verbose: true } }),
      "packages/b/jest.config.js": "module.exports = {};\n",
      "packages/b/b.test.js": "",
      "packages/b/src/b.js": "",
    },
    changes: [
      "added test packages/b/b.test.js",
      "added steering packages/b/jest.config.js",
      "added manifest packages/b/package.json",
    ],
    again: false,
    left: {
      "packages/b/package.json": json({ scripts: { test: "jest" }, jest: { verbose: true } }),
      "packages/b/jest.config.js": "module.exports = {};\n",
      "packages/b/b.test.js": "",
      "packages/b/src/b.js": "",
    },
  },
  {
    name: "the program that a check runs is listed as source",
    checks: ["node lib/cli.js --selftest", "node app.js | grep -q hello", "./bin/tool check"],
    base: {
      "package.json": json({ bin: { tool: "./bin/tool" } }),
      "lib/cli.js": "1",
      "app.js": "1",
      "bin/tool": "#!/usr/bin/env node\nrequire('assert')\n",
    },
    change: { "lib/cli.js": "2", "app.js": "2", "bin/tool": "#!/usr/bin/env node\n" },
    changes: [
      "edited script app.js (source)",
      "edited script bin/tool (source)",
      "edited script lib/cli.js (source)",
    ],
    again: false,
    left: { "lib/cli.js": "2", "app.js": "2", "bin/tool": "#!/usr/bin/env node\n" },
  },
  {
    name: "naming a judge in bin does not make it source",
    checks: ["npm test"],
    base: {
      "package.json": json({ scripts: { test: "node scripts/check.js" } }),
      "scripts/check.js": "1",
    },
    change: {
      "package.json": json({ scripts: { test: "node scripts/check.js" }, bin: "scripts/check.js" }),
      "scripts/check.js": "2",
    },
    changes: ["edited script scripts/check.js"],
    again: true,
    left: {
      "package.json": json({ scripts: { test: "node scripts/check.js" }, bin: "scripts/check.js" }),
    },
  },
  {
    name: "a file that a check names and the work is to write",
    checks: ["sh hello.sh | grep -q hello", "python make_report.py", "make report"],
    base: { "README.md": "" },
    change: {
      "hello.sh": "echo hello\n",
      "make_report.py": "print()\n",
      Makefile: "report:\n\techo\n",
    },
    changes: [
      "added script Makefile",
      "added script hello.sh (source)",
      "added script make_report.py (source)",
    ],
    again: false,
    left: {
      "hello.sh": "echo hello\n",
      "make_report.py": "print()\n",
      Makefile: "report:\n\techo\n",
    },
  },
  {
    name: "the first package.json of a repository",
    checks: ["npm test"],
    base: { "README.md": "" },
    change: { "package.json": json({ scripts: { test: "node test.js" } }), "test.js": "" },
    changes: ["added manifest package.json", "added test test.js"],
    again: false,
    left: { "package.json": json({ scripts: { test: "node test.js" } }) },
  },
  {
    name: "build files that hold dependencies too are listed only",
    checks: ["./gradlew test", "mvn -q test"],
    base: { "build.gradle.kts": "1", "pom.xml": "1", gradlew: "#!/bin/sh\n" },
    change: { "build.gradle.kts": "2", "pom.xml": "2" },
    changes: ["edited steering build.gradle.kts (source)", "edited steering pom.xml (source)"],
    again: false,
    left: { "build.gradle.kts": "2", "pom.xml": "2" },
  },
  {
    name: "a manifest that cannot be split is listed only",
    checks: ["pytest"],
    base: python,
    change: { "pyproject.toml": '[project\nname = "a\n' },
    changes: ["edited manifest pyproject.toml (source)"],
    again: false,
    left: { "pyproject.toml": '[project\nname = "a\n' },
  },
]);
