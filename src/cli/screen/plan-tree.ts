/**
 * A plan before it is approved: its subtasks as a tree, each under the last one it waits for, with every command in
 * full, then all other commands, and the limits. Invariants: no line is wider than the terminal; commands are folded,
 * never cut; a subtask is below everything it depends on.
 */
import type { PlanDescription } from "../../operations/planning/draft-plan.ts";
import {
  cleanLine,
  cleanText,
  count,
  duration,
  type Line,
  type Style,
} from "../../operations/text.ts";
import { folded, wrapped } from "./line.ts";

type PlannedSubtask = PlanDescription["subtasks"][number];

const WIDEST = 100;
const PROMPT_CHARS = 240;

export function planLines(plan: PlanDescription, columns: number): readonly Line[] {
  const width = Math.min(columns, WIDEST);
  const looks = plan.subtasks.filter(({ readOnly }) => readOnly === true).map(({ id }) => id);
  const work = plan.subtasks.filter(({ id }) => !looks.includes(id));
  const first = "First an agent looks around and reports. It changes nothing.";
  return [
    ...styledLines(wrapped(`Plan: ${cleanLine(plan.goal, 300)}`, width), "bold"),
    [],
    ...(looks.length === 0 ? [] : [...styledLines(wrapped(first, width), "dim"), []]),
    ...treeLines(work, looks, width),
    ...commandLines(plan, width),
    [],
    ...limitLines(plan, work.length, width),
  ];
}

const styledLines = (texts: readonly string[], style: Style): readonly Line[] =>
  texts.map((text) => [[text, style]]);

/** A subtask is placed below the last of its dependencies, as soon as that one is shown. */
function treeLines(
  work: readonly PlannedSubtask[],
  looks: readonly string[],
  width: number,
): readonly Line[] {
  const lines: Line[] = [];
  const shown = new Set<string>(looks);
  const show = (one: PlannedSubtask, depth: number): void => {
    shown.add(one.id);
    lines.push(...subtaskLines(one, depth, looks, width));
    for (const next of work)
      if (next.dependsOn.includes(one.id) && isReady(next, shown)) show(next, depth + 1);
  };
  for (const one of work) if (isReady(one, shown)) show(one, 0);
  return lines;
}

const isReady = ({ id, dependsOn }: PlannedSubtask, shown: ReadonlySet<string>): boolean =>
  !shown.has(id) && dependsOn.every((other) => shown.has(other));

function subtaskLines(
  { id, prompt, dependsOn, checks }: PlannedSubtask,
  depth: number,
  looks: readonly string[],
  width: number,
): readonly Line[] {
  const before = dependsOn.filter((other) => !looks.includes(other));
  const inset = Math.min(2 * depth, Math.floor(width / 4));
  const mark = depth === 0 ? "" : `${" ".repeat(inset - 2)}└ `;
  const under = " ".repeat(inset + 2);
  const [name = "", ...rest] = folded(id, Math.max(8, width - mark.length));
  const after = before.length < 2 ? "" : `after ${before.join(", ")}`;
  return [
    [[mark], [name, "bold"]],
    ...styledLines(
      rest.map((part) => `${" ".repeat(inset)}${part}`),
      "bold",
    ),
    ...(after === "" ? [] : styledLines(wrapped(under + after, width), "dim")),
    ...wrapped(under + cleanLine(prompt, PROMPT_CHARS), width).map((line): Line => [[line]]),
    ...checks.flatMap((run) => commandText(under, "check  ", run, width)),
    [],
  ];
}

/** The whole command, however long it is. */
function commandText(under: string, label: string, run: string, width: number): readonly Line[] {
  const command = cleanText(run, { maxChars: 4000 }).replaceAll("\n", "\\n");
  const parts = folded(command, Math.max(8, width - under.length - label.length));
  return parts.map((part, index) => [
    [under],
    [index === 0 ? label : " ".repeat(label.length), "dim"],
    [part, "cyan"],
  ]);
}

function commandLines({ commands }: PlanDescription, width: number): readonly Line[] {
  const others = commands.filter(({ what }) => what !== "check");
  return [
    [["Also runs", "bold"]],
    ...others.flatMap(({ what, run, from }) => [
      ...commandText("  ", what.padEnd(7), run, width),
      ...(from === undefined
        ? []
        : styledLines(wrapped(`         asked for by ${cleanLine(from, 200)}`, width), "dim")),
    ]),
  ];
}

function limitLines({ limits }: PlanDescription, subtasks: number, width: number): readonly Line[] {
  const { attempts, usd, tokens, timeMs, attemptMs, unreported } = limits;
  const each = `each up to ${duration(attemptMs)}`;
  const of = count(subtasks, "subtask");
  const texts = [
    attempts === undefined
      ? `  no limit on attempts (${of}), ${each}`
      : `  at most ${count(attempts, "attempt")} for ${of}, ${each}`,
    ...(timeMs === undefined ? [] : [`  at most ${duration(timeMs)} of agent time`]),
    ...(tokens === undefined ? [] : [`  at most ${tokens} tokens`]),
    moneyText(usd, unreported),
  ];
  return [
    [["Limits", "bold"]],
    ...texts.flatMap((text) => wrapped(text, width)).map((text): Line => [[text]]),
  ];
}

function moneyText(usd: number | undefined, unreported: readonly string[]): string {
  if (unreported.length > 0)
    return `  no limit on cost: ${unreported.map((name) => cleanLine(name, 60)).join(", ")} does not report it`;
  return usd === undefined
    ? "  no limit on cost: add --budget 20 for $20"
    : `  at most $${usd.toFixed(2)}`;
}
