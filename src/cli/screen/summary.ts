/**
 * The end of a run as lines: what came of each subtask, what it took, and what to do next. Invariants: no line
 * wider than the screen; without colours nothing is missing.
 */
import { count, duration, spending, type Line, type Style } from "../../operations/text.ts";
import { fitted, padToWidth, textWidth, wrapped } from "./line.ts";
import type { RunView } from "../../operations/runs/run-lines.ts";
import type { SubtaskView } from "../../operations/runs/run-view.ts";
import { LOOKS, nameWidth, rowStart, timeOf } from "./tree.ts";

/** More than these are counted, not listed. */
const LISTED_MAX = 200;
const STATE_WIDTH = 10;
/** Sign, gaps, tries and time. */
const WIDTH_BESIDE = 22;
/** What happened to one subtask takes no more lines than this. */
const STORY_LINES = 4;
/** Of alerts, and of questions. */
const MOST_TOLD = 10;

export function summaryLines(view: RunView, columns: number, time: number): readonly Line[] {
  const now = view.endedAt ?? time;
  const listed = view.subtasks.slice(0, LISTED_MAX);
  const hidden = view.subtasks.length - listed.length;
  const names = nameWidth(listed, columns);
  const header = `   ${padToWidth("subtask", names)}  ${padToWidth("state", STATE_WIDTH)}  tries    time  what happened`;
  return [
    ruler(view, columns),
    [[header, "dim"] as const],
    ...listed.flatMap((subtask) => rowLines(subtask, names, columns, now)),
    ...(hidden === 0 ? [] : [[[`   … and ${hidden} more: unstuck status ${view.run}`]] as Line]),
    [],
    ...totals(view, columns, now),
    ...next(view),
  ].map((line) => fitted(line, columns));
}

function ruler(view: RunView, columns: number): Line {
  const [word, style] = verdict(view);
  const title = ` run ${view.run}: `;
  const rest = columns - 2 - textWidth(title) - textWidth(word) - 1;
  return [
    ["──", "dim"],
    [title, "bold"],
    [word, style],
    [` ${"─".repeat(Math.max(0, rest))}`, "dim"],
  ];
}

function verdict({ outcome, needsPerson, pausedBy }: RunView): readonly [string, Style] {
  if (pausedBy !== undefined)
    return [`paused by ${pausedBy === "user" ? "you" : "the system"}`, "yellow"];
  if (outcome === undefined)
    return needsPerson ? ["waits for a person", "yellow"] : ["not finished", "yellow"];
  const good = outcome.kind === "verified";
  return [outcome.kind, good ? "green" : outcome.kind === "failed" ? "red" : "yellow"];
}

function rowLines(subtask: SubtaskView, names: number, columns: number, now: number): Line[] {
  const { phase, attempts, endedAt, story, notes, parked, after } = subtask;
  const blocked = phase === "blocked" ? `by ${after.join(", ")}` : "";
  const gaveUp = phase === "stuck" || phase === "skipped" ? (parked ?? "") : "";
  const silent = subtask.unanswered ?? "";
  const failed = ["asking", "stuck", "skipped"].includes(phase) ? (subtask.failure ?? "") : "";
  const parts = [failed, story, blocked, gaveUp, silent].filter((part) => part !== "");
  // Only a pause leaves an attempt without a story.
  const smooth = attempts > 1 ? "went on after a pause" : "first try";
  const past = parts.length === 0 && endedAt !== undefined ? [smooth] : parts;
  const before = names + STATE_WIDTH + WIDTH_BESIDE;
  const [first = "", ...more] = wrapped(
    [...notes, ...past].join("; "),
    Math.max(10, columns - before),
  );
  return [
    [
      ...rowStart(subtask, names),
      [padToWidth(phase, STATE_WIDTH), LOOKS[phase].style],
      [`  ${String(attempts).padStart(5)}  ${timeOf(subtask, now).padStart(6)}  ${first}`],
    ],
    ...shortened(more).map((line): Line => [[" ".repeat(before) + line]]),
  ];
}

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length < STORY_LINES
    ? lines
    : [...lines.slice(0, STORY_LINES - 2), "… unstuck explain tells the rest"];

function totals(view: RunView, columns: number, now: number): Line[] {
  const sum = (of: (subtask: SubtaskView) => number): number =>
    view.subtasks.reduce((all, subtask) => all + of(subtask), 0);
  const uncounted = sum((subtask) => subtask.uncounted);
  const attempts = sum((subtask) => subtask.attempts);
  const facts = [
    count(view.subtasks.length, "subtask"),
    `${count(attempts, "attempt")}${uncounted === 0 ? "" : ` (${uncounted} uncounted)`}`,
    count(
      sum((subtask) => subtask.recoveries),
      "recovery",
      "recoveries",
    ),
    duration(now - view.startedAt),
    ...spending(view, ["usd", "tokens"]),
  ];
  const reason = view.outcome?.reason;
  return [
    ...wrapped(`   ${facts.join(" · ")}`, Math.max(20, columns)).map((line): Line => [[line]]),
    ...(reason === undefined ? [] : [[["   "], [reason]] as Line]),
  ];
}

function next(view: RunView): Line[] {
  const { run, outcome, needsPerson } = view;
  const open = [
    ...(view.question === undefined ? [] : [view.question]),
    ...view.subtasks.flatMap(({ question }) => question ?? []),
  ];
  const alerts = view.subtasks.flatMap(({ id, alert }): Line[] =>
    alert === undefined ? [] : [[[` ! ${id}`, "red"], [`  ${alert}`]]],
  );
  const questions = open
    .slice(0, MOST_TOLD)
    .map(({ id, question }): Line => [[` ? ${id}`, "yellow"], [`  ${question}`]]);
  const told = [...alerts.slice(0, MOST_TOLD), ...questions];
  const pairs: (readonly [string, string])[] = [];
  if (outcome === undefined) {
    if (open.length > 0) pairs.push(["answer", "unstuck review"]);
    pairs.push([needsPerson ? "then" : "go on", `unstuck resume ${run}`]);
  } else if (view.inPlace) {
    pairs.push(["result", "in this checkout"], ["undo", `unstuck undo ${run}`]);
  } else {
    pairs.push(["result", `branch unstuck/${run}`]);
    if (outcome.kind === "verified" || outcome.kind === "unverified")
      pairs.push(["take it", `unstuck apply ${run}`]);
    const open = view.subtasks.find(
      ({ phase, notes }) => phase === "unverified" && notes.length > 0,
    );
    if (outcome.kind === "unverified" && open !== undefined)
      pairs.push(["try on", `unstuck resume ${run} --retry ${open.id}`]);
  }
  pairs.push(["look", `unstuck diff · unstuck report · unstuck explain`]);
  return [
    ...(told.length === 0 ? [] : [[] as Line, ...told]),
    [],
    ...pairs.map(([label, words]): Line => [
      [`   ${label.padEnd(9)}`, "dim"],
      [words, "bold"],
    ]),
  ];
}
