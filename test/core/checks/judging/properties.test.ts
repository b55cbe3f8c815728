// proves: U13
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { judgeChanges } from "../../../../src/core/checks/judging/judge-changes.ts";
import { FULL } from "../../../large-form.ts";
import { difference, judge, patched, restored, tree, type Patch, type Texts } from "./trees.ts";

const CHECKS = [
  "npm test",
  "cd web && pnpm -r test -- --config x.js",
  "make -f mk/ci.mk test",
  "pytest -q tests",
  "tox",
  "bash ci/test.sh",
  "node --test 'checks/**/*.js'",
  "npx mocha --require ./hooks.js checks",
  "cargo test && go test ./...",
  "unknown-tool --all",
  "sh -c 'cd sub; ./run.sh | tee log' && $CMD",
];

const PATHS = [
  ...[
    "package.json",
    "web/package.json",
    "sub/package.json",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "Cargo.toml",
  ],
  ...[
    "Makefile",
    "GNUmakefile",
    "mk/ci.mk",
    "mk/a.mk",
    "ci/test.sh",
    "ci",
    "sub/run.sh",
    "scripts/run.js",
    "hooks.js",
  ],
  ...[
    "conftest.py",
    "pytest.ini",
    ".npmrc",
    "jest.config.js",
    ".mocharc.json",
    "tests/test_a.py",
    "tests/test_b.py",
  ],
  ...[
    "test/a.test.js",
    "test/b.test.js",
    "test/fixtures/a.json",
    "checks/a.js",
    "src/a.js",
    "index.js",
    "README.md",
  ],
  ...[
    "pnpm-workspace.yaml",
    "tsconfig.json",
    ".cargo/config.toml",
    "new/package.json",
    "new/jest.config.js",
  ],
];

const TEXTS = [
  "",
  "true\n",
  '{"scripts":{"test":"node scripts/run.js","pretest":"bash ci/test.sh"},"dependencies":{"a":"1"}}',
  '{\n  "scripts": { "test": "jest" },\n  "jest": { "setupFiles": ["./hooks.js"] }\n}\n',
  '{ "name": "x", "bin": "./scripts/run.js", // c\n "include": [], }',
  '[project]\ndependencies = ["a"]\n[tool.pytest.ini_options]\naddopts = """\n-q\n"""\n',
  'tool.pytest.ini_options.addopts = "-q"\n[tool]\npytest = {}\n[[test]]\nname = "x"\n',
  "[tool:pytest]\naddopts = -q\n[testenv]\ncommands =\n  bash ci/test.sh\n  pytest\ndeps = a\n",
  "include mk/*.mk\ntest: a b\n\t@./ci/test.sh\na:\n\t$(MAKE) -C sub\n",
  'cd "$(dirname "$0")"\n. ./env.sh\nnode ../scripts/run.js <<EOF\nx\nEOF\n',
  "import './lib/a.js';\nspawn('bash', ['ci/test.sh']);\nexec('npm run test');\n",
  "packages:\n  - a\nscriptShell: /bin/true\n",
  '[project\nbroken = "',
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const texts = fc.dictionary(fc.constantFrom(...PATHS), text, { maxKeys: 14 });
const patch = fc.dictionary(fc.constantFrom(...PATHS), fc.oneof(text, fc.constant(null)), {
  maxKeys: 10,
});
const checks = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...CHECKS) },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  ),
  { maxLength: 3 },
);
/** Git has no path that is a file and a folder at once. */
const asGit = (all: Texts): Texts =>
  Object.fromEntries(
    Object.entries(all).filter(
      ([path]) => !Object.keys(all).some((other) => other.startsWith(`${path}/`)),
    ),
  );
const changed = (base: Texts, change: Patch): Texts => asGit(patched(base, change));

test("once restored, nothing asks for another run, and no change of the work is lost", () => {
  fc.assert(
    fc.property(checks, texts, patch, (commands, all, change) => {
      const base = asGit({ ...all });
      const now = changed(base, change);
      const judgement = judge(commands, base, now);
      const back = restored(base, now, judgement);
      assert.equal(judge(commands, base, back).again, false);
      const listed = new Set(judgement.restore.map(({ path }) => path));
      for (const [path, left] of Object.entries(difference(base, now)))
        if (!listed.has(path)) assert.equal(back[path] ?? null, left);
      assert.deepEqual(asGit(back), back);
      for (const { path, to } of judgement.restore)
        if (to === "base") assert.ok(Object.hasOwn(base, path));
        else assert.ok(Object.hasOwn(now, path));
    }),
    { numRuns: FULL ? 1500 : 400 },
  );
});

test("nothing changed, nothing to restore", () => {
  fc.assert(
    fc.property(checks, texts, (commands, all) => {
      const base = asGit({ ...all });
      assert.deepEqual(judge(commands, base, base), { changes: [], again: false, restore: [] });
    }),
  );
});

