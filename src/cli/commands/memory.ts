/** `unstuck memory`: failures that were overcome in this repository, what agents are told of them, and forgetting them. */
import { Command } from "commander";
import type { OutputOf } from "../../operations/operation.ts";
import { forgetMemory, listMemory, showMemory } from "../../operations/learning/memory.ts";
import { lessonWords, symptomWords } from "../../operations/learning/words.ts";
import { cleanLine, count } from "../../operations/text.ts";
import { perform, styled, textColumns, write, writeJson, type Flags } from "../io.ts";
import { UsageError } from "../read-input.ts";
import { commandLines, cutToWidth, wrapped } from "../screen/line.ts";

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
