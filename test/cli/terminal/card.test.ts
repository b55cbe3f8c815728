// proves: P10
import { test } from "node:test";
import assert from "node:assert/strict";
import { cardLines } from "../../../src/cli/screen/card.ts";
import { plain } from "../../../src/cli/screen/line.ts";
import { nextCommands } from "../../../src/operations/status/next-commands.ts";
import type { Card } from "../../../src/operations/status/card-schema.ts";
import { assertKept } from "./kept-screen.ts";

process.env["TZ"] = "UTC";
const NOW = Date.UTC(2026, 2, 3, 1, 0);
const ID = "20260303-0100-a0b1c2";

function card(state: Card["state"], more: Partial<Card> = {}): Card {
  const facts = { id: ID, state, questions: more.questions?.length ?? 0, applied: false };
  return {
    ...{ run: ID, state, goal: "make the tests pass", sentence: `It is ${state}.`, applied: false },
    ...{ branch: `unstuck/${ID}`, checks: [], subtasks: [], unverified: [], editedTests: [] },
    ...{ spent: [], tookMs: 0, agentsMs: 0, waitedMs: 0, recovered: { attempts: 0, by: [] } },
    ...{ questions: [], warnings: [], next: nextCommands(facts) },
    ...more,
  };
}

const subtask = (id: string, phase: string, more: Partial<Card["subtasks"][number]> = {}) => ({
  ...{ id, phase, attempts: 1, tookMs: 61_000, words: [], recoveries: [], ...more },
});
const check = (
  name: string,
  verdict: Card["checks"][number]["verdict"],
  words: string = verdict,
) => ({
  ...{ check: name, verdict, words, subtasks: ["parser"] },
});

const VERIFIED = card("verified", {
  sentence: "Verified: every check passes on the result, or is no worse than before.",
  checks: [
    check("npm test", "passed"),
    check("npm run typecheck", "passed", "passed, as before: proves nothing new"),
    check("npm run lint", "no worse", "already failing before, no worse (3 failing)"),
  ],
  subtasks: [subtask("goal", "verified", { attempts: 3 })],
  changes: {
    ...{ files: 11, added: 128, removed: 40 },
    largest: [
      { path: "src/parser/tokens.ts", added: 80, removed: 12 },
      { path: "src/a/rather/long/path/that/fills/a/narrow/terminal.ts", added: 20, removed: 3 },
      { path: "test/parser.test.ts", added: 3, removed: 1 },
    ],
  },
  editedTests: ["test/parser.test.ts"],
  recovered: {
    attempts: 2,
    by: [
      { words: "sent the failing output back", times: 1 },
      { words: "started fresh from the last good commit", times: 1 },
    ],
  },
  ...{ tookMs: 754_000, agentsMs: 420_000, waitedMs: 300_000 },
  spent: ["$0.42 of $5.00", "120.3k tokens", "7m 00s agent time", "3 attempts"],
});

const ASKING = card("needs you", {
  sentence: "Needs you: 1 question open, and nothing else can go on.",
  checks: [check("npm test", "failed", "failed: 2 failing (adds up, takes away)")],
  subtasks: [
    subtask("parser", "asking", {
      ...{ attempts: 4, words: ["expected 3, got 4 in test/parser.test.ts:12"] },
      recoveries: [{ words: "sent the failing output back", times: 2 }],
    }),
    subtask("docs", "waiting", { wakesAt: "2026-03-03T03:01:00.000Z", waitsFor: "rate limit" }),
    subtask("release", "blocked", { attempts: 0 }),
  ],
  unverified: [{ subtask: "release", why: "it waits for a subtask that is not done" }],
  changes: { files: 0, added: 0, removed: 0, largest: [] },
  questions: [{ id: "parser/c1", question: "Subtask parser keeps failing. What next?" }],
  warnings: ["the money budget of the run ($5.00) cannot limit agent mine"],
  ...{ tookMs: 5000, spent: ["4 attempts"] },
});

for (const columns of [40, 80, 200])
  for (const [name, shown] of Object.entries({ verified: VERIFIED, asking: ASKING }))
    test(`the card of a run that is ${name}, in ${columns} columns, as kept`, () =>
      assertKept(`card-${name}-${columns}`, cardLines(shown, columns, NOW).map(plain)));

test("a wait is told by the clock of this machine; a result only where there is one", () => {
  const text = (shown: Card): string => cardLines(shown, 100, NOW).map(plain).join("\n");
  const waiting = card("waiting", { waitsUntil: "2026-03-03T03:01:00.000Z" });
  assert.match(text(waiting), /It is waiting\. Next at 03:01\./);
  const { changes } = VERIFIED;
  assert.ok(changes !== undefined);
  assert.match(text(card("verified", { changes })), /branch unstuck\//);
  assert.doesNotMatch(text(card("running", { changes })), /branch unstuck\//);
  assert.match(text(card("verified", { changes, applied: true })), /, applied$/m);
  const { branch: _, ...inPlace } = card("verified", { changes });
  assert.match(text(inPlace), /in this checkout/);
});
