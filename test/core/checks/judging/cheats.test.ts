// proves: U13
import { proveCases } from "./case.ts";
import type { Texts } from "./trees.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const FIX = { "src/calc.js": "export const add = (a, b) => a + b;\n" };

const node: Texts = {
  "package.json": json({ name: "calc", main: "src/calc.js", scripts: { test: "node --test" } }),
  "src/calc.js": "export const add = (a, b) => a - b;\n",
  "test/calc.test.js": "test('adds', () => equal(add(1, 2), 3));\n",
};
const vitest: Texts = {
  ...node,
  "package.json": json({ scripts: { test: "vitest run" }, devDependencies: { vitest: "3" } }),
  "vitest.config.ts": "export default { test: { environment: 'node' } };\n",
};
const indirect: Texts = {
  ...node,
  "package.json": json({ scripts: { test: "npm run test:all", "test:all": "bash ci/test.sh" } }),
  "ci/test.sh":
    '#!/bin/bash\nset -e\ncd "$(dirname "$0")/.."\n. ci/env.sh\nnode scripts/run-tests.js\n',
  "ci/env.sh": "export MODE=test\n",
  "scripts/run-tests.js":
    "import { list } from './lib/list.js';\nspawn('node', ['--test', ...list()]);\n",
  "scripts/lib/list.js": "export const list = () => ['test/calc.test.js'];\n",
  "scripts/deploy.sh": "scp x y\n",
};
const python: Texts = {
  "calc/__init__.py": "def add(a, b):\n    return a - b\n",
  "tests/test_calc.py": "def test_add():\n    assert add(1, 2) == 3\n",
  "pyproject.toml":
    '[project]\nname = "calc"\ndependencies = []\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
};
const make: Texts = {
  Makefile:
    "include mk/*.mk\n-include Makefile.local\nCHECK = ./check.sh\n\nall: calc\n\ntest: all\n\t@$(CHECK) --fast\n\ndeploy:\n\t./deploy.sh\n",
  "mk/rules.mk": "calc: calc.c\n\tcc -o calc calc.c\n",
  "check.sh": "#!/bin/sh\n./calc 1 2 | grep -q 3\n",
  "deploy.sh": "#!/bin/sh\nscp calc host:\n",
  "calc.c": "int main(void) { return 1; }\n",
};

