/**
 * Open questions to read, not to answer here: by cause, each with its age, its evidence, and the command for each
 * answer. Invariants: bounded; a command that is too wide continues after a backslash, so it can be copied.
 */
import { cleanLine, type Line } from "../../operations/text.ts";
import { cutToWidth, fitted, textWidth, wrapped } from "./line.ts";
import { agoText, cleanNames, clockText, indented, type ShownQuestion } from "./question.ts";

export type ListedQuestion = Pick<
  ShownQuestion,
  "run" | "repository" | "words" | "evidence" | "askedAt" | "given"
> & {
  readonly checkpoint: Pick<
    ShownQuestion["checkpoint"],
    "id" | "context" | "also" | "takenBy" | "expiresAt"
  >;
};

interface ListSize {
  readonly columns: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly namesRepository: boolean;
}

export function listedQuestions(
  questions: readonly ListedQuestion[],
  size: ListSize,
): readonly Line[] {
  const groups = Map.groupBy(questions, ({ words }) => words.cause);
  return [...groups].flatMap(([cause, those], index) => [
    ...(index === 0 ? [] : [[]]),
    [[cause, "cyan"]] as Line,
    ...those.flatMap((question) => listedQuestion(question, size)),
  ]);
}

const EVIDENCE_LINES = 3;

function listedQuestion(question: ListedQuestion, size: ListSize): Line[] {
  const { run, repository, words, askedAt, given, checkpoint } = question;
  const { columns, now } = size;
  const { context, also = [], takenBy, expiresAt } = checkpoint;
  const facts = [
    `run ${run}`,
    ...(askedAt === undefined ? [] : [`asked ${agoText(now - askedAt)}`]),
    ...(size.namesRepository ? [cleanLine(repository, 200)] : []),
  ];
  const more = [
    ...(context.asks?.split("\n") ?? []),
    ...(context.questions ?? []),
    context.advice,
    context.blocksCount === 0 ? undefined : `Blocks ${cleanNames(context.blocks)}.`,
    also.length === 0 ? undefined : `Also for ${cleanNames(also)}.`,
    takenBy === undefined ? undefined : `${cleanLine(takenBy, 60)} is on it by hand.`,
    expiresAt === undefined || words.otherwise === undefined
      ? undefined
      : `If nobody answers by ${clockText(expiresAt, now)}, ${words.otherwise}.`,
  ].filter((text) => text !== undefined && text.trim() !== "");
  return [
    [
      [`  ${cleanLine(checkpoint.id, 60)}`, "bold"],
      [`  ${facts.join(" · ")}`, "dim"],
    ] as Line,
    ...indented(words.happened, columns, undefined, 4),
    ...evidenceLines(question, columns),
    ...more.flatMap((text) => indented(cleanLine(text ?? "", 500), columns, undefined, 4)),
    ...(given === undefined
      ? words.choices.flatMap((choice): Line[] => [
          ...indented(
            `${choice.label}${choice.recommended ? " (recommended)" : ""}`,
            columns,
            choice.recommended ? "cyan" : "dim",
            4,
          ),
          ...commandLines(choice.command, columns),
        ])
      : indented(
          `Answered by ${cleanLine(given.by, 60)}: ${given.words}. Go on with: unstuck resume ${run}`,
          columns,
          "green",
          4,
        )),
  ].map((line) => fitted(line, columns));
}

function evidenceLines({ evidence }: ListedQuestion, columns: number): Line[] {
  const { lines, keep } = evidence;
  const shown = keep === "first" ? lines.slice(0, EVIDENCE_LINES) : lines.slice(-EVIDENCE_LINES);
  return shown.map((text) => [
    ["    │ ", "dim"],
    [cutToWidth(cleanLine(text.replaceAll("\t", "  "), 500), columns - 6)],
  ]);
}

const COMMAND_INDENT = 6;

function commandLines(command: string, columns: number): Line[] {
  const room = columns - COMMAND_INDENT;
  if (textWidth(command) <= room) return [[[" ".repeat(COMMAND_INDENT)], [command]]];
  const lines = wrapped(command, room - 2);
  return lines.map((line, index) => [
    [" ".repeat(COMMAND_INDENT)],
    [index === lines.length - 1 ? line : `${line} \\`],
  ]);
}
