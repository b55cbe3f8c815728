// proves: P11, U17
// Which commands check a project, by its files alone; and the near misses that must not become a check.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { lookForChecks } from "../../../../src/operations/setup/checks/find-checks.ts";
import { inFolder } from "../../../cli/command.ts";

type Files = Readonly<Record<string, string>>;

interface Row {
  readonly name: string;
  readonly files: Files;
  readonly checks: readonly string[];
  /** Where it is asked for, below the root. */
  readonly at?: string;
  /** What is said to be left out. */
  readonly left?: readonly string[];
  readonly programs?: readonly string[];
}

const scripts = (all: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ scripts: all, ...more });

const CASE = "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n";

const NODE: readonly Row[] = [
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

const PYTHON: readonly Row[] = [
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

const COMPILED: readonly Row[] = [
  {
    name: "a workspace of crates",
    files: { "Cargo.toml": '[workspace]\nmembers = ["a"]\n' },
    checks: ["cargo check --workspace", "cargo test --workspace"],
  },
  {
    name: "a member's setting is no workspace",
    files: { "Cargo.toml": "[package]\nversion.workspace = true\n" },
    checks: ["cargo check", "cargo test"],
  },
  {
    name: "go.work",
    files: {
      "go.work": "go 1.22\n\nuse (\n\t./a\n\t./b/c\n\t./gone\n)\n",
      "a/go.mod": "",
      "b/c/go.mod": "",
    },
    checks: ["go vet ./a/... ./b/c/...", "go test ./a/... ./b/c/..."],
  },
  {
    name: "gradle, its wrapper",
    files: { "build.gradle.kts": "", gradlew: "#!" },
    checks: ["./gradlew test"],
  },
  { name: "gradle without", files: { "settings.gradle": "" }, checks: ["gradle test"] },
  { name: "a wrapper alone", files: { gradlew: "#!" }, checks: [] },
  { name: "maven", files: { "pom.xml": "<project/>" }, checks: ["mvn -B -q test"] },
  {
    name: "maven with integration tests, its wrapper",
    files: { "pom.xml": "<artifactId>maven-failsafe-plugin</artifactId>", mvnw: "#!" },
    checks: ["./mvnw -B -q verify"],
  },
  {
    name: ".NET, a solution",
    files: { "App.sln": "", "src/App/App.csproj": "", "tests/App.Tests/App.Tests.csproj": "" },
    checks: ["dotnet test"],
  },
  {
    name: ".NET without tests is built",
    files: { "App.csproj": "<Project/>" },
    checks: ["dotnet build"],
  },
  {
    name: ".NET, two solutions",
    files: { "A b.sln": "", "B.sln": "" },
    checks: ["dotnet test 'A b.sln'"],
  },
  {
    name: ".NET, a solution below",
    files: {
      "code/A.sln": "",
      "code/A.Tests/A.Tests.csproj": "",
      "code/B.Tests/B.Tests.csproj": "",
    },
    checks: ["dotnet test code/A.sln"],
  },
  {
    name: ".NET, only a project of tests, below",
    files: { "src/A/A.csproj": "", "test/A/A.csproj": '<PackageReference Include="xunit" />' },
    checks: ["dotnet test test/A/A.csproj"],
  },
  {
    name: "CMake",
    files: {
      "CMakeLists.txt": "project(a)\nadd_subdirectory(test)\n",
      "test/CMakeLists.txt": "add_test(NAME a COMMAND a)",
    },
    checks: [
      "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ],
  },
  {
    name: "CMake without tests, and a build folder of the project's own",
    files: { "CMakeLists.txt": "PROJECT (a)", "build/release.sh": "" },
    checks: ["cmake -S . -B cmake-build && cmake --build cmake-build"],
  },
  {
    name: "a part of a CMake project",
    files: { "CMakeLists.txt": "add_library(a a.c)" },
    checks: [],
  },
  { name: "swift", files: { "Package.swift": ".testTarget(name: 1)" }, checks: ["swift test"] },
  { name: "swift without tests", files: { "Package.swift": "" }, checks: ["swift build"] },
];

const INTERPRETED: readonly Row[] = [
  {
    name: "rspec",
    files: { Gemfile: 'gem "rspec"\n', "spec/a_spec.rb": "" },
    checks: ["bundle exec rspec"],
  },
  {
    name: "a spec that is a document",
    files: { Gemfile: 'gem "a"\n', "spec/openapi.yml": "" },
    checks: [],
  },
  {
    name: "rake",
    files: { Gemfile: 'gem "rake"\n', Rakefile: "Rake::TestTask.new\n", "test/a_test.rb": "" },
    checks: ["bundle exec rake test"],
  },
  { name: "a Rakefile without tests", files: { Rakefile: "task :release do\nend\n" }, checks: [] },
  {
    name: "minitest alone",
    files: { Gemfile: 'gem "minitest"\n', "test/a_test.rb": "" },
    checks: [
      `bundle exec ruby -Ilib -Itest -e 'Dir.glob("./test/**/*_test.rb") { |file| require file }'`,
    ],
  },
  {
    name: "rails",
    files: {
      Gemfile: "",
      "bin/rails": "",
      "config/application.rb": "",
      "test/a_test.rb": "",
      Rakefile: "",
    },
    checks: ["bundle exec rails test"],
  },
  {
    name: "phpunit",
    files: { "composer.json": '{"require-dev":{"phpunit/phpunit":"^11"}}' },
    checks: ["vendor/bin/phpunit"],
  },
  {
    name: "phpunit by its settings",
    files: { "phpunit.xml.dist": "" },
    checks: ["vendor/bin/phpunit"],
  },
  {
    name: "a script of composer",
    files: { "composer.json": scripts({ test: "phpunit" }), "phpunit.xml": "" },
    checks: ["composer test"],
  },
  {
    name: "one that watches",
    files: { "composer.json": scripts({ test: "phpunit-watcher watch" }), "phpunit.xml": "" },
    checks: ["vendor/bin/phpunit"],
    left: ["phpunit-watcher watches for changes"],
  },
  { name: "php without tests", files: { "composer.json": '{"require":{"a/b":"1"}}' }, checks: [] },
  { name: "elixir", files: { "mix.exs": "" }, checks: ["mix test"] },
  {
    name: "tasks of Deno",
    files: {
      "deno.jsonc":
        '{\n // tasks\n "tasks": { "test": "deno test -A", "dev": "deno run --watch a.ts", },\n}',
    },
    checks: ["deno task test"],
  },
  {
    name: "a task of Deno that watches",
    files: { "deno.json": '{"tasks":{"test":{"command":"deno test --watch"}}}', "a_test.ts": "" },
    checks: ["deno test"],
    left: ["deno watches for changes"],
  },
  { name: "Deno without tests", files: { "deno.json": "{}" }, checks: [] },
];

const TASKS: readonly Row[] = [
  {
    name: "make, when nobody knows better",
    files: { Makefile: ".PHONY: test lint\nlint: ; shellcheck *.sh\ntest:\n\t./run\n" },
    checks: ["make lint", "make test"],
  },
  { name: "variables are no targets", files: { Makefile: "test := 1\nchecks: a\n" }, checks: [] },
  {
    name: "a recipe that watches",
    files: { Makefile: "test:\n\t@cargo watch -x test\nlint:\n\tcargo clippy\n" },
    checks: ["make lint"],
    left: ["cargo watches for changes"],
  },
  {
    name: "just",
    files: {
      justfile: "test filter='': build\n  ./run\n@check:\n  ./c\nlint name:\n  l {{name}}\n",
    },
    checks: ["just check", "just test"],
  },
];

const PLACES: readonly Row[] = [
  {
    name: "projects below a root that has none, at most five",
    files: Object.fromEntries(
      ["a", "b c", "c", "d", "e", "f"].map((name) => [`${name}/go.mod`, "module a\n"]),
    ),
    checks: ["a", "'b c'", "c", "d", "e"].flatMap((name) =>
      ["go vet ./...", "go test ./..."].map((run) => `cd ${name} && ${run}`),
    ),
  },
  {
    name: "groups of packages, but no fixtures",
    files: {
      "src/deep/er/Cargo.toml": "",
      "services/api/Cargo.toml": "",
      "examples/go.mod": "",
      "node_modules/a/go.mod": "",
      "fixtures/go.mod": "",
    },
    checks: ["cd services/api && cargo check", "cd services/api && cargo test"],
  },
  {
    name: "the root has some",
    files: { "go.mod": "", "web/package.json": scripts({ test: "x" }) },
    checks: ["go vet ./...", "go test ./..."],
  },
  {
    name: "asked in a folder of a project",
    files: { "go.mod": "", "web/package.json": scripts({ test: "x" }), "web/src/a.ts": "" },
    at: "web/src",
    checks: ["cd web && npm test"],
  },
  {
    name: "several at once",
    files: { "package.json": scripts({ test: "x" }), "pytest.ini": "", Makefile: "test:\n" },
    checks: ["npm test", "python -m pytest -q"],
  },
];

for (const [kind, rows] of Object.entries({ NODE, PYTHON, COMPILED, INTERPRETED, TASKS, PLACES }))
  test(`checks are found in a project's files: ${kind.toLowerCase()}`, () => {
    for (const { name, files, checks, at = "", left = [], programs = [] } of rows)
      inFolder((folder) => {
        const root = join(folder, "root");
        for (const program of programs) write(folder, `bin/${program}`, "#!/bin/sh\n");
        for (const [file, text] of Object.entries(files)) write(root, file, text);
        const reading = lookForChecks(root, join(root, at), { PATH: join(folder, "bin") });
        assert.deepEqual(
          [reading.checks.map(({ run }) => run), reading.leftOut.map(({ why }) => why)],
          [checks, left],
          name,
        );
      });
  });

test("a wrapper that git did not keep executable is run by a shell", () => {
  inFolder((root) => {
    write(root, "pom.xml", "");
    write(root, "mvnw", "#!");
    chmodSync(join(root, "mvnw"), 0o644);
    assert.equal(lookForChecks(root, root).checks[0]?.run, "sh ./mvnw -B -q test");
  });
});

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, text.startsWith("#!") ? { mode: 0o755 } : {});
}