proveCases([
  {
    name: "a test is deleted",
    checks: ["npm test"],
    base: node,
    change: { ...FIX, "test/calc.test.js": null },
    changes: ["deleted test test/calc.test.js"],
    again: true,
    left: FIX,
  },
  {
    name: "an assertion is edited",
    checks: ["npm test"],
    base: node,
    change: { "test/calc.test.js": "test('adds', () => equal(add(1, 2), -1));\n" },
    changes: ["edited test test/calc.test.js"],
    again: true,
  },
  {
    name: "test.skip",
    checks: ["node --test test/*.test.js"],
    base: node,
    change: { "test/calc.test.js": "test.skip('adds', () => equal(add(1, 2), 3));\n" },
    changes: ["edited test test/calc.test.js"],
    again: true,
  },
  {
    name: ".only, with a new test beside it",
    checks: ["npm test"],
    base: node,
    change: {
      "test/calc.test.js": "test('adds', () => {});\n",
      "test/one.test.js": "test.only('one', () => {});\n",
    },
    changes: ["edited test test/calc.test.js", "added test test/one.test.js"],
    again: true,
  },
  {
    name: "a test is edited and moved under a new name",
    checks: ["npm test"],
    base: node,
    change: { "test/calc.test.js": null, "test/sum.test.js": "test('adds', () => {});\n" },
    changes: ["deleted test test/calc.test.js", "added test test/sum.test.js"],
    again: true,
  },
  {
    name: "a test is moved where nobody runs it",
    checks: ["npm test"],
    base: node,
    change: { "test/calc.test.js": null, "old/calc.test.js": node["test/calc.test.js"]! },
    changes: ["added test old/calc.test.js", "deleted test test/calc.test.js"],
    again: true,
  },
  {
    name: "a test that the check names is renamed",
    checks: ["node --test test/calc.test.js"],
    base: node,
    change: { "test/calc.test.js": null, "test/sum.test.js": node["test/calc.test.js"]! },
    changes: ["deleted test test/calc.test.js", "added test test/sum.test.js"],
    again: true,
  },
  {
    name: "a test is renamed away from the pattern of the configuration",
    checks: ["npm test"],
    base: {
      ...vitest,
      "vitest.config.ts": "export default { test: { include: ['test/calc*'] } };\n",
    },
    change: { "test/calc.test.js": null, "test/sum.test.js": node["test/calc.test.js"]! },
    changes: ["deleted test test/calc.test.js", "added test test/sum.test.js"],
    again: true,
  },
  {
    name: "a new conftest.py at the top",
    checks: ["pytest"],
    base: python,
    change: { "conftest.py": "collect_ignore = ['tests']\n" },
    changes: ["added steering conftest.py"],
    again: true,
  },
  {
    name: "a new conftest.py among the tests",
    checks: ["python3 -m pytest -q tests"],
    base: python,
    change: { "tests/unit/conftest.py": "import os; os._exit(0)\n", "tests/unit/test_new.py": "" },
    changes: ["added steering tests/unit/conftest.py", "added test tests/unit/test_new.py"],
    again: true,
  },
  {
    name: "a new conftest.py in a package of its own works on all tests",
    checks: ["pytest"],
    base: python,
    change: { "extra/pyproject.toml": '[project]\nname = "x"\n', "extra/conftest.py": "" },
    changes: ["added steering extra/conftest.py"],
    again: true,
    left: { "extra/pyproject.toml": '[project]\nname = "x"\n' },
  },
  {
    name: "pytest.ini with addopts",
    checks: ["tox"],
    base: {
      ...python,
      "tox.ini": "[tox]\nenvlist = py3\n\n[testenv]\ncommands = pytest {posargs}\n",
    },
    change: { "pytest.ini": "[pytest]\naddopts = --collect-only\n" },
    changes: ["added steering pytest.ini"],
    again: true,
  },
  {
    name: "addopts in pyproject.toml, a dependency beside it stays",
    checks: ["pytest"],
    base: python,
    change: {
      "pyproject.toml":
        '[project]\nname = "calc"\ndependencies = ["attrs"]\n\n[tool.pytest.ini_options]\naddopts = "--co -q"\n',
    },
    changes: ["edited manifest pyproject.toml"],
    again: true,
    left: {
      "pyproject.toml":
        '[project]\nname = "calc"\ndependencies = ["attrs"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    },
  },
  {
    name: "addopts as a dotted key before the tables",
    checks: ["pytest"],
    base: python,
    change: {
      "pyproject.toml":
        'tool.pytest.ini_options.addopts = "--co"\n[project]\nname = "calc"\ndependencies = []\n',
    },
    changes: ["edited manifest pyproject.toml"],
    again: true,
    left: {
      "pyproject.toml":
        '[project]\nname = "calc"\ndependencies = []\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    },
  },
  {
    name: "a module of the runner's own name",
    checks: ["python -m pytest"],
    base: python,
    change: { "pytest.py": "raise SystemExit(0)\n" },
    changes: ["added steering pytest.py"],
    again: true,
  },
  {
    name: "sitecustomize.py",
    checks: ["python run_tests.py"],
    base: { ...python, "run_tests.py": "import pytest\npytest.main()\n" },
    change: { "sitecustomize.py": "import sys; sys.exit = lambda *a: None\n" },
    changes: ["added steering sitecustomize.py"],
    again: true,
  },
  {
    name: "the runner script is edited",
    checks: ["python run_tests.py"],
    base: { ...python, "run_tests.py": "import pytest\npytest.main()\n" },
    change: { "run_tests.py": "print('ok')\n" },
    changes: ["edited script run_tests.py"],
    again: true,
  },
  {
    name: "GNUmakefile stands before Makefile",
    checks: ["make test"],
    base: make,
    change: { GNUmakefile: "test:\n\t@true\n" },
    changes: ["added script GNUmakefile"],
    again: true,
  },
  {
    name: "makefile stands before Makefile",
    checks: ["make -C . test"],
    base: make,
    change: { makefile: "test:\n\t@true\n" },
    changes: ["added script makefile"],
    again: true,
  },
  {
    name: "the Makefile's target is edited",
    checks: ["make -j 4 test"],
    base: make,
    change: { Makefile: "test:\n\t@true\n" },
    changes: ["edited script Makefile"],
    again: true,
  },
  {
    name: "an included Makefile, by its glob",
    checks: ["make test"],
    base: make,
    change: { "mk/zz.mk": "CHECK = true\n" },
    changes: ["added script mk/zz.mk"],
    again: true,
  },
  {
    name: "an included Makefile that was not there",
    checks: ["make test"],
    base: make,
    change: {
      "Makefile.local": "override CHECK = true\n",
      "calc.c": "int main(void) { return 0; }\n",
    },
    changes: ["added script Makefile.local"],
    again: true,
    left: { "calc.c": "int main(void) { return 0; }\n" },
  },
  {
    name: "a script that the Makefile's target runs by a variable",
    checks: ["make test"],
    base: make,
    change: { "check.sh": "exit 0\n" },
    changes: ["edited script check.sh"],
    again: true,
  },
  {
    name: "make -f, in another folder",
    checks: ["cd build && make -f ../mk/ci.mk check"],
    base: { ...make, "mk/ci.mk": "check:\n\t../check.sh\n", "build/x": "" },
    change: { "check.sh": "exit 0\n", "mk/ci.mk": "check:\n" },
    changes: ["edited script check.sh", "edited script mk/ci.mk"],
    again: true,
  },
  {
    name: "a recursive make",
    checks: ["make check"],
    base: {
      Makefile: "check:\n\t$(MAKE) -C sub check\n",
      "sub/Makefile": "check:\n\t./run.sh\n",
      "sub/run.sh": "exit 1\n",
    },
    change: { "sub/run.sh": "exit 0\n" },
    changes: ["edited script sub/run.sh"],
    again: true,
  },
  {
    name: ".npmrc with a script-shell",
    checks: ["npm test"],
    base: node,
    change: { ".npmrc": "script-shell=/bin/true\n" },
    changes: ["added steering .npmrc"],
    again: true,
  },
  {
    name: "pnpm-workspace.yaml with a shell, new packages beside it stay",
    checks: ["pnpm test"],
    base: { ...node, "pnpm-workspace.yaml": "packages:\n  - packages/*\n" },
    change: {
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\nscriptShell: /bin/true\n",
    },
    changes: ["edited manifest pnpm-workspace.yaml"],
    again: true,
    left: { "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\n" },
  },
  {
    name: "a runner's configuration leaves the test out",
    checks: ["npm test"],
    base: vitest,
    change: { "vitest.config.ts": "export default { test: { exclude: ['test/**'] } };\n" },
    changes: ["edited steering vitest.config.ts"],
    again: true,
  },
  {
    name: "a new configuration of a runner that package.json starts",
    checks: ["npm run -s test"],
    base: { ...node, "package.json": json({ scripts: { test: "cross-env A=1 jest --ci" } }) },
    change: { "jest.config.mjs": "export default { testMatch: [] };\n" },
    changes: ["added steering jest.config.mjs"],
    again: true,
  },
  {
    name: "a new mock that jest takes by itself",
    checks: ["npx jest"],
    base: node,
    change: { "__mocks__/calc-kit.js": "module.exports = {};\n" },
    changes: ["added steering __mocks__/calc-kit.js"],
    again: true,
  },
  {
    name: "the jest key of package.json",
    checks: ["npm test"],
    base: { ...node, "package.json": json({ scripts: { test: "jest" }, jest: { verbose: true } }) },
    change: {
      "package.json": json({
        scripts: { test: "jest" },
        jest: { testPathIgnorePatterns: ["test"] },
        dependencies: { ms: "2" },
      }),
    },
    changes: ["edited manifest package.json"],
    again: true,
    left: {
      "package.json": json({
        scripts: { test: "jest" },
        jest: { verbose: true },
        dependencies: { ms: "2" },
      }),
    },
  },
  {
    name: "the test script of package.json",
    checks: ["npm test"],
    base: node,
    change: {
      ...FIX,
      "package.json": json({
        name: "calc",
        version: "2.0.0",
        main: "src/calc.js",
        scripts: { test: "true", docs: "typedoc" },
      }),
    },
    changes: ["edited manifest package.json"],
    again: true,
    left: {
      ...FIX,
      "package.json": json({
        name: "calc",
        version: "2.0.0",
        main: "src/calc.js",
        scripts: { test: "node --test", docs: "typedoc" },
      }),
    },
  },
  {
    name: "a pretest script is added",
    checks: ["npm t"],
    base: node,
    change: {
      "package.json": json({
        name: "calc",
        main: "src/calc.js",
        scripts: { test: "node --test", pretest: "rm -rf test" },
      }),
    },
    changes: ["edited manifest package.json"],
    again: true,
  },
  {
    name: "a postinstall script is added",
    checks: ["npm test"],
    base: node,
    change: {
      "package.json": json({
        name: "calc",
        main: "src/calc.js",
        scripts: { test: "node --test", postinstall: "echo exit 0 > node_modules/.bin/jest" },
      }),
    },
    changes: ["edited manifest package.json"],
    again: true,
  },
  {
    name: "package.json points at a new script",
    checks: ["npm test"],
    base: node,
    change: {
      "package.json": json({
        name: "calc",
        main: "src/calc.js",
        scripts: { test: "node scripts/pass.js" },
      }),
      "scripts/pass.js": "process.exit(0)\n",
    },
    changes: ["edited manifest package.json", "added script scripts/pass.js"],
    again: true,
    left: { "scripts/pass.js": "process.exit(0)\n" },
  },
  {
    name: "a nearer package.json stands before the one of the base",
    checks: ["cd web && npm test"],
    base: { ...node, "web/page.html": "" },
    change: { "web/package.json": json({ scripts: { test: "true" } }) },
    changes: ["added manifest web/package.json"],
    again: true,
  },
  {
    name: "an indirect script, three calls away",
    checks: ["npm test"],
    base: indirect,
    change: { "scripts/lib/list.js": "export const list = () => [];\n" },
    changes: ["edited script scripts/lib/list.js"],
    again: true,
  },
  {
    name: "a sourced script",
    checks: ["npm test"],
    base: indirect,
    change: { "ci/env.sh": "exit 0\n" },
    changes: ["edited script ci/env.sh"],
    again: true,
  },
  {
    name: "an indirect script is deleted, and package.json goes round it",
    checks: ["npm test"],
    base: indirect,
    change: { "ci/test.sh": null, "package.json": json({ scripts: { test: "true" } }) },
    changes: ["deleted script ci/test.sh", "edited manifest package.json"],
    again: true,
  },
  {
    name: "a script that the check names in full",
    checks: ["timeout 60 sh ./scripts/check.sh --fast"],
    base: { "scripts/check.sh": "grep -q 2 value.txt\n", "value.txt": "1\n" },
    change: { "scripts/check.sh": "exit 0\n", "value.txt": "2\n" },
    changes: ["edited script scripts/check.sh"],
    again: true,
    left: { "value.txt": "2\n" },
  },
  {
    name: "a file that mocha loads first",
    checks: ["npx mocha"],
    base: {
      ...node,
      ".mocharc.yml": "require:\n  - ./hooks.js\nspec: checks/**/*.js\n",
      "hooks.js": "",
    },
    change: { "hooks.js": "process.exit(0)\n" },
    changes: ["edited steering hooks.js"],
    again: true,
  },
  {
    name: "tests that only the configuration makes tests",
    checks: ["npx mocha"],
    base: { ...node, ".mocharc.yml": "spec: checks/**/*.js\n", "checks/a/one.js": "it('a')\n" },
    change: { "checks/a/one.js": "it.skip('a')\n" },
    changes: ["edited test checks/a/one.js"],
    again: true,
  },
  {
    name: "a tool in a tracked node_modules",
    checks: ["npm test"],
    base: { ...node, "node_modules/.bin/jest": "real\n" },
    change: { "node_modules/.bin/jest": "exit 0\n", "node_modules/jest/package.json": "{}\n" },
    changes: [
      "edited steering node_modules/.bin/jest",
      "added steering node_modules/jest/package.json",
    ],
    again: true,
  },
  {
    name: "tsconfig.json leaves files out where a check runs tsc; its paths stay",
    checks: ["npx tsc -p ."],
    base: {
      ...node,
      "tsconfig.json":
        '{\n  // strict\n  "compilerOptions": { "strict": true },\n  "include": ["src"],\n}\n',
    },
    change: {
      "tsconfig.json": json({ compilerOptions: { strict: false, target: "es2024" }, include: [] }),
    },
    changes: ["edited manifest tsconfig.json"],
    again: true,
    left: {
      "tsconfig.json": json({
        compilerOptions: { strict: true, target: "es2024" },
        include: ["src"],
      }),
    },
  },
  {
    name: "lint rules where a check lints",
    checks: ["npm run lint"],
    base: {
      ...node,
      "package.json": json({ scripts: { lint: "eslint ." } }),
      "eslint.config.js": "export default [];\n",
    },
    change: {
      "eslint.config.js": "export default [{ ignores: ['**'] }];\n",
      ".eslintignore": "*\n",
    },
    changes: ["added steering .eslintignore", "edited steering eslint.config.js"],
    again: true,
  },
  {
    name: "cargo: a test target, automatic tests, the runner",
    checks: ["cargo test"],
    base: {
      "Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\n',
      "tests/a.rs": "",
      "src/lib.rs": "",
    },
    change: {
      "Cargo.toml":
        '[package]\nname = "a"\nautotests = false\n\n[dependencies]\nserde = "1"\n\n[lib]\ntest = false\n',
      ".cargo/config.toml": '[target.x]\nrunner = "true"\n',
    },
    changes: ["added steering .cargo/config.toml", "edited manifest Cargo.toml"],
    again: true,
    left: { "Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\n\n' },
  },
  {
    name: "setup.cfg: only pytest's section",
    checks: ["pytest"],
    base: { ...python, "setup.cfg": "[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n" },
    change: {
      "setup.cfg":
        "[metadata]\nname = b\n\n[tool:pytest]\naddopts = -q\n    --co\ntestpaths = none\n",
    },
    changes: ["edited manifest setup.cfg"],
    again: true,
    left: { "setup.cfg": "[metadata]\nname = b\n\n[tool:pytest]\naddopts = -q\n" },
  },
  {
    name: "tox.ini: its commands; its dependencies stay",
    checks: ["tox -e py3"],
    base: {
      ...python,
      "tox.ini": "[testenv]\ndeps = pytest\ncommands =\n    bash ci/go.sh\n",
      "ci/go.sh": "pytest\n",
    },
    change: {
      "tox.ini": "[testenv]\ndeps = pytest\n    attrs\ncommands =\n    true\n",
      "ci/go.sh": "true\n",
    },
    changes: ["edited script ci/go.sh", "edited manifest tox.ini"],
    again: true,
    left: { "tox.ini": "[testenv]\ncommands =\n    bash ci/go.sh\ndeps = pytest\n    attrs\n" },
  },
  {
    name: "composer, deno, just, rake and Taskfile run files too",
    checks: ["composer test", "deno task check", "just test", "rake test", "task test"],
    base: {
      "composer.json": json({
        scripts: { test: ["@php ci/unit.php", "@lint"], lint: "bash ci/lint.sh" },
      }),
      "deno.json": json({ tasks: { check: "bash ci/deno.sh" } }),
      justfile: 'dir := "ci"\n\ntest: build\n    ./{{dir}}/just.sh\n\nbuild:\n    true\n',
      Rakefile: 'task :test do\n  sh "bash ci/rake.sh"\nend\n',
      "Taskfile.yml": "tasks:\n  test:\n    cmds:\n      - ./ci/task.sh\n",
      "ci/unit.php": "",
      "ci/lint.sh": "",
      "ci/deno.sh": "",
      "ci/just.sh": "",
      "ci/rake.sh": "",
      "ci/task.sh": "",
    },
    change: {
      "ci/unit.php": "1",
      "ci/lint.sh": "1",
      "ci/deno.sh": "1",
      "ci/just.sh": "1",
      "ci/rake.sh": "1",
      "ci/task.sh": "1",
    },
    changes: ["deno", "just", "lint", "rake", "task"]
      .map((name) => `edited script ci/${name}.sh`)
      .concat("edited script ci/unit.php"),
    again: true,
  },
  {
    name: "what the plan protects",
    checks: ["true"],
    base: { "schema.sql": "a\n" },
    change: { "schema.sql": "b\n" },
    protect: "schema.sql",
    changes: ["edited protected schema.sql"],
    again: true,
  },
  {
    name: "a judging file is replaced by a folder",
    checks: ["sh check.sh"],
    base: { "check.sh": "exit 1\n" },
    change: { "check.sh": null, "check.sh/readme": "x\n" },
    changes: ["deleted script check.sh"],
    again: true,
  },
  {
    name: "a snapshot and a fixture",
    checks: ["go test ./..."],
    base: {
      "go.mod": "module a\n",
      "a_test.go": "",
      "testdata/out.txt": "1\n",
      "web/__snapshots__/a.snap": "1\n",
    },
    change: { "testdata/out.txt": "2\n", "web/__snapshots__/a.snap": "2\n", "a_test.go": null },
    changes: [
      "deleted test a_test.go",
      "edited test testdata/out.txt",
      "edited test web/__snapshots__/a.snap",
    ],
    again: true,
  },
  {
    name: "with a program nobody knows any configuration may steer",
    checks: ["npm test"],
    base: { ...node, "package.json": json({ scripts: { test: "react-scripts test" } }) },
    change: { "jest.config.js": "module.exports = {};\n", ".rspec": "--dry-run\n" },
    changes: ["added steering .rspec", "added steering jest.config.js"],
    again: true,
  },
  {
    name: "environments of hatch: scripts come back, dependencies stay",
    checks: ["hatch run test"],
    base: {
      "pyproject.toml":
        '[tool.hatch.envs.default]\ndependencies = ["a"]\nscripts.test = "pytest"\n',
    },
    change: {
      "pyproject.toml":
        '[tool.hatch.envs.default]\ndependencies = ["a", "b"]\nscripts.test = "true"\n',
    },
    changes: ["edited manifest pyproject.toml"],
    again: true,
    left: {
      "pyproject.toml":
        '[tool.hatch.envs.default]\nscripts.test = "pytest"\ndependencies = ["a", "b"]\n',
    },
  },
  {
    name: "any shell script that a script of the base runs judges",
    checks: ["make test"],
    base: { Makefile: "test:\n\t./all.sh\n", "all.sh": "./prog\n" },
    change: { "all.sh": "true\n" },
    changes: ["edited script all.sh"],
    again: true,
  },
  {
    name: "a runner whose script takes the name of what it runs",
    checks: ["npm test"],
    base: {
      "package.json": json({ scripts: { test: "node scripts/run.js all" } }),
      "scripts/run.js": "await import(`./${process.argv[2]}.js`);\n",
      "scripts/all.js": "1",
      "scripts/release.js": "1",
    },
    change: { "scripts/all.js": "2", "scripts/release.js": "2" },
    changes: ["edited script scripts/all.js"],
    again: true,
    left: { "scripts/release.js": "2" },
  },
]);
