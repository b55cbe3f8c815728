// proves: B6, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import {
  escalationReport,
  recommendedActions,
} from "../../../src/core/report/escalation-report.ts";
import type { EscalationInput } from "../../../src/core/report/escalation-report.ts";

const INPUT: EscalationInput = {
  subtaskId: "subtask-001",
  summary: "Two approaches failed.",
  kind: "verification_failed",
  attempts: [
    { approach: "events", result: "expected 200, got 404" },
    { approach: "callbacks", result: "expected 200, got 500" },
  ],
  error: "AssertionError\n  at login.test.ts",
  files: ["src/login.ts", "src/user.ts"],
  dependsOn: ["subtask-000"],
  blocks: ["subtask-002", "subtask-003"],
};

test("the source's headings to the letter, and the dependencies", () => {
  assert.equal(
    escalationReport(INPUT),
    `## Stuck Subtask: subtask-001

### Summary
Two approaches failed.

### Attempts Made
1. Attempt 1: events - expected 200, got 404
2. Attempt 2: callbacks - expected 200, got 500

### Error Details
\`\`\`text
AssertionError
  at login.test.ts
\`\`\`

### Files Involved
- src/login.ts
- src/user.ts

### Dependencies
- Depends on subtask-000
- Blocks subtask-002
- Blocks subtask-003

### Recommended Actions
- [ ] Decide whether the check or the code is right
- [ ] Review error logs
- [ ] Check external dependencies
- [ ] Consider alternative approach

`,
  );
});

test("what there is none of is said to be none", () => {
  const report = escalationReport({ ...INPUT, attempts: [], files: [], dependsOn: [], blocks: [] });
  assert.match(report, /### Attempts Made\nNone\n/);
  assert.match(report, /### Files Involved\nNone\n/);
  assert.match(report, /### Dependencies\nNone\n/);
});

test("recommended actions: one of its own for each kind, alternatives only where there can be one", () => {
  const own = FAILURE_KINDS.map((kind) => recommendedActions(kind)[0]);
  assert.equal(new Set(own).size, FAILURE_KINDS.length);
  for (const action of own) assert.match(action ?? "", /^[A-Z][a-z' ,]{10,}/);
  assert.deepEqual(recommendedActions("billing"), [
    "Top up the account or change its plan",
    "Review error logs",
  ]);
  assert.deepEqual(recommendedActions("circular_fix"), [
    "Name an approach that has not been tried",
    "Review error logs",
    "Consider alternative approach",
  ]);
  assert.deepEqual(recommendedActions("network_error"), [
    "Check the network, the proxy and the host that was not reached",
    "Review error logs",
    "Check external dependencies",
    "Consider alternative approach",
  ]);
  const having = (action: string): readonly string[] =>
    FAILURE_KINDS.filter((kind) => recommendedActions(kind).includes(action)).toSorted();
  assert.deepEqual(having("Check external dependencies"), [
    "broken_build",
    "dependency_error",
    "network_error",
    "rate_limited",
    "server_error",
    "server_overloaded",
    "timeout",
    "unknown",
    "verification_failed",
  ]);
  const without = FAILURE_KINDS.filter(
    (kind) => !recommendedActions(kind).includes("Consider alternative approach"),
  );
  assert.deepEqual(without.toSorted(), [
    "agent_missing",
    "auth_expired",
    "auth_required",
    "billing",
    "interrupted",
    "lost",
  ]);
});

test("long lists are cut: the newest attempts and the first files stay", () => {
  const report = escalationReport({
    ...INPUT,
    attempts: Array.from({ length: 60 }, (_, n) => ({ approach: `way ${n + 1}`, result: "no" })),
    files: Array.from({ length: 60 }, (_, n) => `f${n + 1}`),
  });
  assert.ok(!report.includes("Attempt 10:") && report.includes("11. Attempt 11: way 11 - no\n"));
  assert.ok(report.includes("60. Attempt 60: way 60 - no\n\n(10 more left out)\n"));
  assert.ok(report.includes("- f50\n\n(10 more left out)\n") && !report.includes("f51"));
});

test("foreign text makes no heading, link, image, checkbox or fence end, and the report is bounded", () => {
  const evil = fc
    .array(
      fc.constantFrom(
        "\n## Fake\n",
        "- [x] done\n",
        "![i](http://evil/p)",
        "[a](javascript:x)",
        "<img src=x>",
        "```",
        "\n````\n",
        "\u001b[2J",
        "\u202e",
        "@all",
        "www.evil.example",
        "x".repeat(700),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(evil, (text) => {
      const many = Array.from({ length: 60 }, () => text);
      const report = escalationReport({
        ...INPUT,
        subtaskId: text,
        summary: text,
        error: text,
        attempts: many.map((one) => ({ approach: one, result: one })),
        files: many,
        dependsOn: many,
        blocks: many,
      });
      assert.ok(report.length < 150_000);
      assert.ok(!/[\u001b\u202e]/.test(report));
      const [before = "", rest = ""] = report.split("### Error Details\n");
      const [, ...behind] = rest.split("### Files Involved\n");
      const outside = `${before}${behind.join("")}`;
      assert.deepEqual(
        outside
          .split("\n")
          .filter((line) => line.startsWith("#") && !line.startsWith("## Stuck Subtask: ")),
        ["### Summary", "### Attempts Made", "### Dependencies", "### Recommended Actions"],
      );
      assert.ok(!/(?<!\\)[![]\S*\]\(|(?<!\\)<|(?<!\\)@|http:|javascript:|\bwww\./.test(outside));
      assert.equal(outside.match(/^- \[ \] /gm)?.length, 4);
      assert.ok(!outside.includes("- [x]"));
      const fence = /^`{3,}/.exec(rest)?.[0] ?? "";
      assert.ok(rest.includes(`\n${fence}\n\n### Files Involved\n`));
      assert.equal(rest.split(`\n${fence}\n`).length, 2);
    }),
  );
});
