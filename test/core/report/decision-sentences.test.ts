// proves: U8
// A subtask's story in sentences: what failed, what had been tried, what was done, and what else there was.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CAUSES, type Cause } from "../../../src/core/adaptive/causes.ts";
import { FAILURE_KINDS } from "../../../src/core/kinds.ts";
import { explainer } from "../../../src/core/report/explanation.ts";
import type { Explanation } from "../../../src/core/report/explanation-parts.ts";
import type { Recovery } from "../../../src/core/recovery.ts";
import type { DecisionOf, RunEvent } from "../../../src/core/run/decision.ts";
import type { Checkpoint } from "../../../src/core/run/checkpoint.ts";
import { checkpoint, chosen, failed } from "../../cli/terminal/events.ts";

type Chosen = DecisionOf<"recovery-chosen">;
const FEEDBACK: Recovery = { kind: "feedback" };
const ASK: Recovery = { kind: "ask" };
const FRESH: Recovery = { kind: "fresh", startOf: 1 };

/** What is told of the last of these events. */
function told(...events: readonly RunEvent[]): Explanation {
  const { explain } = explainer();
  const last = events.map((event, seq) => explain(seq, event)).at(-1);
  assert.ok(last !== undefined);
  return last;
}
const because = (text: string): RunEvent => ({
  ...{ kind: "circular-fix-seen", subtask: "a", because: text, ban: true },
});

test("what is done follows from what failed, and says what had not helped", () => {
  const failure = failed("a", 1, "verification_failed", "wrong sum");
  const again = failed("a", 2, "verification_failed", "wrong sum");
  const [sent, asked] = ["sent the failing output back", "asked you"];
  const rows: readonly (readonly [readonly RunEvent[], string])[] = [
    [[chosen("a", [FEEDBACK], "f")], `So it ${sent}.`],
    [
      [failure, chosen("a", [FEEDBACK], "f")],
      `The first attempt failed its checks (wrong sum). So it ${sent}.`,
    ],
    [
      [failure, chosen("a", [FEEDBACK], "f"), again, chosen("a", [FEEDBACK], "f")],
      `The second attempt failed its checks, like the one before. It ${sent} once more.`,
    ],
    [
      [chosen("a", [FRESH], "f"), chosen("a", [FEEDBACK], "f")],
      `It had started fresh from where the subtask began, which did not help; so it ${sent}.`,
    ],
    [[chosen("a", [{ kind: "continue" }], "f"), chosen("a", [FEEDBACK], "f")], `So it ${sent}.`],
    [[chosen("a", [ASK], "guard:x")], `Only you can settle that, so it ${asked}.`],
    [[chosen("a", [ASK], "give-up")], `Nothing else was left to try, so it ${asked}.`],
    [
      [failed("a", 7, "verification_failed", "x"), chosen("a", [FEEDBACK], "f")],
      `Attempt 7 failed its checks (x). So it ${sent}.`,
    ],
    [
      [
        failure,
        because("the same failure signature in attempts 1, 2"),
        chosen("a", [FEEDBACK], "f"),
      ],
      `The first attempt failed its checks (wrong sum). It is going in circles: attempts 1, 2 all failed alike. So it ${sent}.`,
    ],
    [
      [
        failure,
        because("attempt 3 ends with the tree of failed attempt 1 (abc)"),
        chosen("a", [FEEDBACK], "f"),
      ],
      `The first attempt failed its checks (wrong sum). It is going in circles: the code is what attempt 1 left. So it ${sent}.`,
    ],
  ];
  for (const [events, sentence] of rows) assert.equal(told(...events).said, sentence);
});

const belief = (shares: Partial<Record<Cause, number>>): Record<Cause, number> =>
  Object.fromEntries(CAUSES.map((cause) => [cause, shares[cause] ?? 0])) as Record<Cause, number>;
const believing = (shares: Partial<Record<Cause, number>>, ...recoveries: Recovery[]): Chosen => ({
  ...chosen("a", recoveries, "adaptive"),
  belief: belief(shares),
});

