// What a reader sees on the HTML report: what is there and what is left out, and where the bars stand.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportPage, type ReportPage } from "../../../src/core/report/html/report-page.ts";
import type { PastAttempt, SubtaskPast } from "../../../src/core/history/run-history.ts";
import type { ReportedSubtask } from "../../../src/core/report/escalation-report.ts";
import type { TimeSpan } from "../../../src/core/report/time-spans.ts";
import { T0 } from "../../cli/terminal/events.ts";
import { pageOf } from "./page-fixture.ts";

const WHOLE = pageOf("wrong sum", { subtask: "add" });

/** The texts on the page, one a line, without its drawings. */
function seen(page: ReportPage): string {
  const text = reportPage(page);
  return text
    .slice(text.indexOf("<body>"))
    .replace(/<svg[^]*?<\/svg\s*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/\s*\n\s*/g, "\n");
}

const attempt = (number: number, more: Partial<PastAttempt> = {}): PastAttempt => ({
  ...{ attempt: number, session: 1, approach: "", counted: true, failing: [], used: {} },
  ...{ succeeded: false, startedAt: T0, endedAt: T0 + 1000 },
  ...more,
});
const subtask = (
  id: string,
  attempts: readonly PastAttempt[],
  more: Partial<ReportedSubtask> = {},
): ReportedSubtask => {
  const times = attempts.map(({ endedAt = T0 }) => endedAt);
  const past: SubtaskPast = {
    ...{ id, events: [], questions: [] },
    ...(attempts.length === 0 ? {} : { startedAt: T0, endedAt: Math.max(...times) }),
    attempts: new Map(attempts.map((one) => [one.attempt, one])),
  };
  return { id, phase: "verified", past, dependsOn: [], blocks: [], files: [], ...more };
};
const pageWith = (
  subtasks: readonly ReportedSubtask[],
  more: Partial<ReportPage> = {},
): ReportPage => ({
  ...{ state: "verified", sentence: "All is well.", checks: [], spent: [], decisions: [] },
  ...{ startedAt: T0, endedAt: T0 + 1000, madeAt: T0, spans: [], attemptDiffs: new Map() },
  run: { ...WHOLE.run, run: "r1", goal: "Add up", questions: [], subtasks },
  ...more,
});

test("a page has only the sections there is something for", () => {
  const titles = (page: ReportPage): readonly string[] =>
    [...reportPage(page).matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title = ""]) => title);
  assert.deepEqual(titles(WHOLE), [
    ...["Needs you", "Timeline", "Figures", "Checks", "Subtasks", "What changed"],
  ]);
  assert.deepEqual(titles(pageWith([])), ["Subtasks"]);
  assert.deepEqual(titles(pageWith([subtask("a", [])])), ["Timeline", "Subtasks"]);
});

test("the head says how it stands, in numbers too; without a goal it is the run's name", () => {
  const done = subtask("a", [attempt(1), attempt(2, { succeeded: true })]);
  const open = subtask("b", [attempt(1)], { phase: "stuck" });
  const page = pageWith([done, open, subtask("c", [], { phase: "answered" })]);
  assert.match(
    seen(page),
    /^\nUnstuck report\nAdd up\nverified\nAll is well\.\nSubtasks done\n2 of 3\nAttempts\n3\nTime\n4s\nSpent\nnothing\nStarted\n2026-01-01 12:00 UTC\nLast event\n2026-01-01 12:00 UTC\nTimeline\n/,
  );
  assert.match(
    seen(pageWith([], { spent: ["$1.50", "9 minutes"], branch: "unstuck/r1" })),
    /\nSpent\n\$1\.50, 9 minutes\n[^]*\nBranch\nunstuck\/r1\n/,
  );
  const nameless = { ...page, run: { ...page.run, goal: "" } };
  assert.match(reportPage(nameless), /<title>verified: r1<\/title>[^]*<h1>r1<\/h1>/);
  const tone = (state: string): string =>
    /class="pill (\w+)"/.exec(reportPage({ ...page, state }))?.[1] ?? "";
  assert.deepEqual(
    ["verified", "failed", "needs you", "running", "not verified", "failed over"].map(tone),
    ["good", "bad", "bad", "plain", "plain", "plain"],
  );
});

