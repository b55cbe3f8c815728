// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { categoryOf } from "../../../src/core/failure.ts";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { BUILD_CASES } from "./cases/builds.ts";
import { LOCALE_CASES } from "./cases/locales.ts";
import { SHELL_CASES } from "./cases/shell.ts";

const TEXTS = [...SHELL_CASES, ...BUILD_CASES, ...LOCALE_CASES].map(([text]) => text);
const someText = fc.constantFrom(...TEXTS);
const kindOf = (stderr: string): string => classify({ tool: "run_bash", stderr }).kind;

const wildText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.array(someText, { maxLength: 4 }).map((parts) => parts.join("\n")),
  fc
    .array(fc.constantFrom("\0", "\x1b[", "\ud800", "\r", "{", "error: ", "429 ", "=> "), {
      maxLength: 60,
    })
    .map((parts) => parts.join("")),
);
const wildValue = fc.oneof(fc.anything(), wildText);

test("any object at all gets an answer of the right shape", () => {
  const fields = [
    "tool",
    "command",
    "exitCode",
    "signal",
    "errno",
    "httpStatus",
    "providerError",
    "retryAfter",
    "stdout",
    "stderr",
    "message",
    "observedAt",
    "utcOffsetMinutes",
  ];
  const anyEvidence = fc.dictionary(fc.constantFrom(...fields), wildValue, { maxKeys: 13 });
  fc.assert(
    fc.property(anyEvidence, (value) => {
      const failure = classify(value);
      assert.ok(FAILURE_KINDS.includes(failure.kind));
      assert.equal(failure.category, categoryOf(failure.kind, failure.origin));
      assert.ok(failure.confidence >= 0.3 && failure.confidence <= 0.99);
      assert.match(failure.signature, /^[\da-f]{16}$/);
      assert.ok(failure.because.length >= 1 && failure.because.length <= 3);
      for (const reason of failure.because) {
        assert.ok(reason.length <= 260);
        assert.doesNotMatch(reason, /[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
      }
      if (failure.retryAfterMs !== undefined) assert.ok(failure.retryAfterMs >= 0);
      if (failure.resetAt !== undefined) assert.ok(!Number.isNaN(Date.parse(failure.resetAt)));
    }),
    { numRuns: 400 },
  );
});

test("the same evidence always gets the same failure", () => {
  fc.assert(
    fc.property(wildText, wildText, (stderr, stdout) => {
      const evidence = { tool: "run_bash", exitCode: 1, stderr, stdout };
      assert.deepEqual(classify(evidence), classify({ ...evidence }));
    }),
  );
});

test("colours, NUL bytes and line ends do not change the kind", () => {
  fc.assert(
    fc.property(someText, (text) => {
      const kind = kindOf(text);
      const coloured = text.replace(/\b\w+\b/g, (word) => `\x1b[31m${word}\x1b[0m`);
      assert.equal(kindOf(coloured), kind, text);
      assert.equal(kindOf(text.replace(/\n/g, "\r\n")), kind, text);
      assert.equal(kindOf([...text].join("\0")), kind, text);
      assert.equal(kindOf(`${"\0".repeat(50)}${text}`), kind, text);
    }),
    { numRuns: 200 },
  );
});

const HARMLESS = [
  "Resolving 12 carts",
  "[1/4] fetching the list",
  "2026-01-02T03:04:05Z started worker 3",
  "downloaded 14 kB in 0.2 s",
  "ok",
  "",
  "> shop@1.0.0 start",
  "  - tidied the shelf",
];

test("harmless lines before the error do not change the kind", () => {
  const lines = fc.array(fc.constantFrom(...HARMLESS), { maxLength: 30 });
  fc.assert(
    fc.property(someText, lines, (text, before) => {
      assert.equal(kindOf([...before, text].join("\n")), kindOf(text), text);
    }),
    { numRuns: 200 },
  );
});

test("a megabyte of harmless lines before the error does not hide it", () => {
  const before = `${HARMLESS.join("\n")}\n`.repeat(10_000);
  for (const text of TEXTS) assert.equal(kindOf(before + text), kindOf(text), text);
});

test("an error some way above a long tail is found by a second look", () => {
  const tail = `${HARMLESS.join("\n")}\n`.repeat(1_000);
  const text = `${tail}error: ENOSPC: no space left on device, write\n${tail}`;
  assert.equal(kindOf(text), "disk_full");
});

test("words in a code frame, a stack, a listing or an echoed command decide nothing", () => {
  for (const line of [
    "  12 | throw new Error('permission denied')",
    "> 7 | expect(status).toBe('ENOSPC: no space left on device')",
    "    at permissionDenied (/srv/cart.js:3:5)",
    "src/errors.ts:14:  // connection refused, see the manual",
    "$ grep 'command not found' log.txt",
    "+ echo 'rate limit exceeded'",
    '  Expected: "No such file or directory"',
  ])
    assert.equal(kindOf(line), "unknown", line);
});

test("a warning yields to an error, a log line to a plain one", () => {
  assert.equal(
    kindOf("rm: carts: Permission denied\nwarning: cart.ini: No such file or directory"),
    "permission_denied",
  );
  assert.equal(
    kindOf("cat: carts: No such file or directory\nDEBUG retry: permission denied for cache"),
    "file_not_found",
  );
});

test("stderr is believed before stdout, the last line before the first", () => {
  const both = classify({
    stdout: "cat: carts: No such file or directory",
    stderr: "rm: carts: Permission denied\ncleaning up\ndone",
  });
  assert.equal(both.kind, "permission_denied");
  assert.equal(
    kindOf("rm: carts: Permission denied\ncat: carts: No such file or directory"),
    "file_not_found",
  );
});

test("reasons name the field and the line", () => {
  const [reason = ""] = classify({ stderr: "start\n\nbash: cartctl: command not found\n" }).because;
  assert.equal(reason, "stderr line 3: bash: cartctl: command not found");
  const long = `${"x\n".repeat(40_000)}bash: cartctl: command not found\nbye\n`;
  assert.match(classify({ stderr: long }).because[0] ?? "", /^stderr line 3 from the end: bash/);
  assert.deepEqual(classify({ exitCode: 127 }).because, ["exit code 127"]);
});

test("two kinds that come close lower the confidence; agreement raises it", () => {
  const last = "cat: carts: No such file or directory";
  const sure = classify({ stderr: last }).confidence;
  const backed = classify({ errno: "ENOENT", stderr: last }).confidence;
  const torn = classify({ stderr: `a\nb\nrm: carts: Permission denied\n${last}` }).confidence;
  assert.ok(torn < sure && sure < backed, `${torn} < ${sure} < ${backed}`);
});
