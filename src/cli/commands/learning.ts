/**
 * What was learned in this repository. `unstuck stats`: which recoveries worked and which did not, resetting them, and
 * moving them to another machine. `unstuck memory`: failures that were overcome, what agents are told about them, and
 * forgetting them.
 */
import { Command } from "commander";
import type { OutputOf } from "../../operations/operation.ts";
import {
  exportStats,
  importStats,
  resetStats,
  showStats,
} from "../../operations/learning/stats.ts";
import {
  moveWords,
  neverWords,
  symptomWords,
  lessonWords,
} from "../../operations/learning/words.ts";
import { cleanLine, count } from "../../operations/text.ts";
import { perform, styled, textColumns, write, writeJson, type Flags } from "../io.ts";
import { readInput, UsageError } from "../read-input.ts";
import { commandLines, padToWidth, textWidth, wrapped, cutToWidth } from "../screen/line.ts";
import { forgetMemory, listMemory, showMemory } from "../../operations/learning/memory.ts";

export function stats(): Command {
  const command = new Command("stats").description(
    "Which recoveries worked in this repository: the usual chance, the chance with what was\n" +
      "learned, and how often it worked.",
  );
  command
    .command("show", { isDefault: true })
    .description("show what was learned (the default)")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const shown = await perform(showStats, {});
      if (json === true) writeJson(shown);
      else for (const line of statsLines(shown, textColumns())) write(line);
    });
  command
    .command("reset")
    .description("forget what was counted here; failures that are remembered stay")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const reset = await perform(resetStats, {});
      if (json === true) return writeJson(reset);
      const { forgotten } = reset;
      write(
        forgotten === 0 ? "There was nothing to forget." : `Forgot ${count(forgotten, "row")}.`,
      );
    });
  command
    .command("export")
    .description("print what was counted here, to import elsewhere")
    .option("--json", "in one line")
    .action(async ({ json }: Flags) => {
      const counts = await perform(exportStats, {});
      if (json === true) writeJson(counts);
      else write(JSON.stringify(counts, null, 2));
    });
  command
    .command("import")
    .description("add what export wrote; rows that are there are replaced")
    .argument("[file]", "default: standard input")
    .option("--json", "as JSON")
    .action(async (file: string | undefined, { json }: Flags) => {
      const name = cleanLine(file ?? "standard input", 80);
      const imported = await perform(importStats, { text: await readInput(file), name });
      if (json === true) return writeJson(imported);
      const { cells, dropped } = imported;
      const left = dropped === 0 ? "" : `; left out ${count(dropped, "row")} that cannot be read`;
      write(`Imported ${count(cells, "row")}${left}. See them: unstuck stats`);
    });
  return command;
}

type Shown = OutputOf<typeof showStats>;
type Move = Shown["moves"][number];

const percent = (share: number): string => `${Math.round(share * 100)} %`;
/** `34 % -> 22 %  worked 12 of 50`, with a margin before it. */
const FIGURES_COLUMNS = 33;
const WORDS_LEAST = 30;

function statsLines(shown: Shown, columns: number): readonly string[] {
  const { moves, calibration } = shown;
  if (moves.length === 0)
    return [
      "Nothing learned here yet.",
      ...wrapped("It is counted each time a subtask that failed first has ended.", columns),
      ...moreLines(shown, columns),
    ];
  const namesAgent = new Set(moves.map(({ agent }) => agent)).size > 1;
  const rows = moves.map((move) => ({ ...move, words: wordsOf(move, namesAgent) }));
  const room = columns - FIGURES_COLUMNS;
  const fitting = rows.map(({ words }) => textWidth(words) + 4).filter((width) => width <= room);
  const wordsColumns = room < WORDS_LEAST ? 0 : Math.max(0, ...fitting);
  return [
    ...wrapped("How likely each recovery is to work: usually -> here", columns),
    "",
    ...[...Map.groupBy(rows, ({ symptom }) => symptom)].flatMap(([symptom, group]) => [
      styled("bold", `After: ${symptomWords(symptom)}`),
      ...group.flatMap((row) =>
        textWidth(row.words) + 4 <= wordsColumns
          ? [`  ${padToWidth(row.words, wordsColumns - 2)}${figures(row)}`]
          : [...wrapped(`  ${row.words}`, columns), `    ${figures(row)}`],
      ),
      "",
    ]),
    ...(calibration.length === 0
      ? []
      : [
          styled("bold", "Chance given, and how often it worked"),
          ...calibration.map(saidLine),
          "",
        ]),
    ...moreLines(shown, columns),
    ...commandLines("Forget all this:", "unstuck stats reset", columns),
    ...commandLines("Take it along:", "unstuck stats export > stats.json", columns),
  ];
}

const wordsOf = ({ move, tierStep, agent }: Move, namesAgent: boolean): string =>
  `${moveWords(move, tierStep)}${namesAgent ? `, ${cleanLine(agent, 20)}` : ""}`;

const figures = (row: Move): string =>
  `${percent(row.prior)} -> ${styled("bold", percent(row.posterior))}  ${workedWords(row)}`;

