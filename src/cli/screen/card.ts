/**
 * The card of a run as lines: its outcome, what is verified and how, what changed, time and cost, and what to do next.
 * Pure. Invariants: no line is wider than the screen, and a command that fits on a line is not cut; nothing depends on
 * colours.
 */
import type { Card } from "../../operations/status/card-schema.ts";
import { count, duration, type Line, type Style } from "../../operations/text.ts";
import { untilText } from "./clock-text.ts";
import { commandLines } from "./command-lines.ts";
import { cutToWidth, fitted, padToWidth, textWidth, wrapped } from "./line.ts";
import { stateStyle } from "./run-table.ts";
import { LOOKS } from "./tree.ts";

/** More subtasks are counted, not listed. */
const SUBTASKS_SHOWN = 30;
const CHECKS_SHOWN = 12;
const FILES_NAMED = 6;
const QUESTIONS_SHOWN = 10;
const LABEL_WIDTH = 11;
const RULER_MOST = 100;
/** Below this width, labels go above their text. */
const NARROW = 60;

type Row = readonly [label: string, lines: (columns: number) => readonly Line[]];

export function cardLines(card: Card, columns: number, now: number): readonly Line[] {
  const rows: readonly Row[] = [
    ["checks", (width) => checkLines(card, width)],
    ["subtasks", (width) => subtaskLines(card, width, now)],
    ["changed", (width) => changeLines(card, width)],
    ["tests", (width) => testLines(card, width)],
    ["recovered", (width) => recoveredLines(card, width)],
    ["took", (width) => textLines(tookText(card), width)],
    ["warning", (width) => card.warnings.flatMap((words) => textLines(words, width, "yellow"))],
    ["for you", (width) => questionLines(card, width)],
    ["result", (width) => textLines(resultText(card), width)],
  ];
  const width = Math.max(20, columns);
  return [
    ruler(card, Math.min(columns, RULER_MOST)),
    ...textLines(sentence(card, now), width),
    ...rows.flatMap(([label, lines]) => labelled(label, lines, width)),
    ...(card.next.length === 0 ? [] : [[] as Line]),
    ...commandLines(
      card.next.map(({ command, about }) => [command, about]),
      columns,
    ),
  ].map((line) => fitted(line, columns));
}

function ruler({ run, state }: Card, columns: number): Line {
  const title = ` run ${run}: `;
  const rest = columns - 2 - textWidth(title) - textWidth(state) - 1;
  const style = stateStyle(state);
  return [
    ["──", "dim"],
    [title, "bold"],
    style === undefined ? [state] : [state, style],
    [` ${"─".repeat(Math.max(0, rest))}`, "dim"],
  ];
}

const sentence = ({ sentence: words, waitsUntil }: Card, now: number): string =>
  waitsUntil === undefined ? words : `${words} Next at ${untilText(Date.parse(waitsUntil), now)}.`;

function labelled(label: string, lines: Row[1], columns: number): Line[] {
  if (columns < NARROW) {
    const own = lines(columns - 2);
    return own.length === 0
      ? []
      : [[[label, "dim"]], ...own.map((line): Line => [["  "], ...line])];
  }
  return lines(columns - LABEL_WIDTH).map((line, at): Line => [
    [padToWidth(at === 0 ? label : "", LABEL_WIDTH), "dim"],
    ...line,
  ]);
}

const textLines = (text: string, columns: number, style?: Style): Line[] =>
  text === ""
    ? []
    : wrapped(text, columns).map((words): Line => [style === undefined ? [words] : [words, style]]);

const VERDICTS: {
  readonly [verdict in Card["checks"][number]["verdict"]]: readonly [string, Style];
} = {
  passed: ["✓", "green"],
  "no worse": ["~", "yellow"],
  doubtful: ["~", "yellow"],
  "left out": ["-", "yellow"],
  "not run": ["·", "dim"],
  failed: ["✗", "red"],
};

function checkLines({ checks, subtasks }: Card, columns: number): Line[] {
  const shown = checks.slice(0, CHECKS_SHOWN);
  const most = Math.max(10, Math.floor(columns / 2));
  const widest = shown.reduce((max, { check }) => Math.max(max, textWidth(check)), 0);
  const names = Math.min(most, widest);
  const lines = shown.flatMap(({ check, verdict, words, subtasks: whose }) => {
    const [sign, style] = VERDICTS[verdict];
    const isAll = verdict === "passed" || whose.length === subtasks.length;
    const of = isAll ? "" : ` (${whose.slice(0, 3).join(", ")}${whose.length > 3 ? ", …" : ""})`;
    const name = padToWidth(cutToWidth(check, names), names);
    return hanging([[`${sign} `, style], [`${name}  `]], `${words}${of}`, columns);
  });
  const hidden = checks.length - shown.length;
  return hidden === 0 ? lines : [...lines, [[`and ${hidden} more`, "dim"]]];
}

/** Text after a start, wrapped with a hanging indent. */
function hanging(start: Line, words: string, columns: number): Line[] {
  const indent = start.reduce((sum, [text]) => sum + textWidth(text), 0);
  const [first = "", ...more] = wrapped(words, Math.max(10, columns - indent));
  return [[...start, [first]], ...more.map((line): Line => [[" ".repeat(indent) + line]])];
}

const PHASES: Readonly<Record<string, string>> = { asking: "needs you", stuck: "given up" };

