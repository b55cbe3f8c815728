// proves: U2, J9
import assert from "node:assert/strict";
import { test } from "node:test";
import { claude, codex, opencode, pi, readReport } from "./events.ts";

const reconnecting = (why: string) => codex.error(`Reconnecting... 1/5 (${why})`);
const repeated = (line: unknown, times: number): unknown[] =>
  Array.from({ length: times }, () => line);
const note = (text: string): string => `${text}\n`;

/** Announced retries, and whether the attempt may as well end there. */
const ROWS: readonly (readonly [string, boolean, readonly unknown[], string?])[] = [
  ["claude", true, [claude.retry("authentication_failed", 401)]],
  ["claude", true, [claude.retry("unknown", 403)]],
  ["claude", true, [claude.retry("rate_limit", 429, 60_000)]],
  ["claude", false, [claude.retry("overloaded", 529)]],
  ["claude", false, [claude.retry("rate_limit", 429, 59_000)]],
  ["claude", false, repeated(claude.retry("overloaded", 529), 7)],
  ["claude", true, repeated(claude.retry("overloaded", 529), 8)],
  [
    "claude",
    false,
    [...repeated(claude.retry("overloaded", 529), 7), claude.call, claude.retry("overloaded", 529)],
  ],
  ["codex", true, [reconnecting("unexpected status 401 Unauthorized")]],
  ["codex", false, [reconnecting("stream closed")]],
  ["codex", false, repeated(reconnecting("stream closed"), 3)],
  ["codex", true, repeated(reconnecting("stream closed"), 4)],
  ["codex", false, repeated(reconnecting("unexpected status 429 Too Many Requests"), 3)],
  ["codex", false, [reconnecting("unexpected status 503 Service Unavailable")]],
  ["codex", true, repeated(reconnecting("unexpected status 503 Service Unavailable"), 2)],
  ["codex", true, repeated(codex.error("Reconnecting... waiting for network (no route)"), 4)],
  ["codex", false, [codex.error("something else"), codex.error("something else")]],
  ["gemini", true, [], note("Attempt 1 failed with status 403. Retrying with backoff...")],
  ["gemini", false, [], note("Attempt 1 failed with status 503. Retrying with backoff...")],
  ["gemini", true, [], note("Attempt 1 failed: slow. Retrying after 12000ms...")],
  ["gemini", true, [], note("Attempt 1 failed. x").repeat(2)],
  ["gemini", false, [], note("My attempt 1 failed.").repeat(3)],
  ["opencode", false, repeated(opencode.finish("unknown"), 2)],
  ["opencode", true, repeated(opencode.finish("unknown"), 3)],
  ["opencode", false, [opencode.retry(2000)]],
  ["opencode", true, repeated(opencode.retry(2000), 2)],
  ["opencode", false, [opencode.retry(2000), opencode.call, opencode.retry(2000)]],
  ["opencode", true, [opencode.retry(60_000)]],
  ["pi", true, [pi.retry("429 slow down")]],
  ["pi", false, [pi.end("error", { errorMessage: "429 slow down" })]],
  ["acp", true, [], note("failed: 401 Unauthorized, retrying in 1s")],
  ["acp", false, [], note("failed: busy, retrying in 1s").repeat(3)],
  ["acp", true, [], note("failed: busy, retrying in 1s").repeat(4)],
];

test("an attempt ends early where its announced retries cannot help or go on too long", () => {
  for (const [format, isFinal, lines, stderr = ""] of ROWS) {
    const { final } = readReport(format, lines, { stderr });
    assert.equal(final !== undefined, isFinal, `${format} ${JSON.stringify(lines[0])}${stderr}`);
  }
});

test("once told, it stays told", () => {
  const lines = [claude.retry("billing_error", 400), claude.call, claude.text("Hm.")];
  assert.ok(readReport("claude", lines).final !== undefined);
});

test("what an agent says when it is ended for it does not hide why", () => {
  const end = { kind: "killed", reason: "settled", detail: "", with: "SIGINT" } as const;
  const lines = [pi.start, pi.retry("429 slow down"), pi.end("aborted")];
  assert.equal(readReport("pi", lines, { end }).report.error?.httpStatus, 429);
  const wrong = [reconnecting("unexpected status 401 No"), codex.failed("interrupted")];
  assert.equal(readReport("codex", wrong, { end }).report.error?.httpStatus, 401);
});
