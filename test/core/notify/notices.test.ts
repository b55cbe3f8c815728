// proves: U10, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { messageOf } from "../../../src/core/notify/message.ts";
import { noticeCollector, outsideAnswers } from "../../../src/core/notify/notice.ts";
import { quietFor } from "../../../src/core/notify/quiet-hours.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { checkpoint, started, T0 } from "../../cli/terminal/events.ts";

const noticesOf = (...events: readonly RunEvent[]) => {
  const collector = noticeCollector("r1", "shop");
  return [started("a"), ...events].flatMap((event, index) => collector.add(index + 1, event) ?? []);
};
const opened = (more: object = {}): RunEvent => ({
  kind: "checkpoint-opened",
  checkpoint: { ...checkpoint("a"), ...more },
});
const ended = (
  outcome: "verified" | "unverified" | "failed" | "cancelled" | "needs-person",
): RunEvent => ({
  ...{ kind: "run-ended", outcome, reason: "because of x" },
});

test("a person is told of questions, alerts, low budgets and ends, and of nothing else", () => {
  const told = noticesOf(
    opened(),
    { kind: "alert-raised", subtask: "a", alert: "stuck_unrecoverable", severity: "critical" },
    opened(),
    { kind: "budget-warned", of: "run", measure: "usd", spent: 4, limit: 5 },
    { kind: "subtask-done", subtask: "a", attempt: 1, phase: "verified" },
    ended("verified"),
  );
  assert.deepEqual(
    told.map(({ id, severity, cause }) => [id, severity, cause]),
    [
      ["r1/2", "question", "question: unknown error"],
      ["r1/4", "critical", "question: unknown error"],
      ["r1/5", "info", "budget"],
      ["r1/7", "info", "ended: verified"],
    ],
  );
  assert.equal(noticesOf(ended("failed"))[0]?.severity, "critical");
  assert.equal(noticesOf(ended("unverified"))[0]?.severity, "critical");
  assert.deepEqual(noticesOf(ended("cancelled"), ended("needs-person")), []);
});

test("from outside only what loses nothing for good: no retry, no allowing, no end of the run, no check left out", () => {
  const answers = (more: object) => outsideAnswers({ ...checkpoint("a"), ...more });
  const option = (answer: string) => ({ answer, label: answer });
  const { context, subtask: _, ...ofRun } = checkpoint("a");
  assert.deepEqual(answers({}), ["skip", "snooze"]);
  assert.deepEqual(outsideAnswers({ ...ofRun, context }), ["snooze"]);
  const refused = { ...context, refused: [] };
  const options = ["allow-once", "allow-always", "without", "top-up", "manual"].map(option);
  assert.deepEqual(answers({ options, context: refused }), ["deny", "snooze"]);
  assert.deepEqual(answers({ options }), ["snooze"]);
});

test("without leave no message holds a word of a question, an error or an agent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), (text) => {
      const secret = `SECRET-${text}`;
      const context = { ...checkpoint("a").context, error: secret, asks: secret };
      const notices = noticesOf(opened({ question: secret, context }), {
        ...{ kind: "run-ended", outcome: "failed", reason: secret },
      });
      assert.equal(notices.length, 2);
      const message = messageOf(notices.slice(0, 1));
      assert.ok(!JSON.stringify(message).includes("SECRET"));
      assert.ok(!JSON.stringify(messageOf(notices.slice(1))).includes("SECRET"));
      assert.ok(JSON.stringify(messageOf(notices, { details: true })).includes("SECRET"));
    }),
    { numRuns: 50 },
  );
});

