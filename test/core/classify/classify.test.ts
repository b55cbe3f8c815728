// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { classify as classifyBy } from "../../../src/core/classify/classify.ts";
import { NO_RULES } from "../../../src/core/classify/rule-book.ts";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { signatureOf } from "../../../src/core/classify/signature.ts";
import type { Evidence } from "../../../src/core/evidence.ts";

const MISSING = "cat: carts: No such file or directory";
const DENIED = "rm: carts: Permission denied";

test("a whole failure, from a line, from a field and from nothing", () => {
  assert.deepEqual(classify({ stderr: MISSING }), {
    kind: "file_not_found",
    category: "systematic",
    origin: "tool",
    confidence: 0.93,
    because: [`stderr line 1: ${MISSING}`],
    signature: signatureOf(MISSING),
  });
  assert.deepEqual(classify({ tool: "llm", httpStatus: 429, retryAfter: "30" }), {
    kind: "rate_limited",
    category: "transient",
    origin: "provider",
    confidence: 0.95,
    because: ["status 429"],
    signature: signatureOf("  "),
    retryAfterMs: 30_000,
  });
  assert.deepEqual(classify({}), {
    kind: "unknown",
    category: "systematic",
    origin: "tool",
    confidence: 0.5,
    because: ["nothing in it says what failed"],
    signature: signatureOf("  "),
  });
});

test("all that agrees is told, the strongest first, three reasons at most", () => {
  const agreeing = { errno: "ENOENT", message: MISSING, stderr: MISSING, stdout: MISSING };
  const { because, confidence } = classify(agreeing);
  const [message, stderr] = [`message line 1: ${MISSING}`, `stderr line 1: ${MISSING}`];
  assert.deepEqual(because, [message, stderr, "errno ENOENT"]);
  assert.equal(confidence, 0.95);
  assert.deepEqual(classify({ errno: "EACCES", stderr: MISSING }).because, [stderr]);
});

test("agreement adds to confidence, a rival close by takes from it, one further off does not", () => {
  const sure = (evidence: Evidence): readonly [string, number] => {
    const { kind, confidence } = classify(evidence);
    return [kind, confidence];
  };
  assert.deepEqual(sure({ stderr: MISSING }), ["file_not_found", 0.93]);
  assert.deepEqual(sure({ errno: "ENOENT", stderr: MISSING }), ["file_not_found", 0.95]);
  assert.deepEqual(sure({ errno: "EACCES", stderr: MISSING }), ["file_not_found", 0.93]);
  assert.deepEqual(sure({ errno: "EACCES" }), ["permission_denied", 0.96]);
  assert.deepEqual(sure({ errno: "EACCES", stdout: MISSING }), ["permission_denied", 0.84]);
  assert.deepEqual(sure({ errno: "ENOSPC", stdout: MISSING }), ["disk_full", 0.98]);
});

test("a guess from the command alone keeps its own confidence", () => {
  const { kind, confidence } = classify({ exitCode: 1, command: "jest", stdout: "strange end" });
  assert.deepEqual([kind, confidence], ["verification_failed", 0.6]);
});

test("three reasons are enough", () => {
  const crash = "Segmentation fault (core dumped)";
  const evidence = { exitCode: 139, signal: "SIGSEGV", message: crash, stderr: crash };
  assert.deepEqual(classify(evidence).because, [
    `message line 1: ${crash}`,
    `stderr line 1: ${crash}`,
    "signal SIGSEGV",
  ]);
});

test("a failure is signed by its deciding line, or by the last words where only a field decided", () => {
  const line = classify({ stderr: `start\n${MISSING}\nthe end` });
  assert.equal(line.signature, signatureOf(MISSING));
  const field = classify({ errno: "ENOSPC", stderr: "odd words" });
  assert.equal(field.signature, signatureOf("odd words"));
});

test("the deciding line's own reset time is found, however much was printed after it", () => {
  const message = `Rate limit reached. Try again in 9s.\n${"ok\n".repeat(3_000)}`;
  assert.equal(classify({ tool: "llm", message }).retryAfterMs, 9_000);
});