function workedWords({ here, elsewhere }: Move): string {
  const of = ({ worked, tried }: Move["here"]): string =>
    `worked ${Math.round(worked)} of ${Math.round(tried)}`;
  return here.tried > 0 ? of(here) : `${of(elsewhere)} elsewhere`;
}

const saidLine = ({ from, to, worked, cases }: Shown["calibration"][number]): string =>
  `  ${`${Math.round(from * 100)} to ${percent(to)}`.padEnd(14)}worked ${Math.round(worked * cases)} of ${cases}`;

const moreLines = (
  { never, lessons }: Pick<Shown, "never" | "lessons">,
  columns: number,
): readonly string[] => [
  ...(never.length === 0
    ? []
    : wrapped(`As you answered, agents here never ${neverWords(never)}.`, columns)),
  ...(lessons === 0
    ? []
    : commandLines(`${count(lessons, "failure")} remembered:`, "unstuck memory", columns)),
];

export function memory(): Command {
  const command = new Command("memory").description(
    "Failures that were overcome in this repository. When one is met again, the next agent is\n" +
      "told what overcame it.",
  );
  command
    .command("list", { isDefault: true })
    .description("list what is remembered, newest first (the default)")
    .option("--json", "as JSON")
    .action(list);
  command
    .command("show")
    .description("show one of them, and what an agent is told of it")
    .argument("<id>", "as unstuck memory shows it, or its beginning")
    .option("--json", "as JSON")
    .action(async (id: string, { json }: Flags) => {
      const shown = await perform(showMemory, { id });
      if (json === true) writeJson(shown);
      else for (const line of lessonLines(shown, textColumns())) write(line);
    });
  command
    .command("forget")
    .description("forget one of them, or all")
    .argument("[id]", "as unstuck memory shows it, or its beginning")
    .option("--all", "all that is remembered of this repository")
    .option("--json", "as JSON")
    .action(async (id: string | undefined, { all, json }: Flags<{ all?: boolean }>) => {
      if ((id === undefined) === (all !== true))
        throw new UsageError("name what to forget, or use --all; see: unstuck memory");
      const { forgotten, ...rest } = await perform(forgetMemory, { id });
      if (json === true) return writeJson({ ...rest, forgotten });
      write(
        forgotten === 0 ? "There was nothing to forget." : `Forgot ${count(forgotten, "failure")}.`,
      );
    });
  return command;
}

type Listed = OutputOf<typeof listMemory>["lessons"][number];

async function list({ json }: Flags): Promise<void> {
  const listed = await perform(listMemory, {});
  if (json === true) return writeJson(listed);
  const columns = textColumns();
  if (listed.lessons.length === 0) {
    write("Nothing remembered here yet.");
    for (const line of wrapped(
      "A failure is remembered once an agent has got past it and its subtask is verified.",
      columns,
    ))
      write(line);
    return;
  }
  for (const lesson of listed.lessons) for (const line of rowLines(lesson, columns)) write(line);
  const [{ id } = { id: "" }] = listed.lessons;
  for (const line of [
    ...commandLines("Look at one:", `unstuck memory show ${id}`, columns),
    ...commandLines("Forget one:", `unstuck memory forget ${id}`, columns),
  ])
    write(line);
}

function rowLines(lesson: Listed, columns: number): readonly string[] {
  const { id, kind, error } = lesson;
  const what = `${symptomWords(kind)}: ${cleanLine(error, 300)}`;
  const how = `${lessonWords(lesson)}; ${timesWords(lesson)}`;
  return [
    `${styled("bold", id)}  ${cutToWidth(what, columns - 10)}`,
    ...wrapped(`          ${how}`, columns),
    "",
  ];
}

function timesWords({ overcome, told, held }: Listed): string {
  const times = overcome === 1 ? "overcome once" : `overcome ${overcome} times`;
  return told === 0 ? times : `${times}, helped ${held} of ${told} times it was told`;
}

function lessonLines(shown: OutputOf<typeof showMemory>, columns: number): readonly string[] {
  const { id, kind, error, summary, files, at, expires, prompt } = shown;
  const day = (date: string): string => date.slice(0, 10);
  const indented = (text: string): readonly string[] =>
    text.split("\n").flatMap((line) => wrapped(`  ${line}`, columns));
  return [
    styled("bold", `${id}  ${symptomWords(kind)}`),
    ...indented(error),
    "",
    styled("bold", "What overcame it"),
    ...indented(lessonWords(shown)),
    ...(summary === "" ? [] : indented(summary)),
    ...(files.length === 0 ? [] : indented(`files: ${files.join(", ")}`)),
    ...indented(`${timesWords(shown)}, last on ${day(at)}; kept until ${day(expires)}`),
    "",
    ...(prompt === ""
      ? [...wrapped("It never helped: agents are not told of it any more.", columns)]
      : [styled("bold", "What an agent is told next time"), ...indented(prompt)]),
    "",
    ...commandLines("Forget it:", `unstuck memory forget ${id}`, columns),
  ];
}
