// proves: P7, D5
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MEASURES } from "../../../src/core/budget.ts";
import type { PastEvent } from "../../../src/core/history/run-history.ts";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import { questionWords } from "../../../src/core/report/question-words.ts";
import { recoveriesDone } from "../../../src/core/report/phrases.ts";
import { baseProblems, budgetUsedUp, hiccup } from "../../../src/core/run/make-checkpoint.ts";
import type { HiccupRequest } from "../../../src/core/run/make-checkpoint.ts";
import type { Checkpoint } from "../../../src/core/run/checkpoint.ts";
import { MUTATIONS, RECOVERY_NAMES } from "../../../src/core/recovery.ts";
import { recoverySentence } from "../../../src/core/report/decision-sentences.ts";
import { chosen, failed } from "../../cli/terminal/events.ts";
import { failureOf } from "../run/driver.ts";

const asked = (more: Partial<HiccupRequest>): Checkpoint =>
  hiccup({
    ...{ id: "login/c1", subtask: "login", goal: "make it work", agent: "mine", error: "" },
    ...{ failure: failureOf("unknown"), attempts: 3, blocks: ["pay"], blocksCount: 1 },
    ...more,
  });

const LEDGER = { spent: { usd: 4.5 }, reserved: {}, untold: {} };
const PROBLEM = { check: "npm test", why: "mocha: not found", mend: "run npm ci" };

const QUESTIONS: readonly Checkpoint[] = [
  ...FAILURE_KINDS.map((kind) => asked({ failure: failureOf(kind), otherAgent: "other" })),
  asked({ failure: failureOf("timeout", { origin: "check" }), cause: "check 1" }),
  asked({ failure: failureOf("verification_failed"), cause: "base 1" }),
  asked({ asks: "Which of the two databases?" }),
  asked({ refused: [{ tool: "Bash", command: "npm install left-pad" }] }),
  asked({ refused: [{ tool: "Bash", command: "rm -rf ~" }] }),
  asked({ refused: [{ tool: "Bash", command: "git push --force" }] }),
  ...MEASURES.map((measure) =>
    budgetUsedUp({
      ...{ id: "c1", goal: "g", measure, attempts: 3, ledger: LEDGER, limit: { usd: 5 } },
      of: "run",
    }),
  ),
  budgetUsedUp({
    ...{ id: "login/c2", subtask: "login", goal: "g", measure: "usd", attempts: 3 },
    ...{ ledger: LEDGER, limit: { usd: 5 }, of: "subtask" },
  }),
  baseProblems({ id: "c1", goal: "g", problems: [PROBLEM] }),
  baseProblems({ id: "c1", goal: "g", problems: [PROBLEM, { ...PROBLEM, check: "make" }] }),
];

function text(checkpoint: Checkpoint): string {
  const { happened, cause, choices } = questionWords(checkpoint, "r1");
  return [
    `[${cause}] ${happened}`,
    ...choices.map(
      ({ label, does, recommended, command }) =>
        `  ${recommended ? "*" : "-"} ${label}. ${does}\n      ${command}`,
    ),
  ].join("\n");
}

const SNAPSHOT = join(import.meta.dirname, "snapshots", "questions.txt");

test("every question reads as it was approved; UNSTUCK_SNAPSHOTS=1 writes it anew", () => {
  const all = `${QUESTIONS.map(text).join("\n\n")}\n`;
  if (process.env["UNSTUCK_SNAPSHOTS"] === "1") writeFileSync(SNAPSHOT, all);
  assert.equal(all, readFileSync(SNAPSHOT, "utf8"));
});

const IDS = new RegExp(`\\b(?:${FAILURE_KINDS.filter((kind) => kind.includes("_")).join("|")})\\b`);

test("no question and no sentence of explain shows the id of a kind or of a rule", () => {
  for (const question of QUESTIONS) assert.doesNotMatch(text(question), IDS);
  const entry = { agent: "mine", tier: 2 };
  const recoveries = [
    ...MUTATIONS.map((mutation) => ({ kind: "mutate", mutation }) as const),
    { kind: "escalate", entry, thinking: true, budgetFactor: 1 } as const,
    { kind: "sidegrade", entry } as const,
    { kind: "fresh", goodCommit: "c" } as const,
    { kind: "ask" } as const,
  ];
  for (const kind of FAILURE_KINDS)
    for (const recovery of recoveries) {
      const considered = RECOVERY_NAMES.map((name) => ({
        ...{ rung: "a-rung", recovery: name },
        verdict: `${kind} is not what it is for`,
      }));
      const event = chosen("a", [recovery], "guard:fatal", considered);
      const { said, others = [] } = recoverySentence(event, { failure: failed("a", 2, kind) });
      const words = [said, ...others.map(({ option, why }) => `${option}: ${why}`)].join("\n");
      assert.doesNotMatch(words.replaceAll(/\(.*?\)/g, ""), IDS);
      assert.doesNotMatch(words, /guard:|a-rung/);
    }
});

test("a paragraph: the same failure again, what had been tried, what else there was", () => {
  const failure = failed("a", 2, "verification_failed", "FAIL adds up\nexpected 2");
  const considered = [
    { rung: "unknown-retry", recovery: "retry", verdict: "not for verification_failed" },
    { rung: "feedback", recovery: "feedback", verdict: "used 2 of 2 times" },
    { rung: "fresh", recovery: "fresh", verdict: "chosen" },
  ];
  const event = chosen("a", [{ kind: "fresh", goodCommit: "c" }], "fresh", considered);
  const seen = {
    failure,
    earlier: { ...failure, attempt: 1 },
    did: [{ kind: "feedback" }] as const,
  };
  assert.deepEqual(recoverySentence(event, seen), {
    said: "The second attempt failed its checks, like the one before. It had sent the failing output back, which did not help; so it started fresh from the last good commit.",
    evidence: ["FAIL adds up", "expected 2"],
    others: [{ option: "send the failing output back", why: "already used (2 of 2)" }],
  });
  const { said } = recoverySentence(event, { failure });
  assert.equal(
    said,
    "The second attempt failed its checks (FAIL adds up). So it started fresh from the last good commit.",
  );
});

test("what was tried is told once, with how often; asking is no try", () => {
  const did = (kind: "feedback" | "ask"): PastEvent => ({
    kind: "recovery",
    recoveries: [{ kind }],
    because: "",
    chosenBy: { by: "rung", id: "x" },
  });
  assert.deepEqual(recoveriesDone([did("feedback"), did("feedback"), did("ask")]), [
    "sent the failing output back (2 times)",
  ]);
});

test("a command is quoted for the shell, and an old question reads without its question at the end", () => {
  const odd = asked({ id: "it's; rm/c1", subtask: "it's; rm" });
  const [first] = questionWords(odd, "r1").choices;
  assert.equal(first?.command, "unstuck resolve 'it'\\''s; rm/c1' --run r1 --skip");
  const old = { ...asked({}), question: "Subtask a failed (unknown). How should it go on?" };
  assert.equal(questionWords(old, "r1").happened, "Subtask a failed (unknown).");
});
