// proves: U13
import assert from "node:assert/strict";
import { test } from "node:test";
import { judgingFiles } from "../../../src/core/checks/judging-files.ts";

const rows: readonly [check: string, judges: readonly string[], others: readonly string[]][] = [
  [
    "npm test",
    [
      "package.json",
      "web/package.json",
      "test/a.js",
      "src/a.test.ts",
      "vitest.config.ts",
      "a_test.go",
    ],
    [
      "src/a.ts",
      "src/latest.ts",
      "package-lock.json",
      "src/contest/a.ts",
      "Makefile",
      "testing.md",
    ],
  ],
  ["make check", ["Makefile", "sub/makefile"], ["package.json", "src/makefile.c"]],
  ["sh ./scripts/check.sh --fast", ["scripts/check.sh"], ["check.sh", "scripts/other.sh"]],
  [
    "pytest -q",
    ["tests/unit/x.py", "test_x.py", "conftest.py", "pyproject.toml"],
    ["x.py", "my_test_plan.txt"],
  ],
  [
    "./gradlew test",
    ["src/test/java/A.java", "app/FooTest.kt", "gradlew"],
    ["src/main/java/Tested.java", "Testing.kt"],
  ],
];
for (const [check, judges, others] of rows)
  test(`${check}: which files judge`, () => {
    const isJudge = judgingFiles([check]);
    assert.deepEqual(
      judges.filter((path) => !isJudge(path)),
      [],
    );
    assert.deepEqual(others.filter(isJudge), []);
  });