test("one notice is its own title; several are counted, listed and bounded; links lead to the page", () => {
  const [notice] = noticesOf(opened());
  assert.ok(notice !== undefined);
  const one = messageOf([notice], { publicUrl: "https://u.example/" });
  assert.equal(one?.title, "shop: a needs you: unknown error");
  assert.equal(one?.url, "https://u.example/inbox");
  assert.equal(one?.command, "unstuck review");
  const many = messageOf(Array.from({ length: 12 }, () => notice));
  assert.equal(many?.title, "12 questions: unknown error");
  assert.equal(many?.lines.length, 9);
  assert.equal(many?.lines.at(-1), "and 4 more");
  assert.equal(many?.url, undefined);
  const [end] = noticesOf(ended("verified"));
  assert.ok(end !== undefined);
  assert.equal(messageOf([end], { publicUrl: "http://x" })?.url, "http://x/runs/r1");
  assert.equal(messageOf([]), undefined);
  const both = [end, { ...end, run: "r 2", id: "r 2/2" }];
  assert.equal(messageOf(both.slice(1), { publicUrl: "http://x" })?.url, "http://x/runs/r%202");
  const ends = messageOf(both, { publicUrl: "http://x" });
  assert.deepEqual([ends?.url, ends?.title], ["http://x", "2 notices: verified"]);
  assert.deepEqual(ends?.lines, [
    "shop, run r1: The run is done, and its checks pass",
    "shop, run r 2: The run is done, and its checks pass",
  ]);
});

test("details stand in brackets where they may be sent; without leave all else is still there", () => {
  const [notice] = noticesOf(opened({ question: "Which port?" }));
  assert.ok(notice?.details === "Which port?");
  const line = "shop, run r1: a needs you: unknown error";
  const { details: _, ...bare } = notice;
  const quiet = messageOf([notice]);
  assert.deepEqual([quiet?.lines, quiet?.notices], [[line], [bare]]);
  const open = messageOf([notice], { details: true });
  assert.deepEqual([open?.lines, open?.notices], [[`${line} (Which port?)`], [notice]]);
  for (const empty of [bare, { ...bare, details: "" }])
    assert.deepEqual(messageOf([empty], { details: true })?.lines, [line]);
});

test("a notice is as old as the latest input before it, and names its subtask or the run", () => {
  const earlier = { kind: "received", input: { kind: "stop-requested", at: T0 - 5 } };
  const { subtask: _, ...ofRun } = checkpoint("a");
  const told = noticesOf(
    opened(),
    { kind: "received", input: { kind: "stop-requested", at: T0 + 5 } } as unknown as RunEvent,
    earlier as unknown as RunEvent,
    { kind: "checkpoint-opened", checkpoint: ofRun },
    { kind: "budget-warned", of: "run", measure: "usd", spent: 4, limit: 5 },
    { kind: "budget-warned", of: "subtask", subtask: "a", measure: "usd", spent: 4, limit: 5 },
  );
  assert.deepEqual(
    told.map(({ at }) => at - T0),
    [0, 5, 5, 5],
  );
  assert.match(told[1]?.words ?? "", /^The run needs you: /);
  assert.match(told[2]?.words ?? "", /^The budget of the run is running low: /);
  assert.match(told[3]?.words ?? "", /^The budget of a is running low: /);
});

test("quiet hours", () => {
  const hours = (from: string, to: string) => ({ from, to, except: ["critical"] as const });
  const rows: readonly [from: string, to: string, at: string, left: number][] = [
    ["22:00", "07:00", "21:59", 0],
    ["22:00", "07:00", "22:00", 540],
    ["22:00", "07:00", "23:30", 450],
    ["22:00", "07:00", "06:59", 1],
    ["22:00", "07:00", "07:00", 0],
    ["12:00", "13:00", "12:15", 45],
    ["12:00", "13:00", "13:00", 0],
    ["12:00", "12:00", "12:00", 0],
  ];
  for (const [from, to, at, left] of rows) {
    const [hour = 0, minute = 0] = at.split(":").map(Number);
    assert.equal(
      quietFor(hours(from, to), "question", hour * 60 + minute),
      left,
      `${from}-${to} ${at}`,
    );
    assert.equal(quietFor(hours(from, to), "critical", hour * 60 + minute), 0);
  }
});
