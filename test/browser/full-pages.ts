/**
 * What a server would answer of a busy month: runs in every state, a run of 500 subtasks, one with waits, an incident and
 * questions, an inbox with every kind of question, and what was learned. Made with the core's own words where it has them.
 */
import { makeFailure } from "../../src/core/failure.ts";
import { questionWords } from "../../src/core/report/question-words.ts";
import type { Checkpoint } from "../../src/core/run/checkpoint.ts";
import {
  baseProblems,
  budgetUsedUp,
  hiccup,
  permissionQuestion,
} from "../../src/core/run/make-checkpoint.ts";
import { RUN_STATES } from "../../src/operations/status/run-state.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.now();

const TITLES = [
  "Move the session store to Redis, with a migration that can be undone",
  "Make the login page work without cookies",
  "Fix the flaky test of the importer",
  "Rename customer to account everywhere: code, database, documents, and the messages that people get by mail",
];

const listed = (state: string, index: number) => ({
  ...{ id: `20260101-0000-${index.toString(16).padStart(6, "0")}`, name: `${index}`, state },
  ...{ title: TITLES[index % TITLES.length], phase: "started", here: true, alive: false, seq: 9 },
  ...{ questions: state === "needs you" ? 2 : 0, applied: index % 2 === 1, folderIsGone: false },
  ...(state === "waiting" ? { waitsUntil: new Date(NOW + 40 * MINUTE).toISOString() } : {}),
  ...{ repository: `/srv/${["shop", "billing-service", "docs"][index % 3]}`, next: [] },
  ...(state === "not started" ? {} : { progress: { done: index % 8, subtasks: 7 } }),
  cost: {
    amount: index % 4 === 3 ? null : index * 1.37,
    known: index % 3 > 0,
    told: 2,
    attempts: 3,
  },
  created: NOW - index * index * 47 * MINUTE,
  changed: NOW - index * index * 47 * MINUTE + (index % 5) * HOUR,
});

export const LIST = {
  runs: [...RUN_STATES, "verified", "verified", "failed", "running"].map(listed),
  ...{ all: true, inside: true, older: 0, elsewhere: "" },
};

const PHASES = ["verified", "verified", "verified", "running", "waiting", "stuck", "pending"];
const wide = (index: number) => ({
  ...{ id: `part-${index}`, prompt: "Move it", story: "", waits: [], attempts: [] },
  phase: index < 300 ? PHASES[index % 6] : "pending",
  dependsOn: index < 25 ? [] : [`part-${index - 25}`, `part-${(index * 7) % 25}`],
});

const T0 = NOW - 2 * HOUR;
const STANDING = { startedAt: T0, at: NOW, stopped: false, ended: false, paused: false };

export const LARGE_RUN = {
  ...{ run: "large", goal: "Move 500 modules to the new API", ...STANDING },
  subtasks: Array.from({ length: 500 }, (_, index) => wide(index)),
  ...{ questions: [], incidents: [] },
};

interface Tried {
  readonly from: number;
  readonly to?: number;
  readonly failed?: string;
  readonly recovery?: string;
}

const attempts = (all: readonly Tried[]) =>
  all.map(({ from, to, failed, recovery }, index) => ({
    ...{ attempt: index + 1, agent: "claude", model: index > 1 ? "large" : "small" },
    ...{
      startedAt: T0 + from * MINUTE,
      used: { usd: 0.4 + index },
      ...(recovery ? { recovery } : {}),
    },
    ...(to === undefined ? {} : { endedAt: T0 + to * MINUTE }),
    ...(failed === undefined
      ? {}
      : { failure: { name: failed, words: `${failed}: as it was printed` } }),
    succeeded: to !== undefined && failed === undefined,
  }));

const subtask = (
  id: string,
  phase: string,
  all: readonly Tried[],
  more: {
    readonly after?: readonly string[];
    readonly waits?: readonly (readonly [number, number])[];
  } = {},
) => ({
  ...{ id, phase, prompt: `Do what ${id} needs.`, story: "" },
  ...{ dependsOn: more.after ?? [], attempts: attempts(all) },
  waits: (more.waits ?? []).map(([from, until]) => ({
    ...{ from: T0 + from * MINUTE, until: T0 + until * MINUTE, reason: "rate limited" },
  })),
});

const asked = (id: string, of: string, from: number, to?: number) => ({
  ...{ id, subtask: of, also: [], question: `What should ${of} do?`, askedAt: T0 + from * MINUTE },
  ...(to === undefined ? {} : { closedAt: T0 + to * MINUTE, answer: "You: retry" }),
});

export const BUSY_RUN = {
  ...{ run: "busy", goal: "Move the session store to Redis", ...STANDING },
  subtasks: [
    subtask("read-the-old-store", "verified", [{ from: 2, to: 14 }]),
    subtask(
      "write-the-new-store",
      "verified",
      [
        { from: 15, to: 21, failed: "rate limited" },
        { from: 48, to: 63, failed: "checks failed" },
        { from: 64, to: 78, recovery: "sent the failing output back" },
      ],
      { after: ["read-the-old-store"], waits: [[21, 48]] },
    ),
    subtask(
      "migrate",
      "asking",
      [
        { from: 15, to: 20, failed: "rate limited" },
        { from: 48, to: 70, failed: "no progress" },
        { from: 72, to: 91, failed: "no progress", recovery: "switched to a stronger model" },
      ],
      { after: ["read-the-old-store"], waits: [[20, 48]] },
    ),
    subtask("documents", "running", [{ from: 84, to: 96, failed: "timed out" }, { from: 97 }], {
      after: ["write-the-new-store"],
    }),
    subtask("remove-the-old-store", "blocked", [], { after: ["migrate", "documents"] }),
  ],
  questions: [asked("w/c1", "write-the-new-store", 63, 64), asked("m/c1", "migrate", 91)],
  incidents: [
    {
      ...{ name: "rate limited", from: T0 + 20 * MINUTE, until: T0 + 48 * MINUTE },
      subtasks: ["write-the-new-store", "migrate"],
    },
  ],
};