test("a listed source is never restored, and dependencies stay as the work has them", () => {
  fc.assert(
    fc.property(checks, texts, patch, (commands, all, change) => {
      const base = asGit({ ...all });
      const now = changed(base, change);
      const { changes, restore } = judge(commands, base, now);
      const removed = new Set(restore.map(({ path }) => path));
      for (const { path, source, how } of changes)
        if (source && how !== "added") assert.ok(!removed.has(path) || !Object.hasOwn(now, path));
      for (const { path, to } of restore)
        if (
          typeof to === "object" &&
          path.endsWith("package.json") &&
          now[path]!.trim().startsWith("{")
        ) {
          const before = JSON.parse(now[path]!.replace(/\/\/.*|,(?=\s*\})/g, "")) as Record<
            string,
            unknown
          >;
          const after = JSON.parse(to.text) as Record<string, unknown>;
          assert.deepEqual(after["dependencies"], before["dependencies"]);
        }
    }),
  );
});

test("never throws on any text, any path and any command", () => {
  const name = fc.oneof(fc.constantFrom(...PATHS), fc.string({ unit: "binary", minLength: 1 }));
  fc.assert(
    fc.property(
      checks,
      fc.dictionary(name, text),
      fc.dictionary(name, text),
      (commands, base, now) => {
        judge(commands, { ...base }, { ...now });
      },
    ),
    { numRuns: 300 },
  );
});

test("a tree whose files cannot be read is judged by its paths", () => {
  const blind = { paths: ["package.json", "test/a.test.js"], read: () => undefined };
  const judgement = judgeChanges({
    checks: ["npm test"],
    isProtected: () => false,
    base: blind,
    now: { ...blind, paths: ["package.json"] },
    changed: [{ path: "test/a.test.js", how: "deleted" }],
  });
  assert.equal(judgement.again, true);
  assert.deepEqual(judgement.restore, [{ path: "test/a.test.js", to: "base" }]);
});

/** Eight files of it make a megabyte. */
const CHARS = 125_000;
const hostile: readonly (readonly [string, string])[] = [
  ["spaces", " "],
  ["quotes", '"'],
  ["single quotes", "'"],
  ["backquotes", "`"],
  ["substitutions", "$("],
  ["expansions", "${a:-"],
  ["brackets", "[["],
  ["braces", "{"],
  ["comments", "/* "],
  ["slashes", "//"],
  ["commas", ", "],
  ["equals", "a=\n"],
  ["rules", "a: b\n\t$(a)\n"],
  ["variables", "a = $(a)$(a)\n"],
  ["redirections", "<<A\n"],
  ["keys", "setup: [\n"],
  ["includes", "include *a*a*a*b\n"],
  ["imports", "import './a'\n"],
  ["commands", "npm test && "],
  ["headers", "[a]\n"],
  ["triple quotes", '"""'],
  ["words", "a".repeat(5000) + "/"],
];
const FILES = [
  "package.json",
  "pyproject.toml",
  "tox.ini",
  "Makefile",
  "ci/test.sh",
  "ci/run.js",
  "jest.config.js",
  "tsconfig.json",
];
test("a megabyte of anything takes no more than linear time", () => {
  for (const [name, piece] of hostile) {
    const content = piece.repeat(Math.ceil(CHARS / piece.length));
    const base: Record<string, string> = {};
    for (const path of FILES) base[path] = content;
    const now = patched(base, Object.fromEntries(FILES.map((path) => [path, `${content}\nx`])));
    const all = [
      "npm test",
      "make x",
      "tox",
      "bash ci/test.sh",
      "node ci/run.js",
      "jest",
      "tsc",
      content,
    ];
    const started = process.cpuUsage().user;
    judgeChanges({
      checks: all,
      isProtected: () => false,
      base: tree(base),
      now: tree(now),
      changed: FILES.map((path) => ({ path, how: "edited" })),
    });
    const took = process.cpuUsage().user - started;
    assert.ok(took < 15_000_000, `${name}: ${took} µs`);
  }
});

test("a hundred thousand paths take a moment", () => {
  const paths = Array.from(
    { length: 100_000 },
    (_, index) => `packages/p${index % 500}/src/deep/er/file${index}.test.js`,
  );
  const all = tree(Object.fromEntries(paths.map((path) => [path, ""])));
  const started = process.cpuUsage().user;
  const changes = paths.map((path) => ({ path, how: "edited" as const }));
  judgeChanges({
    checks: ["npm test", "x"],
    isProtected: () => false,
    base: all,
    now: all,
    changed: changes,
  });
  const took = process.cpuUsage().user - started;
  assert.ok(took < 30_000_000, `${took} µs`);
});
