/**
 * The live tree of a run as lines. Pure: the same view, size and time give the same lines. Invariants: no line is wider
 * than the screen, and no more lines than rows; states are words, so colours may be missing; subtasks that need a
 * person or are in progress come before those that are done or have not begun.
 */
import type { Line, Style } from "../../operations/text.ts";
import { count, duration, spending, waitText } from "../../operations/text.ts";
import { fitted, padToWidth, plain, textWidth, wrapped } from "./line.ts";
import type { Phase, RunView } from "../../operations/follow/run-lines.ts";
import type { SubtaskView } from "../../operations/follow/run-view.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Look {
  readonly sign: string;
  readonly style: Style;
  /** A smaller rank is shown first if there is not enough space for all. */
  readonly rank: number;
}

export const LOOKS: { readonly [phase in Phase]: Look } = {
  asking: { sign: "?", style: "yellow", rank: 0 },
  running: { sign: "▸", style: "cyan", rank: 1 },
  waiting: { sign: "◔", style: "cyan", rank: 2 },
  stuck: { sign: "✗", style: "red", rank: 3 },
  skipped: { sign: "-", style: "yellow", rank: 4 },
  blocked: { sign: "-", style: "yellow", rank: 5 },
  unverified: { sign: "~", style: "yellow", rank: 6 },
  answered: { sign: "→", style: "green", rank: 6 },
  verified: { sign: "✓", style: "green", rank: 6 },
  pending: { sign: "·", style: "dim", rank: 7 },
};

const NAME_MIN = 7;
const NAME_MAX = 24;
const STATE_WIDTH = 10;

const nameWidth = (subtasks: readonly SubtaskView[], columns: number): number => {
  const most = Math.max(NAME_MIN, Math.min(NAME_MAX, Math.floor(columns / 4)));
  const widest = subtasks.reduce((max, { id }) => Math.max(max, textWidth(id)), NAME_MIN);
  return Math.min(most, widest);
};

/** `canPress`: questions can be answered right here. */
export function treeLines(
  view: RunView,
  { columns, rows }: Size,
  time: number,
  canPress = false,
): readonly Line[] {
  const now = view.endedAt ?? time;
  const head = headLines(view, columns, now);
  const foot = footLines(view, canPress);
  const room = Math.max(1, rows - head.length - foot.length);
  const chosen = mostUrgent(view.subtasks, room);
  const names = nameWidth(chosen, columns);
  const body = chosen.flatMap((subtask) => subtaskLines(subtask, names, now));
  const hidden = view.subtasks.filter((subtask) => !chosen.includes(subtask));
  const more: Line[] = hidden.length === 0 ? [] : [[[`  … and ${tally(hidden)}`, "dim"]]];
  return [...head, ...body, ...more, ...foot].map((line) => fitted(line, columns)).slice(0, rows);
}

function headLines(view: RunView, columns: number, now: number): Line[] {
  const time = duration(now - view.startedAt);
  const facts = [tally(view.subtasks), time, ...spending(view)];
  return [
    [[`run ${view.run}`, "bold"], [view.title === "" ? "" : `  ${view.title}`]],
    [[`  ${facts.join(" · ")}`, "dim"]],
    ...view.unheld
      .flatMap((words) => wrapped(`  ${words}`, columns))
      .map((words): Line => [[words, "yellow"]]),
    ...(view.doing === undefined ? [] : [[[` ▸ ${view.doing}`, "cyan"]] as Line]),
  ];
}

function footLines(view: RunView, canPress: boolean): Line[] {
  if (view.phase === "ending") return [[["  ending"]]];
  if (view.phase === "pausing") return [[["  Stopping... press Ctrl-C again to force quit"]]];
  const open = view.subtasks.filter(({ question }) => question !== undefined).length;
  const questions = open + (view.question === undefined ? 0 : 1);
  if (questions === 0) return [];
  const how = canPress ? "press a to answer" : "unstuck review";
  const words = `${count(questions, "question")} for you: ${how}`;
  if (!view.needsPerson) return [[[`  ${words}`, "yellow"]]];
  const all = canPress ? `${words}, q to answer later` : `nothing else can continue; ${words}`;
  return [[[`  ${all}`, "yellow"]]];
}

