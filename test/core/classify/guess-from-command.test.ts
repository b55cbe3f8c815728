// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { guessFromCommand } from "../../../src/core/classify/classify.ts";
import type { Evidence } from "../../../src/core/evidence.ts";

const guessed = (command: string, more: Evidence = {}): string | undefined =>
  guessFromCommand({ exitCode: 1, stdout: "strange end", command, ...more })?.kind;

const COMMANDS = {
  verification_failed: [
    "jest",
    "  jest --watch",
    "./node_modules/.bin/jest cart",
    "npx jest",
    "npx   -y jest",
    "bunx --yes vitest",
    "CI=1 jest",
    "CI= NODE_ENV=test jest",
    "env A_B=c time sudo jest",
    "cd shop && jest",
    "cd shop&& jest",
    "cd shop; jest",
    "cd a/b && cd c && npx jest",
    "pnpm exec jest",
    "yarn exec jest",
    "bundle exec rspec",
    "poetry run pytest",
    "uv run  pytest -q",
    "python -m pytest",
    "python3 -m pytest",
    "npm test",
    "npm run test",
    "npm  run  test",
    "npm run test:unit",
    "npm run lint",
    "make check",
    "node --test",
    "cargo test",
  ],
  broken_build: ["make", "make all", "tsc -p .", "npm run build", "cargo build", "cmake --build ."],
  dependency_error: ["npm ci", "npm install cart", "pip install cart", "bundle install", "pod"],
} as const;

for (const [kind, commands] of Object.entries(COMMANDS))
  test(`what the command is for: ${kind}`, () => {
    for (const command of commands) assert.equal(guessed(command), kind, command);
  });

test("only the program and its verb count", () => {
  for (const command of [
    "",
    "echo jest",
    "cat jest.config.js",
    "npm start",
    "npm run",
    "npm run start test",
    "cart test",
    "run test",
    "grep -r 'npm test' .",
    "cd jest",
    "ci=1 jest",
    "echo pnpm exec jest",
    "echo CI=1 jest",
    "npm env test",
    "npm uv run test",
    "python -c pytest",
  ])
    assert.equal(guessed(command), undefined, command);
});

test("six words around a command are looked through, not seven", () => {
  assert.equal(guessed(`${"env ".repeat(6)}jest`), "verification_failed");
  assert.equal(guessed(`${"env ".repeat(7)}jest`), undefined);
});

test("each guess has its own low confidence and says what it rests on", () => {
  const rest = { score: 0, text: "" };
  const of = (evidence: Evidence): unknown =>
    guessFromCommand({ stderr: "strange end", ...evidence });
  const place = "what the command is for";
  assert.deepEqual(of({ exitCode: 1, command: "jest" }), {
    ...rest,
    kind: "verification_failed",
    confidence: 0.6,
    place,
  });
  assert.deepEqual(of({ exitCode: 1, command: "make" }), {
    ...rest,
    kind: "broken_build",
    confidence: 0.55,
    place,
  });
  assert.deepEqual(of({ exitCode: 1, command: "npm ci" }), {
    ...rest,
    kind: "dependency_error",
    confidence: 0.5,
    place,
  });
  assert.deepEqual(of({ exitCode: 64, stderr: "error: no such cart" }), {
    ...rest,
    kind: "invalid_arguments",
    confidence: 0.5,
    place: "exit code 64",
  });
  assert.deepEqual(guessFromCommand({ origin: "check", exitCode: 1 }), {
    ...rest,
    kind: "verification_failed",
    confidence: 0.6,
    place: "a check did not pass",
  });
});

test("a check that ended well or badly", () => {
  assert.equal(guessFromCommand({ origin: "check" })?.kind, "verification_failed");
  assert.equal(guessFromCommand({ origin: "check", exitCode: 0, stdout: "fine" }), undefined);
  assert.equal(guessFromCommand({ origin: "tool", exitCode: 1, stdout: "hm" }), undefined);
});

test("a guess needs an exit code of the program's own and something printed", () => {
  for (const exitCode of [1, 2, 127, -1])
    assert.equal(guessed("jest", { exitCode }), "verification_failed", String(exitCode));
  for (const exitCode of [0, 128, 130, 143]) assert.equal(guessed("jest", { exitCode }), undefined);
  assert.equal(guessFromCommand({ command: "jest", stdout: "strange end" }), undefined);
  const silent = { exitCode: 1, command: "jest" };
  assert.equal(guessFromCommand(silent), undefined);
  assert.equal(guessFromCommand({ ...silent, stdout: "", stderr: "", message: "" }), undefined);
  for (const field of ["stdout", "stderr", "message"])
    assert.equal(guessFromCommand({ ...silent, [field]: "x" })?.kind, "verification_failed", field);
});

test("a tool that complains and ends with 2 or 64 was called wrongly", () => {
  const of = (exitCode: number, stderr: string): string | undefined =>
    guessFromCommand({ exitCode, stderr })?.kind;
  for (const stderr of [
    "error: no such cart",
    "    fatal: no such cart",
    "Error no such cart",
    "cartctl: error: no such cart",
    "first\nerror: no such cart",
  ]) {
    assert.equal(of(2, stderr), "invalid_arguments", stderr);
    assert.equal(of(64, stderr), "invalid_arguments", stderr);
    for (const exitCode of [1, 3, 63, 65]) assert.equal(of(exitCode, stderr), undefined, stderr);
  }
  for (const stderr of [
    "",
    "errors everywhere",
    "the error: no such cart",
    "     error: no such cart",
    "my cartctl: error",
    "cart-ctl: error",
  ])
    assert.equal(of(2, stderr), undefined, stderr);
  assert.equal(guessFromCommand({ exitCode: 2, stdout: "error: no such cart" }), undefined);
  assert.equal(of(2, `${"x\n".repeat(1_990)}error: late`), "invalid_arguments");
  assert.equal(of(2, `${"x\n".repeat(2_000)}error: too late`), undefined);
});

test("a field of a wrong type is no field", () => {
  const wrong = { exitCode: 2, command: 7, stderr: 7 } as unknown as Evidence;
  assert.equal(guessFromCommand(wrong), undefined);
});