test("a subtask shows its state, time, what it waits for, its attempts with recovery, model and cost, and its story", () => {
  const checks = { ...WHOLE.run.subtasks[0]?.past.attempts.get(1)?.failure };
  assert.ok("kind" in checks);
  const failure = checks as NonNullable<PastAttempt["failure"]>;
  const decisions = [
    { said: "It tried again.", evidence: ["1 != 2", "3 != 4"] },
    {
      said: "It asked.",
      others: [{ option: "wait", why: "no use" }],
      belief: [{ cause: "misread", share: 0.625 }],
    },
    {},
  ].map((told, seq) => ({
    ...{ seq, subtask: "b", decision: "d", seen: [], considered: [], why: "w" },
    ...told,
  }));
  const entry = { agent: "scout", tier: 1 };
  const text = seen(
    pageWith(
      [
        subtask("a", []),
        subtask(
          "b",
          [
            attempt(1, { failure, error: "1 != 2", approach: "by hand", entry }),
            attempt(2, {
              recovery: "fresh",
              entry: { ...entry, model: "large" },
              used: { usd: 0.5 },
            }),
            attempt(3, { succeeded: true, error: "not shown" }),
          ],
          { phase: "asking", dependsOn: ["a"], files: ["x.ts", "y.ts"] },
        ),
      ],
      { decisions, attemptDiffs: new Map([["b/2", { text: "+two", cut: false }]]) },
    ),
  );
  assert.match(
    text,
    /\nSubtasks\na\nverified\nb\nneeds you\n1s\nafter a\n1\. checks failed · scout\n2\. not judged · [^\n·]+ · large · \$0\.50\n3\. passed\nIt tried again\.\n1 != 2\n3 != 4\nIt asked\.\nWhy this, and what else there was\nmisread: 63 %\ninstead of: wait \(no use\)\nAttempt 1: by hand\n1 != 2\nAttempt 2: [^\n]*\n\+two\nFiles: x\.ts, y\.ts\nRun r1 · written 2026-01-01 12:00 UTC\n$/,
  );
});

test("a subtask's colour says what its word says", () => {
  const pills = (phase: ReportedSubtask["phase"]): string =>
    [
      ...reportPage(pageWith([subtask("a", [], { phase })])).matchAll(
        /class="pill (\w+)">([^<]*)</g,
      ),
    ]
      .slice(1)
      .map(([, tone, word]) => `${word}: ${tone}`)
      .join();
  assert.deepEqual(
    (["verified", "unverified", "stuck", "asking", "running", "skipped"] as const).map(pills),
    [
      ...["verified: good", "unverified: plain", "given up: bad", "needs you: bad"],
      ...["running: plain", "skipped: plain"],
    ],
  );
});

test("of very much the first is shown, and how much is left out is said", () => {
  const many = Array.from({ length: 203 }, (_, n) =>
    subtask(`s${n}.`, [attempt(1, { endedAt: T0 + n + 1 })]),
  );
  const checks = many.map(({ id }) => ({ check: `check ${id}`, verdict: "passed", words: "" }));
  const text = reportPage(pageWith(many, { checks }));
  assert.ok(text.includes("<h3>s199.</h3>") && !text.includes("<h3>s200.</h3>"));
  assert.ok(text.includes("check s199.") && !text.includes("check s200."));
  assert.ok(text.includes("3 more subtasks are left out."));
  assert.match(text, /Agent time by subtask, the 12 largest of 203/);
  const decisions = Array.from({ length: 150 }, (_, seq) => ({
    ...{
      seq,
      subtask: "a",
      decision: "d",
      seen: [],
      considered: [],
      why: "w",
      said: `said ${seq}.`,
    },
  }));
  const story = reportPage(pageWith([subtask("a", [])], { decisions }));
  assert.ok(
    !story.includes("said 49.") && story.includes("said 50.") && story.includes("said 149."),
  );
});

test("the axis is marked at its quarters, and a diff keeps its lines", () => {
  const diff = { text: "+one\n+two\n", cut: false };
  const text = reportPage(pageWith([subtask("a", [])], { endedAt: T0 + 40_000, diff })).replace(
    /\s+/g,
    " ",
  );
  assert.deepEqual(
    [...text.matchAll(/x="([\d.]+)" y="14" text-anchor="(\w+)" ?>([^<]*)</g)].map((found) =>
      found.slice(1),
    ),
    [
      ["170.0", "start", "0s"],
      ["367.5", "middle", "10s"],
      ["565.0", "middle", "20s"],
      ["762.5", "middle", "30s"],
      ["960.0", "end", "40s"],
    ],
  );
  assert.equal(text.match(/<span class="\w+">\+(?:one|two)<\/span>/g)?.length, 2);
});

