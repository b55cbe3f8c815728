// proves: U13
import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { globMatcher } from "../../../../src/core/checks/judging/glob.ts";
import { makeLeads } from "../../../../src/core/checks/judging/target-files.ts";
import { manifestOf } from "../../../../src/core/checks/judging/manifests.ts";
import { shellCommands } from "../../../../src/core/checks/judging/scripts.ts";
import { testConvention } from "../../../../src/core/checks/judging/test-conventions.ts";
import { joinPath } from "../../../../src/core/checks/judging/trees.ts";

/** Commands as text; `~` stands for what only a shell knows. */
const commands = (text: string): readonly string[] =>
  shellCommands(text, "").map(({ words, folder }) =>
    `${folder === "" ? "" : `${folder}> `}${words.join("|")}`.replaceAll("\0", "~"),
  );

const shells: readonly (readonly [text: string, commands: readonly string[]])[] = [
  ["npm test", ["npm|test"]],
  ["A=1 B='x y' npm test > log 2>&1", ["npm|test"]],
  ["npm run 'a b' \"c d\" e\\ f", ["npm|run|a b|c d|e f"]],
  ["a && b || c; d & e | f\ng", ["a", "b", "c", "d", "e", "f", "g"]],
  ["cd web && npm test; cd ../api; make", ["web> npm|test", "api> make"]],
  ["(cd web && npm test); make", ["web> npm|test", "make"]],
  ['cd "$(dirname "$0")/.." && ./a.sh', ["dirname|~", "~/..> ./a.sh"]],
  ["if ! test -f x; then ./a.sh; else ./b.sh; fi", ["test|-f|x", "./a.sh", "./b.sh"]],
  ["for t in a b; do ./run.sh $t; done", ["./run.sh|~"]],
  ["RUN='bash ci/x.sh'\n$RUN --fast \"$RUN\"", ["bash|ci/x.sh|--fast|bash ci/x.sh"]],
  ["x ${A:-b} ${C} $D", ["x|b|~|~"]],
  ["cat <<EOF | sh\nnpm test\nEOF\nmake", ["cat", "sh", "make"]],
  ["# npm test\nmake # all\na#b", ["make", "a#b"]],
  ["x `make y` z", ["make|y", "x|~|z"]],
  ["case $1 in a) ./a.sh ;; *) ./b.sh ;; esac", ["./a.sh", "./b.sh"]],
  ["NODE_OPTIONS='--require ./x.js' mocha", ["node|--require|./x.js", "mocha"]],
  ["echo npm test", []],
  ["a \\\n  b", ["a|b"]],
  ["env -i A=1 make x", ["make|x"]],
  ["x 'unclosed", ["x|unclosed"]],
];
for (const [text, expected] of shells)
  test(`shell commands in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(commands(text), expected);
  });

test("a path that is put together never leaves the tree, and is the one a shell would open", () => {
  const part = fc.constantFrom("a", "b.js", "..", ".", "", "...", "c d");
  const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(path, path, (folder, word) => {
      const from = posix.normalize(`/${folder}/`).slice(1);
      const expected = posix.join(from, word).replace(/\/$/, "");
      const leaves = word.startsWith("/") || /^\.\.(?:\/|$)/.test(expected);
      assert.equal(joinPath(from, word), leaves ? undefined : expected === "." ? "" : expected);
    }),
    { numRuns: 300 },
  );
});

const globs: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["mk/*.mk", ["mk/a.mk", "mk/.mk"], ["mk/a/b.mk", "a.mk", "mk/a.mkx"]],
  ["**/*.test.{js,ts}", ["a.test.js", "x/y/a.test.ts"], ["a.test.py", "a.js"]],
  ["./checks/**", ["checks/a", "checks/a/b"], ["check/a", "x/checks/a"]],
  ["a?c/[jt]s", ["abc/js"], ["ac/js", "abc/jss"]],
  ["a*b*c", ["abc", "axxbxxc"], ["abcd", "acb"]],
];
for (const [glob, matching, others] of globs)
  test(`glob ${glob}`, () => {
    assert.deepEqual([...matching, ...others].filter(globMatcher(glob)), matching);
  });

const OUTSIDE = (
  "a.test.ts a-spec.js x/__tests__/a.js a_test.go testdata/a test_a.py b/tests.py a_spec.rb spec/support/a.rb tests/a.rs " +
  "src/foo/tests.rs src/test/java/A.java app/FooTest.kt BarTests.cs My.Tests/Helper.cs tests/FooTest.php t/01.t a.bats " +
  "test/a_test.exs src/a_unittest.cc test/runtests.jl cypress/support/e2e.js a.feature src/jvmTest/kotlin/A.kt x.snap " +
  "Tests/AppTests/A.swift test.js web/fixtures/a.json test-a.mjs src/a.test-d.ts integration_tests/a.py"
).split(" ");
const NEITHER = (
  "src/a.ts latest.js contest/a.js src/main/java/com/test/Foo.java spec/openapi.yaml testing/a.py attest.go Testing.kt " +
  "a.tests/x.lock~ run-tests.js scripts/run_tests.py src/protest.rb inspector.rb conftest.py docs/test.md testes/a"
).split(" ");
test("tests by convention, outside source folders", () => {
  const isTest = (path: string): boolean => testConvention(path, false) !== undefined;
  assert.deepEqual(
    OUTSIDE.filter((path) => !isTest(path)),
    [],
  );
  assert.deepEqual(NEITHER.filter(isTest), ["a.tests/x.lock~"]);
});
test("in source folders only what cannot be source", () => {
  const paths = [
    "lib/commands/test.js",
    "lib/test/client.py",
    "lib/a.test.js",
    "lib/tests/a.py",
    "app/spec/loader.rb",
  ];
  assert.deepEqual(
    paths.filter((path) => testConvention(path, true) !== undefined),
    ["lib/a.test.js", "lib/tests/a.py"],
  );
});

test("Makefile: wanted targets with what they need, variables and includes", () => {
  const text =
    "SH := bash\nT = $(SH) ci/t.sh\ninclude a.mk $(wildcard b/*.mk)\n.PHONY: test\nall: x\ntest: prep \\\n  lint\n\t@$(T) $@\nprep:; ./prep.sh\nlint: l.py\n\t-python $<\nother:\n\t./other.sh\n";
  const { leads: found, wanted } = makeLeads(text, ["test"], false);
  assert.deepEqual(
    found.map((lead) => ("word" in lead ? lead.word : "text" in lead ? lead.text : "")),
    ["a.mk", "b/*.mk", "bash ci/t.sh test", " ./prep.sh", "python l.py"],
  );
  assert.deepEqual(wanted, ["test", "prep", "lint", "l.py"]);
  assert.deepEqual(makeLeads(text, [], false).wanted, ["all", "x"]);
  assert.deepEqual(makeLeads(text, ["absent"], false).leads.length, 2);
});

const use = { tools: new Set(["ruff"]), unclear: false, scripts: new Set(["test"]) };
const restores: readonly (readonly [
  path: string,
  base: string,
  now: string,
  restored: string | undefined,
])[] = [
  [
    "pyproject.toml",
    '[tool.pytest.ini_options]\naddopts = """\n-q\n[x]\n"""\n[tool.black]\na = 1\n',
    '[project]\nd = [\n  "b", # ]\n]\n[tool.black]\na = 2\n[tool."pytest".ini_options]\naddopts = "--co"\nx = 1\n',
    '[project]\nd = [\n  "b", # ]\n]\n[tool.black]\na = 2\n[tool."pytest".ini_options]\naddopts = """\n-q\n[x]\n"""\n',
  ],
  [
    "pyproject.toml",
    "",
    "[a]\nb = 1\n[tool]\npytest = { x = 1 }\nruff.select = []\n",
    "[a]\nb = 1\n",
  ],
  ["pyproject.toml", "[tool.mypy]\na = 1\n", "[tool.mypy]\na = 2\n", "[tool.mypy]\na = 2\n"],
  ["pyproject.toml", "", 'x = "unclosed\n', undefined],
  ["pyproject.toml", "", '"a\\"b" = 1\nc = """x""""\n', '"a\\"b" = 1\nc = """x""""\n'],
  [
    "Cargo.toml",
    '[[test]]\nname = "a"\n',
    '[package]\nname = "x"\n[[test]]\nname = "b"\nharness = false',
    '[package]\nname = "x"\n[[test]]\nname = "a"\n',
  ],
  [
    "package.json",
    '{"scripts":{"test":"a"}}',
    '{"x":1,"scripts":{"test":"b","c":"d"}}',
    '{"x":1,"scripts":{"test":"a","c":"d"}}',
  ],
  ["package.json", "{}", '{\n\t"scripts": {\n\t\t"test": "b"\n\t}\n}\r\n', "{}\r\n"],
  ["package.json", "{}", "[1]", undefined],
  ["deno.jsonc", '{ /* , ] */ "tasks": { "test": "a, ]" }, }', "{}", '{"tasks":{"test":"a, ]"}}'],
];
for (const [index, [path, base, now, expected]] of restores.entries())
  test(`manifest ${path}, row ${index}`, () => {
    assert.equal(manifestOf(path, use)?.restored(base, now), expected);
  });
