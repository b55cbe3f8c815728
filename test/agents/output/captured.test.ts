// proves: D1, D8
// Outputs that the real agents wrote when the scripted model met them with a fault (lines of partial words left out).
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { REGISTRY } from "../../../src/agents/registry.ts";
import { classifyByStandardRules } from "../../../src/core/rules/standard.ts";
import { readerOf } from "./events.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");

const EXPECTED: Readonly<Record<string, string>> = {
  done: "finished",
  resumed: "finished",
  "bad-key": "auth_required",
  "context-full": "context_exhausted",
  "usage-limit": "rate_limited",
  "rate-limited": "rate_limited",
  truncated: "malformed_output",
};

/** pi takes a cut answer for a whole one; nothing in its output tells. */
const UNSEEN = "pi-truncated";

for (const file of readdirSync(FIXTURES))
  test(`${file} is told as what it is`, () => {
    const [, agent = "", fault = ""] = /^([a-z]+?)(?:-server)?-([a-z-]+)\.jsonl$/.exec(file) ?? [];
    assert.ok(REGISTRY.find(agent) !== undefined && fault in EXPECTED, file);
    const reader = readerOf(agent);
    reader.push("stdout", readFileSync(join(FIXTURES, file)));
    const { completed, error, answer, session } = reader.report({ kind: "exited", code: 0 });
    const kind = completed ? "finished" : error && classifyByStandardRules(error).kind;
    assert.equal(kind, file.startsWith(UNSEEN) ? "finished" : EXPECTED[fault]);
    assert.match(session ?? "", /^[\w-]{8,}$/);
    if (fault === "done") assert.equal(answer, "Done: wrote hello.txt.");
  });
