// proves: P11
// Scripts that would watch are run once or left out, also when they call each other; what only looks like watching is not.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { lookForChecks } from "../../../../src/operations/setup/checks/find-checks.ts";
import { endingOf, endingOfText } from "../../../../src/operations/setup/checks/one-shot.ts";
import { watching } from "../../../../src/operations/setup/checks/watchers.ts";
import { inFolder } from "../../../cli/command.ts";

type Scripts = Readonly<Record<string, string>>;

/** The scripts, or only the test script, and the check for the tests; undefined: there is none. */
const ROWS: readonly (readonly [Scripts | string, string | undefined])[] = [
  ["vitest", "npm test -- --run"],
  ["vitest run", "npm test"],
  ["vitest --run --coverage", "npm test"],
  ["vitest --coverage", "npm test -- --run"],
  ["vitest --watch=false", "npm test"],
  ["vitest --no-watch", "npm test"],
  ["vitest watch", "npm test -- --run"],
  ["vitest run --watch", undefined],
  ["vitest watch && tsc", undefined],
  ["vitest --ui", undefined],
  ["vitest --watch", "npm test -- --run"],
  ["npx vitest", "npm test -- --run"],
  ["cross-env NODE_ENV=test vitest", "npm test -- --run"],
  ["TZ=UTC ./node_modules/.bin/vitest", "npm test -- --run"],
  ["node ./node_modules/vitest/vitest.mjs", "npm test -- --run"],
  ["dotenv -e .env -- vitest", "npm test -- --run"],
  ["c8 vitest", "npm test -- --run"],
  ["tsc && vitest", "npm test -- --run"],
  ["vitest && tsc", "CI=1 npm test"],
  ["CI= vitest && tsc", undefined],
  ["vitest-fetch-mock", "npm test"],
  ["jest", "npm test"],
  ["jest --watch", "npm test -- --watch=false"],
  ["jest --watchAll", "npm test -- --watchAll=false"],
  ["jest --watchAll=false", "npm test"],
  ["jest -w 2", "npm test"],
  ["jest --watch && tsc", undefined],
  ["jest --watchPathIgnorePatterns=dist", "npm test"],
  ["react-scripts test", "npm test -- --watchAll=false"],
  ["CI=true react-scripts test --watchAll=false", "npm test"],
  ["react-scripts test --env=jsdom && eslint .", "CI=1 npm test"],
  ["craco test", "npm test -- --watchAll=false"],
  ["react-scripts build", "npm test"],
  ["ng test", "npm test -- --watch=false"],
  ["ng test --no-watch --browsers=ChromeHeadless", "npm test"],
  ["ng test --watch=false", "npm test"],
  ["ng lint", "npm test"],
  ["karma start", "npm test -- --single-run"],
  ["karma start --single-run", "npm test"],
  ["mocha -w", "npm test -- --no-watch"],
  ["mocha --watch-files src", "npm test"],
  ["ava --watch", "npm test -- --watch=false"],
  ["tsc -w", "npm test -- --watch false"],
  ["tsc --watch false", "npm test"],
  ["node --test --watch", undefined],
  ["node --test", "npm test"],
  ["tsx watch test.ts", undefined],
  ["tsx test.ts", "npm test"],
  ["nodemon --exec mocha", undefined],
  ["vite", undefined],
  ["vite build", "npm test"],
  ["vite build --watch", undefined],
  ["next dev", undefined],
  ["next lint", "npm test"],
  ["cargo watch -x test", undefined],
  ["cargo test", "npm test"],
  ["cypress open", undefined],
  ["cypress run", "npm test"],
  ["playwright test", "npm test"],
  ["playwright test --ui", undefined],
  ["rollup -c -w", undefined],
  ["npm test -w packages/a", "npm test"],
  ["pnpm -w run unit", "npm test"],
  ["grep -w test src", "npm test"],
  ["turbo run test", "npm test"],
  ["turbo watch test", undefined],
  ["echo --watch && mocha", "npm test"],
  ["sh -c 'vitest'", "CI=1 npm test"],
  ['concurrently "tsc -w" "mocha"', undefined],
  ["bun test --watch", undefined],
  ["python -m pytest", "npm test"],
  [{ test: "npm run unit", unit: "vitest" }, "npm run unit -- --run"],
  [{ test: "npm run unit -- --run", unit: "vitest" }, "npm test"],
  [{ test: "yarn unit --run", unit: "vitest" }, "npm test"],
  [{ test: "yarn unit", unit: "jest --watch" }, "npm run unit -- --watch=false"],
  [{ test: "npm run lint && npm run unit", lint: "eslint .", unit: "vitest" }, "CI=1 npm test"],
  [{ test: "npm run lint && npm run ut", lint: "eslint .", ut: "jest --watch" }, undefined],
  [
    { test: "npm run lint && npm run unit", lint: "eslint .", unit: "jest --watch" },
    "npm run unit -- --watch=false",
  ],
  [{ test: "run-s unit:*", "unit:a": "mocha", "unit:b": "vitest" }, "CI=1 npm test"],
  [{ test: "run-p unit:*", "unit:a": "mocha", "unit:b": "tsc -w" }, undefined],
  [{ test: "npm run a", a: "npm run b", b: "npm run a" }, "npm test"],
  [{ test: "mocha", pretest: "nodemon" }, undefined],
  [{ test: "mocha", pretest: "tsc" }, "npm test"],
  [{ test: "npm run 'x; rm -rf a'", "x; rm -rf a": "vitest" }, undefined],
  [{ test: "vitest --ui", "test:ci": "vitest run" }, "npm run test:ci"],
  [{ test: "nodemon", "test:run": "mocha" }, "npm run test:run"],
];