const base = { goal: "Move the session store to Redis", blocks: ["docs"], blocksCount: 1 };
const failed = (kind: Parameters<typeof makeFailure>[0]["kind"]) =>
  makeFailure({ kind, origin: "agent", because: [kind] });
const about = (id: string, subtask: string) => ({
  ...base,
  id: `${subtask}/${id}`,
  subtask,
  agent: "claude",
});
const call = { tool: "Bash", command: "npm install ioredis@5 --save-exact" };

const CHECKPOINTS: readonly Checkpoint[] = [
  {
    ...hiccup({
      ...{ ...about("c1", "migrate"), failure: failed("auth_expired"), attempts: 1 },
      ...{ error: "401: the token has expired", cause: "auth_expired claude" },
    }),
    also: ["documents", "remove-the-old-store"],
  },
  hiccup({
    ...{ ...about("c2", "migrate"), failure: failed("circular_fix"), attempts: 4, best: 2 },
    ...{ error: "4 attempts left the same 3 tests failing", ways: ["fresh", "stronger-model"] },
    expiresAt: NOW + 5 * HOUR,
  }),
  hiccup({
    ...{ ...about("c1", "documents"), failure: failed("unknown"), attempts: 1 },
    ...{ error: "I have a question.", asks: "Should the guide name the old store at all?" },
  }),
  hiccup({
    ...{ ...about("c1", "write-the-new-store"), failure: failed("unknown"), attempts: 1 },
    ...{ error: "not allowed", refused: [call] },
  }),
  permissionQuestion({
    ...{ id: "documents/p1", subtask: "documents", goal: base.goal, attempts: 2, call },
    ...{ waiting: { attempt: 2, request: 1 }, expiresAt: NOW + 4 * MINUTE },
  }),
  baseProblems({
    ...{ id: "c0", goal: base.goal },
    problems: [
      {
        ...{ check: "npm run lint", why: "eslint is not installed" },
        mend: "Install what it needs: npm ci",
      },
    ],
  }),
  budgetUsedUp({
    ...{ id: "c9", goal: base.goal, measure: "usd", of: "run", attempts: 11 },
    ...{
      ledger: { spent: { usd: 9.7, attempts: 11 }, untold: {}, reserved: {} },
      limit: { usd: 10 },
    },
  }),
];

const RUN = "20260101-0000-aaaaaa";

export const INBOX = {
  questions: CHECKPOINTS.map((checkpoint, index) => ({
    ...{ ...checkpoint, run: RUN, repository: "/srv/shop" },
    ...{ words: questionWords(checkpoint, RUN), askedAt: NOW - (90 - 12 * index) * MINUTE },
    evidence: {
      lines: (checkpoint.context.asks ?? checkpoint.context.error).split("\n"),
      keep: "first",
    },
  })),
  ...{ all: true, elsewhere: 0 },
};

export const AGENT_QUESTIONS = [
  {
    ...{
      id: "q1",
      question: "Keep the old endpoint for a release?",
      options: ["Keep it", "Remove it"],
    },
    ...{ askedAt: new Date(NOW - 3 * MINUTE).toISOString(), cwd: "/srv/shop" },
  },
];

export const METRICS = {
  ...{ runs: 48, recovery_triggers: 61, recovery_success: 52, recovery_iterations: 133 },
};

const move = (symptom: string, name: string, tried: number, worked: number, prior: number) => ({
  ...{ symptom, move: name, tierStep: 0, agent: "claude", here: { tried, worked }, prior },
  ...{ elsewhere: { tried: 0, worked: 0 }, posterior: (prior * 4 + worked) / (4 + tried) },
});

export const STATS = {
  ...{ repository: "/srv/shop", never: [], lessons: 2 },
  moves: [
    move("verification_failed", "feedback", 31, 24, 0.55),
    move("verification_failed", "escalate", 9, 7, 0.6),
    move("circular_fix", "mutate", 6, 2, 0.3),
    move("broken_build", "fresh", 5, 5, 0.5),
  ],
  calibration: [0.15, 0.35, 0.55, 0.75, 0.9].map((said) => ({
    ...{ from: said - 0.1, to: said + 0.1, said, worked: said * 0.93, cases: 12 },
  })),
};

const lesson = (id: string, kind: string, summary: string, recovery?: string) => ({
  ...{ id, kind, summary, error: summary, files: [], overcome: 3, told: 1, held: 1 },
  ...(recovery === undefined ? {} : { recovery }),
  ...{ at: new Date(NOW - 30 * HOUR).toISOString(), expires: new Date(NOW + HOUR).toISOString() },
});

export const MEMORY = {
  repository: "/srv/shop",
  lessons: [
    lesson(
      "l1",
      "verification_failed",
      "The clock of the tests stands still: advance it by hand",
      "feedback",
    ),
    lesson(
      "l2",
      "timeout",
      "The importer reads the whole file before it answers; with a large one it never gets there in time",
    ),
  ],
};

const agent = (name: string, title: string, version: string) => ({
  ...{ agent: name, title, version, loginMark: "logged in", namesCost: name === "claude" },
});

export const AGENTS = {
  agent: agent("claude", "Claude Code", "2.1.0"),
  others: [agent("codex", "Codex", "0.61.0")],
};

export const FOUND = {
  repository: "/srv/shop",
  checks: [
    { run: "npm test", from: "package.json" },
    { run: "npm run lint", from: "package.json" },
  ],
  budget: { usd: 10, attempts: 30, minutes: 240 },
};