test("of texts that say the same, message and stderr are named before stdout", () => {
  const first = (evidence: Evidence): string => classify(evidence).because[0] ?? "";
  assert.match(first({ stdout: MISSING, stderr: MISSING }), /^stderr line 1: /);
  assert.match(first({ stdout: MISSING, message: MISSING }), /^message line 1: /);
  assert.match(first({ stdout: MISSING }), /^stdout line 1: /);
});

test("a failure that no rule knows is signed by the end of the first text that has one", () => {
  const signed = (evidence: Evidence, words: string): void =>
    assert.equal(classify(evidence).signature, signatureOf(words), words);
  signed({ message: "odd", stderr: "other", stdout: "third" }, "odd");
  signed({ message: " \n", stderr: " other\n", stdout: "third" }, "other");
  signed({ stdout: "third" }, "third");
  const words = Array.from({ length: 700 }, (_, n) =>
    String.fromCharCode(97 + (n % 26), 97 + n / 26),
  ).join(" ");
  signed({ stdout: `${words}\n` }, words.slice(-800));
  signed({ command: "cartctl", exitCode: 3, signal: "SIGINT" }, "cartctl 3 SIGINT");
  signed({ command: "cartctl" }, "cartctl  ");
});

/** Lines that say nothing, none of them like a wrapped text. */
const quiet = (chars: number): string =>
  `${"ok\n".repeat(50)}${"-".repeat(200)}\n`.repeat(Math.ceil(chars / 351));

test("in a long text that says nothing at its ends the middle is searched for an error", () => {
  const hidden = "Error: ENOSPC: no space left on device, write";
  const kind = (stderr: string): string => classify({ stderr }).kind;
  const near = `${quiet(40_000)}${hidden}\n${quiet(40_000)}`;
  assert.equal(kind(near), "disk_full");
  for (const marker of ['{"error": "ENOSPC"}', "ERROR ENOSPC", "FAIL ENOSPC", "fatal: ENOSPC"])
    assert.equal(
      kind(near.replace(hidden, `${marker} no space left on device`)),
      "disk_full",
      marker,
    );
  assert.equal(kind(near.replace("Error:", "Notice,")), "unknown");
  assert.equal(kind(`${quiet(40_000)}${hidden}\n${quiet(430_000)}`), "unknown");
  assert.equal(kind(`${quiet(40_000)}${hidden}\n${quiet(390_000)}`), "disk_full");
  assert.match(classify({ stderr: near }).because[0] ?? "", /^stderr line \d+ from the end: Error/);
});

test("a text that already says enough gets no second look", () => {
  const both = `${quiet(40_000)}Error: ENOSPC: no space left on device\n${quiet(40_000)}${DENIED}`;
  assert.equal(classify({ stderr: both }).kind, "permission_denied");
});

test("fields that are no text are not read", () => {
  const wrong = { stderr: 7, stdout: null, message: [MISSING], command: {}, signal: 9 };
  assert.equal(classify(wrong as unknown as Evidence).kind, "unknown");
});

test("without rules only the structured fields decide", () => {
  const limited = "Error: 429 Too Many Requests, try again in 5s";
  assert.equal(classify({ tool: "llm", message: limited }).kind, "rate_limited");
  assert.equal(classifyBy({ tool: "llm", message: limited }, NO_RULES).kind, "unknown");
  for (const [evidence, kind] of [
    [{ httpStatus: 429, message: limited }, "rate_limited"],
    [{ errno: "ENOSPC" }, "disk_full"],
    [{ exitCode: 127 }, "command_not_found"],
    [{ signal: "SIGSEGV" }, "agent_crash"],
    [{ providerError: { type: "overloaded_error" } }, "server_overloaded"],
  ] as const)
    assert.equal(classifyBy(evidence, NO_RULES).kind, kind);
  assert.equal(classifyBy({ httpStatus: 429, message: limited }, NO_RULES).retryAfterMs, 5_000);
});