test("a script that would watch is run once, or left out with the reason", () => {
  for (const [given, check] of ROWS) {
    const scripts = typeof given === "string" ? { test: given } : given;
    inFolder((root) => {
      writeFileSync(join(root, "package.json"), JSON.stringify({ scripts }));
      const { checks, leftOut } = lookForChecks(root, root);
      const own = checks.find(({ run }) => !run.includes("lint"));
      assert.equal(own?.run, check, JSON.stringify(given));
      assert.equal(leftOut.length, check === undefined ? 1 : 0, JSON.stringify(given));
      if (/CI=1|--/.test(own?.run ?? "")) assert.match(own?.note ?? "", /\w (?:watches|starts)/);
    });
  }
});

test("each package manager hands arguments on in its own way", () => {
  const rows = [
    ["package-lock.json", "npm test -- --run"],
    ["pnpm-lock.yaml", "pnpm run test --run"],
    ["yarn.lock", "yarn run test --run"],
    ["bun.lock", "bun run test --run"],
  ] as const;
  for (const [lock, run] of rows)
    inFolder((root) => {
      writeFileSync(join(root, "package.json"), '{"scripts":{"test":"vitest"}}');
      writeFileSync(join(root, lock), "");
      assert.equal(lookForChecks(root, root).checks[0]?.run, run);
    });
});

test("whatever a script says: it is read, and a flag that is said to end it does", () => {
  const word = fc.constantFrom(
    ...[
      "vitest",
      "jest",
      "tsc",
      "-w",
      "--watch",
      "--run",
      "&&",
      "|",
      "npm",
      "run",
      "test",
      "a",
      "--",
    ],
    ...["run-s", "*", "'", '"', "$(", ")", "CI=", "npx", "mocha", "karma", "start", "\0", "ng"],
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(word, { maxLength: 6 }), (one, two) => {
      const scripts = { test: one.join(" "), a: two.join(" ") };
      const ending = endingOf(scripts, "test");
      if (ending.kind !== "with-arguments") return;
      const again = endingOf(scripts, ending.script, ending.args.split(" "));
      assert.equal(again.kind, "ends", JSON.stringify(scripts));
    }),
    { numRuns: 300 },
  );
  assert.equal(endingOfText("a ".repeat(100_000)).kind, "ends");
  assert.equal(watching("toString", []), undefined);
});
