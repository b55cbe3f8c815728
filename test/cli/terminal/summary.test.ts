import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../../src/cli/screen/line.ts";
import { summaryLines } from "../../../src/cli/screen/summary.ts";
import { treeLines } from "../../../src/cli/screen/tree.ts";
import { run, subtask, T0 } from "./views.ts";

const NOW = T0 + 90_000;
const done = { phase: "verified", startedAt: T0, endedAt: T0 + 6000 } as const;

test("summary of a run that is verified: what happened to each subtask, totals, what to do next", () => {
  const view = run(
    [
      subtask("limit", {
        ...done,
        attempts: 2,
        story: "rate_limited → wait",
        recoveries: 1,
        uncounted: 1,
      }),
      subtask("easy", { ...done, attempts: 1 }),
    ],
    { outcome: { kind: "verified", reason: "every subtask is verified" }, endedAt: NOW },
  );
  assert.deepEqual(summaryLines(view, 80, NOW + 5000).map(plain), [
    "── run r1: verified ────────────────────────────────────────────────────────────",
    "   subtask  state       tries    time  what happened",
    " ✓ limit    verified        2      6s  rate_limited → wait",
    " ✓ easy     verified        1      6s  first try",
    "",
    "   2 subtasks · 3 attempts (1 uncounted) · 1 recovery · 1m 30s",
    "   every subtask is verified",
    "",
    "   result   branch unstuck/r1",
    "   take it  unstuck apply r1",
    "   look     unstuck diff · unstuck report · unstuck explain",
  ]);
});

test("a reader is answered; one without an answer says why, in the tree as well", () => {
  const looked = { ...done, phase: "answered", attempts: 2 } as const;
  const unanswered = "silent gave no answer: timeout: ran too long";
  const view = run([
    subtask("look", { ...looked, story: "unknown → retry" }),
    subtask("silent", { ...looked, story: "timeout → retry", unanswered }),
  ]);
  assert.deepEqual(summaryLines(view, 100, NOW).slice(2, 4).map(plain), [
    " → look     answered        2      6s  unknown → retry",
    ` → silent   answered        2      6s  timeout → retry; ${unanswered}`,
  ]);
  assert.deepEqual(treeLines(view, { columns: 100, rows: 24 }, NOW).slice(2).map(plain), [
    " → look     answered    2 attempts      6s  unknown → retry",
    ` → silent   answered    2 attempts      6s  ${unanswered}`,
  ]);
});

test("summary of a run that waits for a person: the questions, and how to answer and go on", () => {
  const question = { id: "login/c1", question: "How should it go on?" };
  const view = run(
    [
      subtask("login", { phase: "asking", attempts: 1, story: "auth_required → ask", question }),
      subtask("after", { phase: "blocked", after: ["login"] }),
    ],
    { needsPerson: true },
  );
  const lines = summaryLines(view, 80, NOW).map(plain);
  assert.ok(lines.includes(" ? login/c1  How should it go on?"));
  assert.ok(lines.includes("   answer   unstuck review"));
  assert.ok(lines.includes("   then     unstuck resume r1"));
  assert.ok(lines.includes(" - after    blocked         0          by login"));
  assert.ok(!lines.some((line) => line.includes("unstuck apply")));
});

test("a failed run offers no apply, a stopped one names its branch", () => {
  for (const kind of ["failed", "cancelled", "budget"]) {
    const view = run([subtask("a", { phase: "stuck" })], { outcome: { kind, reason: "why" } });
    const words = summaryLines(view, 80, NOW).map(plain).join("\n");
    assert.ok(words.includes("branch unstuck/r1") && !words.includes("unstuck apply"));
    assert.ok(words.includes(`run r1: ${kind}`) && words.includes("   why"));
  }
});

test("a long story is wrapped under itself, and shortened only when it is very long", () => {
  const story = "verification_failed → feedback ×2; circular_fix → mutate (rephrase)";
  const told = (words: string): string[] =>
    summaryLines(run([subtask("a", { ...done, attempts: 4, story: words })]), 80, NOW)
      .slice(2, 8)
      .map(plain);
  const [first = "", second = ""] = told(story);
  assert.match(first, /verification_failed → feedback ×2;$/);
  assert.match(second, /^ {39}circular_fix → mutate \(rephrase\)$/);
  assert.match(told(Array(9).fill(story).join("; "))[3] ?? "", /… unstuck explain tells the rest/);
});