/** As many as fit, in plan order; space for the steps of running ones is reserved. */
function mostUrgent(subtasks: readonly SubtaskView[], room: number): readonly SubtaskView[] {
  const needed = subtasks.reduce((sum, subtask) => sum + height(subtask), 0);
  if (needed <= room) return subtasks;
  const chosen = new Set<SubtaskView>();
  let left = room - 1;
  const ranked = subtasks.toSorted((a, b) => LOOKS[a.phase].rank - LOOKS[b.phase].rank);
  for (const subtask of ranked) {
    if (height(subtask) > left) break;
    left -= height(subtask);
    chosen.add(subtask);
  }
  return subtasks.filter((subtask) => chosen.has(subtask));
}

const height = ({ running, alert }: SubtaskView): number =>
  1 +
  (alert === undefined ? 0 : 1) +
  running.filter(({ step, branch }) => step !== "" || branch !== undefined).length;

function tally(subtasks: readonly SubtaskView[]): string {
  const counts = new Map<Phase, number>();
  for (const { phase } of subtasks) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => LOOKS[a].rank - LOOKS[b].rank)
    .map(([phase, number]) => `${number} ${phase}`)
    .join(", ");
}

/** The start of a row: its sign, and its name in a fixed number of columns. */
function rowStart({ id, phase }: SubtaskView, names: number): Line {
  const { sign, style } = LOOKS[phase];
  return [[` ${sign} `, style], [`${padToWidth(plain(fitted([[id]], names)), names)}  `]];
}

/** How long it took, or has taken so far. */
const timeOf = ({ startedAt, endedAt, tookMs }: SubtaskView, now: number): string =>
  startedAt === undefined ? "" : duration(tookMs ?? (endedAt ?? now) - startedAt);

function subtaskLines(subtask: SubtaskView, names: number, now: number): Line[] {
  const { phase, alert } = subtask;
  const gap = " ".repeat(STATE_WIDTH - phase.length + 1);
  const row: Line = [
    ...rowStart(subtask, names),
    [phase, alert === undefined ? LOOKS[phase].style : "red"],
    [`${gap} ${details(subtask, now)}`.trimEnd()],
  ];
  const steps = subtask.running.filter(({ step, branch }) => step !== "" || branch !== undefined);
  return [
    row,
    ...(alert === undefined ? [] : [[[`   ! ${alert}`, "red"]] as Line]),
    ...steps.map(({ step, branch }, index): Line => {
      const joint = index === steps.length - 1 ? "└" : "├";
      const words = [branch, step].filter((part) => part !== undefined && part !== "").join(": ");
      return [[`   ${joint} ${words}`, "dim"]];
    }),
  ];
}

function details(subtask: SubtaskView, now: number): string {
  const { phase, attempts, startedAt, wait, story, recovery, after, unanswered } = subtask;
  const tries = count(attempts, "attempt");
  const took = timeOf(subtask, now);
  switch (phase) {
    case "running": {
      const began = subtask.running[0]?.startedAt ?? startedAt ?? now;
      const agents = subtask.running.length > 1 ? `${subtask.running.length} branches` : "";
      return told(agents || `attempt ${attempts}`, duration(now - began), recovery ?? "");
    }
    case "waiting":
      return joined(
        wait === undefined
          ? ""
          : `again in ${duration(wait.dueAt - now)} (${waitText(wait.reason)})`,
        recovery ?? "",
      );
    case "asking":
      return told(tries, took, subtask.question?.takenBy === undefined ? story : "in your hands");
    case "stuck":
    case "skipped":
      return told(tries, took, subtask.parked ?? story);
    case "pending":
      if (attempts > 0) return joined(`attempt ${attempts + 1} next`, recovery ?? "");
      return after.length === 0 ? "" : `after ${after.join(", ")}`;
    case "blocked":
      return after.length === 0 ? "" : `by ${after.join(", ")}`;
    case "verified":
    case "unverified":
    case "answered":
      return told(tries, took, unanswered ?? story);
  }
}

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("  ");

const TRIES_WIDTH = 10;
const TIME_WIDTH = 6;

/** Attempts and duration in columns, then the rest. */
const told = (tries: string, took: string, rest: string): string =>
  `${tries.padEnd(TRIES_WIDTH)}  ${took.padStart(TIME_WIDTH)}  ${rest}`.trimEnd();
