// proves: P11, U11
// A failure that says nothing about the code is told from one that does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readOutcome } from "../../../src/core/checks/outcome.ts";
import { checkExcerpt } from "../../../src/core/excerpt/check-excerpt.ts";
import { triedCheck } from "../../../src/operations/setup/tried-check.ts";
import { folder, write } from "../../workspace/fixture.ts";

const TEST_FAILED =
  "# Subtest: adds\nnot ok 1 - adds\n  ---\n  error: 'Cannot find module \\'x\\''\n  ...\n1..1\n";

/** What was printed, and the state with why; the exit code is 1. */
const ROWS: readonly (readonly [output: string, state: string, why?: RegExp])[] = [
  ["Error: Cannot find module 'left-pad'\nRequire stack:\n- /x/a.js\n", "cannot-run", /^left-pad /],
  ["Error: Cannot find module './left-pad'\nRequire stack:\n- /x/a.js\n", "red"],
  ["ModuleNotFoundError: No module named 'requests'\n", "cannot-run", /^requests is not installed/],
  ["ModuleNotFoundError: No module named 'mine.part'\n", "red"],
  ["ModuleNotFoundError: No module named 'under_src'\n", "red"],
  [TEST_FAILED, "red"],
  [
    "src/a.ts(1,20): error TS2307: Cannot find module 'left-pad' or its corresponding type declarations.\n",
    "cannot-run",
    /^left-pad /,
  ],
  [
    "src/a.ts(1,20): error TS2307: Cannot find module 'left-pad' or its corresponding type declarations.\n" +
      "src/b.ts(2,1): error TS2322: Type 'string' is not assignable to type 'number'.\n",
    "red",
  ],
  [
    "[ERROR] Failed to execute goal g:a:1:resources on project a: Plugin g:a:1 or one of its dependencies could not be resolved: Cannot access central\n",
    "cannot-run",
    /could not be resolved/,
  ],
  ["[ERROR] Failed to execute goal g:a:1:compile on project a: Compilation failure\n", "red"],
  [
    "* What went wrong:\n> Could not resolve all files for configuration ':testCompileClasspath'.\n",
    "cannot-run",
    /testCompileClasspath/,
  ],
  ["error: no matching package named `left-pad` found\n", "cannot-run", /no matching package/],
  ["error: no rules expected the token `x`\n", "red"],
  ["/src/A.csproj : error NU1101: Unable to find package x.\n", "cannot-run", /NU1101/],
  ["ESLint couldn't find an eslint.config.(js|mjs|cjs) file.\n", "cannot-run", /eslint\.config/],
  ["the docs say: ESLint couldn't find a configuration file\n", "red"],
];

test("red, or nothing that says anything about the code", () => {
  const root = folder("root");
  write(root, { "mine/part.py": "", "src/under_src.py": "" });
  for (const [stdout, state, why] of ROWS) {
    const output = { stdout, stderr: "", cut: false };
    const ran = {
      outcome: readOutcome({ kind: "exited", code: 1 }, output),
      ...{ exitCode: 1, stdout, stderr: "", durationMs: 5 },
      excerpt: checkExcerpt({ command: "npm test", stdout }),
    };
    const tried = triedCheck({ run: "npm test", from: "package.json" }, ran, root);
    assert.equal(tried.state, state, stdout);
    if (why !== undefined) assert.match(tried.why ?? "", why);
  }
});
