// proves: U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSniffedReader } from "../../../src/agents/command/command-agent.ts";
import type { AgentReport, ProcessEnd } from "../../../src/runtime/agent-result.ts";
import {
  acp,
  claude,
  codex,
  EXITED,
  FORMAT_NAMES,
  gemini,
  jsonl,
  opencode,
  pi,
  readerOf,
} from "./events.ts";

const LINES: readonly unknown[] = [
  ...[claude.init, claude.retry("overloaded", 529), claude.call, claude.text("Wörds ✓ 🙂")],
  ...[
    claude.failure("rate_limit", 429, "slow"),
    claude.result(),
    claude.result({ is_error: true }),
  ],
  ...[
    codex.start,
    codex.call,
    codex.error("Reconnecting... 1/5 (x)"),
    codex.failed("no"),
    codex.done,
  ],
  ...[gemini.start, gemini.text("Hm"), gemini.error("error", "no"), gemini.result("success")],
  ...[
    opencode.text("Hm"),
    opencode.finish("stop"),
    opencode.error("APIError", { statusCode: 500 }),
  ],
  ...[pi.start, pi.end("stop"), pi.end("error", { errorMessage: "500 no" }), pi.retry("503")],
  ...[acp.text("Hm"), acp.stop("end_turn"), acp.error(-32_000, "login")],
];
const KEYS = ["type", "subtype", "message", "content", "error", "data", "part", "item", "params"];
const VALUES = [
  "assistant",
  "result",
  "error",
  "system",
  "api_retry",
  "turn.failed",
  "session/update",
];

const anyLine = fc.oneof(
  fc.constantFrom(...LINES).map((line) => JSON.stringify(line)),
  fc
    .dictionary(
      fc.constantFrom(...KEYS),
      fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue({ maxDepth: 3 })),
    )
    .map((line) => JSON.stringify(line)),
  fc.string({ maxLength: 60 }).map((text) => text.replaceAll("\n", " ")),
);
const format = fc.constantFrom(...FORMAT_NAMES);
const end = fc.constantFrom<ProcessEnd>(
  EXITED,
  { kind: "exited", code: 1 },
  { kind: "signalled", signal: "SIGSEGV" },
  { kind: "killed", reason: "settled", detail: "", with: "SIGINT" },
  { kind: "guard-lost" },
);

test("no line makes a reader throw, and its report is bounded and consistent", () => {
  fc.assert(
    fc.property(format, fc.array(anyLine, { maxLength: 30 }), end, (name, lines, how) => {
      const reader = readerOf(name, { askedFor: { session: "s-1" } });
      for (const line of lines) {
        reader.push("stdout", `${line}\n`);
        reader.push("stderr", `${line}\n`);
      }
      const report = reader.report(how);
      assert.ok(!report.completed || report.error === undefined);
      assert.ok(
        report.completed ||
          report.error !== undefined ||
          how.kind === "killed" ||
          how.kind === "guard-lost",
      );
      assert.ok(report.warnings.length <= 20);
      assert.ok(JSON.stringify(report).length < 1_000_000);
    }),
  );
});

test("how the output is cut into chunks does not matter", () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(format, fc.array(anyLine, { maxLength: 12 }), cuts, (name, lines, sizes) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const read = (chunks: readonly Buffer[]): AgentReport => {
        const reader = readerOf(name);
        for (const chunk of chunks) reader.push("stdout", chunk);
        return reader.report(EXITED);
      };
      assert.deepEqual(read(cut(bytes, sizes)), read([bytes]));
    }),
  );
});

test("a plain command's report does not depend on chunks either", () => {
  const output = fc.oneof(
    fc.constantFrom(...LINES).map((line) => jsonl([line, line])),
    fc.string({ maxLength: 80 }),
  );
  fc.assert(
    fc.property(output, fc.integer({ min: 1, max: 30 }), (text, size) => {
      const read = (chunks: readonly string[]): AgentReport | undefined => {
        const reader = createSniffedReader();
        for (const chunk of chunks) reader.push("stdout", chunk);
        return reader.report(EXITED);
      };
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      assert.deepEqual(read(pieces), read([text]));
    }),
  );
});

function cut(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