const phaseText = (phase: string, attempts: number): string =>
  phase === "pending" ? (attempts > 0 ? "not done" : "not started") : (PHASES[phase] ?? phase);

/** A single subtask that is simply done needs no line besides the sentence. */
function subtaskLines({ subtasks, unverified, run }: Card, columns: number, now: number): Line[] {
  const [only] = subtasks;
  const isPlain = subtasks.length === 1 && only?.words.length === 0 && only.wakesAt === undefined;
  if (isPlain && unverified.length === 0) return [];
  const shown = subtasks.slice(0, SUBTASKS_SHOWN);
  const widest = shown.reduce((max, { id }) => Math.max(max, textWidth(id)), 0);
  const names = Math.min(Math.max(8, Math.floor(columns / 3)), widest);
  const lines = shown.flatMap((subtask) => {
    const { sign, style } = LOOKS[subtask.phase as keyof typeof LOOKS];
    const why = unverified.find(({ subtask: id }) => id === subtask.id)?.why ?? "";
    const name = padToWidth(cutToWidth(subtask.id, names), names);
    return hanging([[`${sign} `, style], [`${name}  `]], subtaskText(subtask, why, now), columns);
  });
  const hidden = subtasks.length - shown.length;
  return hidden === 0
    ? lines
    : [...lines, [[`and ${hidden} more: unstuck status ${run} --json`, "dim"]]];
}

function subtaskText(subtask: Card["subtasks"][number], why: string, now: number): string {
  const { phase, attempts, tookMs, words, recoveries, wakesAt, waitsFor = "" } = subtask;
  const tries = attempts < 2 ? "" : `, ${count(attempts, "attempt")}`;
  const took = tookMs === undefined ? "" : `, ${duration(tookMs)}`;
  const until =
    wakesAt === undefined ? "" : ` until ${untilText(Date.parse(wakesAt), now)} (${waitsFor})`;
  const told = [
    ...(words.includes(why) || words.join("; ") === why ? [] : [why]),
    ...words,
    ...recoveries.map(({ words: did, times }) => (times === 1 ? did : `${did} (${times} times)`)),
  ];
  const head = `${phaseText(phase, attempts)}${until}${tries}${took}`;
  const rest = told.filter((one) => one !== "").join("; ");
  return rest === "" ? head : `${head}: ${rest}`;
}

function changeLines({ changes, state }: Card, columns: number): Line[] {
  if (changes === undefined) return [];
  const { files, added, removed, largest } = changes;
  if (files === 0)
    return state === "imported" ? [] : [[[ENDED.has(state) ? "nothing" : "nothing yet"]]];
  const widest = largest.reduce((max, { path }) => Math.max(max, textWidth(path)), 0);
  const names = Math.max(10, Math.min(widest, columns - 14));
  const hidden = files - largest.length;
  return [
    [[`${count(files, "file")}, `], [`+${added}`, "green"], [" "], [`-${removed}`, "red"]],
    ...largest.map(({ path, added: plus, removed: minus }): Line => [
      [`  ${padToWidth(cutToWidth(path, names), names)}  `],
      [`+${plus}`, "green"],
      [" "],
      [`-${minus}`, "red"],
    ]),
    ...(hidden > 0 ? [[[`  and ${hidden} more`, "dim"]] as Line] : []),
  ];
}

function testLines({ editedTests }: Card, columns: number): Line[] {
  const { length } = editedTests;
  if (length === 0) return [];
  const more = length > FILES_NAMED ? ` and ${length - FILES_NAMED} more` : "";
  const named = editedTests.slice(0, FILES_NAMED).join(", ");
  return textLines(`edited: ${named}${more}`, columns, "yellow");
}

function recoveredLines({ recovered: { attempts, by } }: Card, columns: number): Line[] {
  if (by.length === 0) return [];
  const how = by.map(({ words, times }) => `${words} (${times})`).join(", ");
  return textLines(`${count(attempts, "failed attempt")}: ${how}`, columns);
}

function tookText({ tookMs, agentsMs, waitedMs, spent }: Card): string {
  const parts = [
    ...(agentsMs > 0 ? [`agents ${duration(agentsMs)}`] : []),
    ...(waitedMs >= 1000 ? [`waiting ${duration(waitedMs)}`] : []),
  ];
  const time = `${duration(tookMs)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
  const rest = spent.filter((words) => !words.includes(" agent time") || words.includes(" of "));
  return [time, ...rest].join(" · ");
}

function questionLines({ questions }: Card, columns: number): Line[] {
  const shown = questions.slice(0, QUESTIONS_SHOWN);
  const lines = shown.flatMap(({ id, question }) =>
    hanging(
      [
        ["? ", "yellow"],
        [`${id}  `, "bold"],
      ],
      question,
      columns,
    ),
  );
  const hidden = questions.length - shown.length;
  return hidden === 0 ? lines : [...lines, [[`and ${hidden} more`, "dim"]]];
}

const ENDED: ReadonlySet<Card["state"]> = new Set([
  ...(["verified", "unverified", "failed", "out of budget", "cancelled"] as const),
]);

/** Nothing is published before the end. */
function resultText({ branch, changes, applied, state }: Card): string {
  if (!ENDED.has(state) || (changes?.files ?? 0) === 0) return "";
  if (branch === undefined) return "in this checkout";
  return `branch ${branch}${applied ? ", applied" : ""}`;
}
