/**
 * The card shown before a goal starts: the agent, the checks that judge it and their current state, the cost limits,
 * and where the result goes. Invariants: every command is shown in full; no line is wider than requested; nothing
 * depends on colours.
 */
import { budgetText } from "../../operations/goal/goal-budget.ts";
import type { PreparedGoal } from "../../operations/goal/schemas.ts";
import { cleanLine, cleanText, count, type Line, type Style } from "../../operations/text.ts";
import { folded, padToWidth, textWidth, wrapped } from "./line.ts";

const LABEL_COLUMNS = 9;
const COMMAND_CHARS = 2000;
const GOAL_LINES = 6;
const LEAST_ROOM = 34;

export function startCard(
  prepared: PreparedGoal,
  { columns, inPlace = false }: { readonly columns: number; readonly inPlace?: boolean },
): readonly Line[] {
  const { agent, setup, budget, changesLeftOut: changes } = prepared;
  const width = Math.max(10, Math.min(columns, 200) - LABEL_COLUMNS);
  const words = (text: string): readonly Line[] => inFull(text, width).map((line) => [[line]]);
  const rows: readonly (readonly [label: string, lines: readonly Line[]])[] = [
    ["goal", goalLines(prepared.goal, width)],
    ["agent", words(agentText(agent))],
    ...(setup === undefined ? [] : [["install", words(setupText(setup))] as const]),
    ["checks", checkLines(prepared, width)],
    ["budget", words(`at most ${budgetText(budget)}`)],
    ["result", words(resultText(prepared, inPlace))],
    ...(changes === 0
      ? []
      : [
          [
            "without",
            words(
              `${count(changes, "uncommitted change", "uncommitted changes")}; --with-changes takes ${changes === 1 ? "it" : "them"} along`,
            ),
          ] as const,
        ]),
  ];
  return rows.flatMap(([label, lines]) =>
    lines.map((line, index): Line => [
      [(index === 0 ? label : "").padEnd(LABEL_COLUMNS), "dim"],
      ...line,
    ]),
  );
}

/** Wrapped; a word that is too long for a line is split rather than cut. */
function inFull(text: string, width: number): readonly string[] {
  const words = text.split(" ").flatMap((word) => folded(word, width));
  return wrapped(words.join(" "), width);
}

function goalLines(goal: string, width: number): readonly Line[] {
  const lines = cleanText(goal, { maxChars: 4000 })
    .split("\n")
    .flatMap((line) => inFull(cleanLine(line, 1000), width));
  const shown = lines.length > GOAL_LINES ? [...lines.slice(0, GOAL_LINES - 1), "…"] : lines;
  return shown.map((line) => [[line, "bold"]]);
}

function agentText({ title, version, loginMark, agent }: PreparedGoal["agent"]): string {
  if (title === agent || version === undefined) return cleanLine(title, COMMAND_CHARS);
  const login = loginMark === undefined ? "; no login seen" : "";
  return `${title} ${cleanLine(version, 40)}, with its own default model${login}`;
}

const setupText = ({ commands, from }: NonNullable<PreparedGoal["setup"]>): string =>
  cleanLine(commands.join("; "), COMMAND_CHARS) + (from === "" ? "" : ` (${cleanLine(from, 200)})`);

function resultText({ from }: PreparedGoal, inPlace: boolean): string {
  if (inPlace) return "in this checkout itself; unstuck undo takes it back";
  const { branch, commit } = from;
  const start = `${cleanLine(branch ?? "detached HEAD", 100)} (${(commit ?? "").slice(0, 7)})`;
  return `new branch unstuck/… from ${start}; your files stay as they are`;
}

interface CheckRow {
  readonly command: string;
  readonly words: string;
  readonly style: Style;
}

/** A check's state is next to it if there is space, otherwise below it. */
function checkLines({ checks, leftOut }: PreparedGoal, width: number): readonly Line[] {
  const rows: readonly CheckRow[] = [
    ...checks.map((check) => ({ command: cleanLine(check.run, COMMAND_CHARS), ...stateOf(check) })),
    ...leftOut.map(({ run, why }) => ({
      command: cleanLine(run, COMMAND_CHARS),
      words: `left out: ${cleanLine(why, 200)}`,
      style: "yellow" as const,
    })),
  ];
  const none = checks.length === 0 ? noneLines(width) : [];
  const longest = Math.max(0, ...rows.map(({ command }) => textWidth(command)));
  const room = width - longest - 2;
  if (room >= LEAST_ROOM)
    return [
      ...rows.flatMap(({ command, words, style }) =>
        wrapped(words, room).map((line, index): Line => [
          [padToWidth(index === 0 ? command : "", longest + 2)],
          [line, style],
        ]),
      ),
      ...none,
    ];
  return [
    ...rows.flatMap(({ command, words, style }): readonly Line[] => [
      ...inFull(command, width).map((line): Line => [[line]]),
      ...wrapped(`  ${words}`, width).map((line): Line => [[line, style]]),
    ]),
    ...none,
  ];
}

const noneLines = (width: number): readonly Line[] =>
  wrapped("none: nothing can be verified. Name one with --check", width).map((line) => [
    [line, "yellow"],
  ]);

function stateOf({
  state,
  expect,
  items,
}: PreparedGoal["checks"][number]): Omit<CheckRow, "command"> {
  if (state === undefined) return { words: "must pass", style: "cyan" };
  if (state === "green") return { words: "passes", style: "green" };
  if (expect === "no-worse")
    return { words: "already failing: must not get worse", style: "yellow" };
  const many = items === undefined ? "" : ` (${count(items, "failure")})`;
  return { words: `fails now${many}: must pass`, style: "red" };
}
