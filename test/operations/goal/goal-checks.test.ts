// proves: U17, U11
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { goalChecks, isAbout } from "../../../src/operations/goal/goal-checks.ts";
import type { TriedCheck } from "../../../src/operations/setup/schemas.ts";

/** A goal, a command, and whether the goal speaks of what the command checks. */
const TABLE: readonly (readonly [goal: string, command: string, isAbout: boolean])[] = [
  ["make the tests pass", "npm test", true],
  ["Fix the failing test in src/parser", "python -m pytest -q", true],
  ["add a spec for the mailer", "bundle exec rspec", true],
  ["make the tests pass", "cd packages/api && npm test", true],
  ["make the tests pass", "npm run test:unit", true],
  ["make the tests pass", "make check", true],
  ["make the tests pass", "npm run lint", false],
  ["make the tests pass", "npm run build", false],
  ["put the latest news on the page", "npm test", false],
  ["add testimonials to the landing page", "npm test", false],
  ["hold a contest", "npm test", false],
  ["fix all lint errors", "npm run lint", true],
  ["fix the linting", "uv run ruff check .", true],
  ["fix all lint errors", "npm test", false],
  ["glint effect on the header", "npm run lint", false],
  ["fix the types", "npm run typecheck", true],
  ["get rid of type errors", "mypy .", true],
  ["support more types of users", "npm run typecheck", false],
  ["add a new type for orders", "npm run types", false],
  ["fix the build", "npm run build", true],
  ["make it build again", "cargo build", true],
  ["fix the build on Windows", "npm run build", true],
  ["it does not compile", "cargo check", true],
  ["build a login page", "npm run build", false],
  ["Build the login page", "npm run build", false],
  ["build me a parser", "cargo build", false],
  ["compile a list of users", "npm run build", false],
  ["rebuild the index page", "npm run build", false],
  ["make npm run e2e pass", "npm run e2e", true],
  ["make checkout faster", "make check", false],
  ["make the page faster", "make", false],
  ["e2e is red, mend it", "npm run e2e", true],
  ["mend clippy", "cargo clippy", true],
  ["run clippy clean", "cargo test", false],
  ["fix CI", "npm run lint", true],
  ["make all checks pass", "go vet ./...", true],
  ["check whether the user is logged in", "make check", false],
  ["add an api for users", "cd packages/api && npm run lint", false],
  ["run the importer", "npm run lint", false],
  ["go to the next page", "go vet ./...", false],
];

for (const [goal, command, expected] of TABLE)
  test(`"${goal}" ${expected ? "is" : "is not"} about ${command}`, () => {
    assert.equal(isAbout(goal, command), expected);
  });

const tried = (state: TriedCheck["state"], more: Partial<TriedCheck> = {}): TriedCheck => ({
  ...{ run: "npm test", from: "package.json", state, ms: 5, ...more },
});

test("what passes must pass, what the goal names must pass, what failed before must not get worse", () => {
  const lint = { run: "npm run lint", from: "package.json" };
  const { checks, leftOut } = goalChecks("make the tests pass", [
    tried("green", { run: "npm run build" }),
    tried("red", { headline: "2 is not 3", items: 4 }),
    { ...lint, state: "red", ms: 1, items: 2, headline: "x is not defined" },
    tried("hangs", { run: "npm run e2e", why: "no end after 10m 00s" }),
    tried("cannot-run", { run: "npm run types" }),
    tried("red", { run: "npm run docs", headline: "no" }),
  ]);
  const from = "package.json";
  assert.deepEqual(checks, [
    { run: "npm run build", from, state: "green", expect: "pass" },
    { run: "npm test", from, state: "red", expect: "pass", headline: "2 is not 3", items: 4 },
    { ...lint, state: "red", expect: "no-worse", headline: "x is not defined", items: 2 },
  ]);
  assert.deepEqual(leftOut, [
    { run: "npm run e2e", from, why: "no end after 10m 00s" },
    { run: "npm run types", from, why: "it cannot run" },
    { run: "npm run docs", from, why: "already failing, and its failures cannot be told apart" },
  ]);
});

test("whatever the goal says: no check is lost, and none that passes is asked for less", () => {
  const states = fc.constantFrom("green", "red", "hangs", "cannot-run" as const);
  const one = fc.record({ state: states, run: fc.string(), items: fc.nat(3) });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.array(one), (goal, given) => {
      const all = given.map(({ state, run, items }) => tried(state, { run, items }));
      const { checks, leftOut } = goalChecks(goal, all);
      assert.equal(checks.length + leftOut.length, all.length);
      assert.equal(
        checks.filter(({ state, expect }) => state === "green" && expect === "pass").length,
        all.filter(({ state }) => state === "green").length,
      );
      assert.ok(leftOut.every(({ why }) => why !== ""));
    }),
  );
});

test("a goal of a hundred thousand characters is read in linear time", () => {
  for (const piece of ["build ", "the build", "types of ", "test ", "a:b.c-", "compile the "])
    isAbout(piece.repeat(Math.ceil(100_000 / piece.length)), "npm run nothing");
});