const NUMBER = String.raw`([\d.]+)`;

test("every bar of the timeline lies within the axis, can be seen, and stands in its subtask's row", () => {
  const at = fc.integer({ min: -500, max: 1500 }).map((ms) => T0 + ms);
  const bar = new RegExp(
    `<rect\\s+class="(?:pass|open|wait|question)"\\s+x="${NUMBER}"\\s+width="${NUMBER}"\\s+y="${NUMBER}"[^>]*><title>(?:attempt|waits for:|asks you:) ${NUMBER}`,
    "g",
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(at, at, fc.boolean()), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (times, ofRun) => {
        const subtasks = times.map(([from, to, succeeded], index) =>
          subtask(`s${index}`, [
            attempt(index + 1, { startedAt: from, endedAt: Math.max(from, to), succeeded }),
          ]),
        );
        const spans: TimeSpan[] = [
          ...times.map(([from], index): TimeSpan => ({
            kind: "wait",
            subtask: `s${index}`,
            from,
            words: `${index + 1}`,
          })),
          ...(ofRun ? [{ kind: "question", from: T0, words: "0" } as const] : []),
          { kind: "wait", subtask: "unknown", from: T0, words: "9" },
        ];
        const text = reportPage(pageWith(subtasks, { spans })).replace(/\s+>/g, ">");
        const bars = [...text.matchAll(bar)].map((found) => found.slice(1).map(Number));
        assert.equal(bars.length, 2 * times.length + (ofRun ? 1 : 0));
        const axis = text.slice(text.indexOf('aria-label="Timeline'), text.indexOf("</svg"));
        const names = [...axis.matchAll(/<text x="0" y="(\d+)">([^<]*)</g)].map(([, y, name]) => [
          ...[Math.floor((Number(y) - 28) / 26), name],
        ]);
        const rows = [...(ofRun ? ["(the run)"] : []), ...subtasks.map(({ id }) => id)];
        assert.deepEqual(
          names,
          rows.map((name, row) => [row, name]),
        );
        for (const [x = NaN, width = NaN, y = NaN, number = NaN] of bars) {
          assert.ok(x >= 170 && width >= 3 && x + width <= 960.1, `${x} ${width}`);
          assert.equal(Math.floor((y - 28) / 26), number - (ofRun ? 0 : 1));
          const [from, to] = times[number - 1] ?? [T0, T0 + 1000];
          const share = Math.min(1, Math.max(0, (from - T0) / 1000));
          assert.ok(Math.abs(x - Math.min(957, 170 + 790 * share)) < 0.1, `${x} for ${from - T0}`);
          if (y % 26 === (28 + 2) % 26) {
            const end = 170 + 790 * Math.min(1, Math.max(0, (Math.max(from, to) - T0) / 1000));
            assert.ok(Math.abs(width - Math.max(3, end - x)) < 0.2, `${width} to ${to - T0}`);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("figures are in proportion, the largest first, and what is nothing has no bar", () => {
  const money = [0, 3, 1, 2].map((usd, index) =>
    subtask(`s${index}`, [attempt(1, { used: { usd } }), attempt(2, { used: {} })]),
  );
  const text = reportPage(pageWith(money)).replace(/\s+/g, " ");
  const chart = /aria-label="Money by subtask" > (.*?)<\/svg>/.exec(text)?.[1] ?? "";
  assert.deepEqual(
    [
      ...chart.matchAll(
        /y="(\d+)">(s\d)<\/text ?><rect class="bar" x="170" y="(\d+)" width="([\d.]+)".*?<text x="([\d.]+)" y="(\d+)" ?>(\$[\d.]+)</g,
      ),
    ].map((found) => found.slice(1)),
    [
      ["16", "s1", "4", "680.0", "858.0", "16", "$3.00"],
      ["40", "s3", "28", "453.3", "631.3", "40", "$2.00"],
      ["64", "s2", "52", "226.7", "404.7", "64", "$1.00"],
    ],
  );
});
