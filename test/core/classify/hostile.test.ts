// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { buildRuleBook, expressionOf, isMatch } from "../../../src/core/classify/rule-book.ts";
import { candidatesIn } from "../../../src/core/classify/word-index.ts";

const BOMBS = [
  "a",
  " ",
  "\0",
  "\ud83d",
  "\x1b[",
  "\x1b]0;",
  "\r",
  "\n",
  "=",
  "(((((",
  '{"a":[',
  "\\\"'`",
  "error: ",
  "error failed denied not found timeout limit exceeded invalid unknown refused ",
  "status code 42 ",
  "Tests: 1 passed, ",
  "1 failed, 1 passed, ",
  "the the the the key ",
  "token token token ",
  "/a/b/c.ts:1:1: ",
  "权限",
  "warning: warning: ",
];

/** Processor time of the best of three runs, so that other work on the machine counts little. */
function cost(text: string): number {
  const evidence = { tool: "run_bash", exitCode: 1, stdout: text, stderr: text, message: text };
  let best = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const started = process.cpuUsage();
    classify(evidence);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, user + system);
  }
  return best;
}

test("ten times the hostile text costs about the same: only windows of it are read", () => {
  for (const bomb of BOMBS) {
    const small = bomb.repeat(Math.ceil(200_000 / bomb.length));
    const large = bomb.repeat(Math.ceil(2_000_000 / bomb.length));
    cost(small);
    const ratio = (cost(large) + 2_000) / (cost(small) + 2_000);
    assert.ok(ratio < 8, `${JSON.stringify(bomb)}: ${ratio.toFixed(1)} times`);
  }
});

test("no pattern explodes on a line made against it", () => {
  const book = buildRuleBook(RULES);
  const steps = (pattern: number, line: string): number => {
    const started = process.cpuUsage();
    for (let round = 0; round < 4; round += 1) isMatch(book, pattern, line);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  for (let pattern = 0; pattern < book.ruleOf.length; pattern += 1) {
    const literal = expressionOf(book, pattern)
      .replace(/\\[bBsSdwW]|\(\?[:=!<]+|[\\^$()[\]{}|?*+]|\d+,\d+/g, " ")
      .slice(0, 120);
    const line = `${literal} `.repeat(Math.ceil(1_600 / (literal.length + 1)));
    steps(pattern, line);
    const spent = steps(pattern, line);
    assert.ok(spent < 60_000, `${expressionOf(book, pattern)}: ${spent} µs for four lines`);
  }
});

test("a huge single line is read in overlapping pieces, so a phrase on a seam is found", () => {
  const book = buildRuleBook(RULES);
  for (let pad = 1_100; pad < 1_500; pad += 1) {
    const line = `${"x ".repeat(pad / 2)}No space left on device ${"y ".repeat(900)}`;
    const pieces = candidatesIn(line, book.index);
    assert.ok(
      pieces.some(({ start, end }) => line.slice(start, end).includes("No space left on device")),
      String(pad),
    );
    for (const { start, end } of pieces) assert.ok(end - start < 3_000);
  }
});

test("deep JSON, broken escapes and lone surrogates get an answer", () => {
  const deep = `${'{"error":'.repeat(50_000)}"overloaded_error"${"}".repeat(50_000)}`;
  assert.equal(classify({ tool: "llm", message: deep }).kind, "server_overloaded");
  assert.equal(classify({ stderr: "\x1b[31".repeat(9_000) }).kind, "unknown");
  assert.equal(classify({ stderr: "\udc00\ud800".repeat(9_000) }).kind, "unknown");
});

test("shell metacharacters and prototypes in values are only text", () => {
  const failure = classify({
    tool: "constructor",
    command: "$(reboot); `id`",
    stderr: "bash: __proto__; rm -rf ~: command not found",
  });
  assert.equal(failure.kind, "command_not_found");
});