test("what was believed gives the reason, and the causes stand by how likely they were", () => {
  const shares = { misread: 0.62, mistake: 0.3, person: 0.08 };
  const mutated = told(believing(shares, FEEDBACK));
  assert.equal(
    mutated.said,
    "It probably misread the task (62 %), so it sent the failing output back.",
  );
  assert.deepEqual(mutated.belief, [
    { cause: "misread the task", share: 0.62 },
    { cause: "simple mistake", share: 0.3 },
    { cause: "needs a person", share: 0.08 },
  ]);
  const unlikely = "nothing else is likely enough to help for what it costs";
  assert.match(
    told(believing({ transient: 0.35 }, ASK)).said ?? "",
    new RegExp(`^It may be a passing fault \\(35 %\\), and ${unlikely}: so it asked you\\.$`),
  );
  assert.doesNotMatch(
    told(believing({ transient: 0.35 }, FEEDBACK)).said ?? "",
    /nothing else|person/,
  );
  assert.match(
    told(believing({ transient: 0.4 }, { kind: "skip" }, ASK)).said ?? "",
    /^It was probably a passing fault \(40 %\), and nothing else is left to try: so it asked you\.$/,
  );
  assert.equal(told(chosen("a", [FEEDBACK], "f")).belief, undefined);
});

test("other options are told with their odds or their reason, once each, at most six, and never the chosen one", () => {
  const option = (recovery: string, verdict: string, more: object = {}) => ({
    ...{ rung: recovery, recovery, verdict },
    ...more,
  });
  const others = told(
    chosen("a", [FEEDBACK], "f", [
      option("feedback", "chosen"),
      option("fresh", "second best", { success: 0.5, cost: 1 }),
      option("mutate", "less likely for its cost", { success: 0.254, cost: 2.04 }),
      option("escalate", "already at the top of the model ladder"),
      option("retry", "used 2 of 2 times"),
      option("retry", "stuck: no progress"),
      option("wait", "not for verification_failed"),
      option("skip + ask", "a circular fix needs another recovery"),
      { rung: "think", recovery: "escalate", verdict: "after no_progress" },
      option("explore", "x"),
    ]),
  ).others;
  assert.equal(others?.length, 6);
  assert.deepEqual(
    others.map(({ why }) => why),
    [
      "second best, 50 % likely to help, at the price of 1 attempt",
      "25 % likely to help, at the price of 2 attempts",
      "it already uses the strongest model",
      "there was no progress, so more of the same would not help",
      "it had just been tried, and led in circles",
      "after no progress",
    ],
  );
  assert.match(others[4]?.option ?? "", / and /);
  assert.equal(others[5]?.option, "think longer with the same model");
});

test("no sentence holds an id of a kind or a recovery's rule, whatever failed and whatever was done", () => {
  const ids = new RegExp(FAILURE_KINDS.filter((kind) => kind.includes("_")).join("|"));
  for (const kind of FAILURE_KINDS) {
    const { said = "", evidence = [] } = told(
      failed("a", 1, kind, `it is ${kind}`),
      because(`${kind} again`),
      chosen("a", [FEEDBACK], `guard:${kind}`),
    );
    assert.doesNotMatch(said.replace(`it is ${kind}`, ""), ids);
    assert.match(said, /^The first attempt .*\. It is going in circles: .*\. So it .*\.$/);
    assert.ok(evidence.every((line) => line !== ""));
  }
});

test("of what failed its headline is quoted, and what there is to be seen of it", () => {
  const feedback = chosen("a", [FEEDBACK], "f");
  const bare: RunEvent = { ...failed("a", 1, "verification_failed", ""), failing: ["one", "two"] };
  const { said, evidence } = told(bare, feedback);
  assert.match(said ?? "", /\(one, two\)/);
  assert.deepEqual(evidence, ["failed: one", "failed: two"]);
});

test("of an agent that waits, what it wanted is told; of any other question, nothing is said yet", () => {
  const opened = (more: Partial<Checkpoint>): RunEvent => ({
    ...{ kind: "checkpoint-opened", checkpoint: checkpoint("a", more) },
  });
  const refused = ["npm install x", "rm -r y"].map((command) => ({ tool: "Bash", command }));
  const context = { ...checkpoint("a").context, refused };
  assert.equal(
    told(opened({ context, waiting: { attempt: 1, request: 1 } })).said,
    "The agent wanted to use `npm install x` and `rm -r y` and waited for your answer.",
  );
  assert.equal(told(opened({ context })).said, undefined);
});
