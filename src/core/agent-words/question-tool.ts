/**
 * Extracts the question that an agent asks through a question tool of its own. Such tools are recognised by name,
 * whatever agent they belong to. Invariant: arguments of any shape are accepted; bounded.
 */
import { isRecord } from "../defined.ts";
import { cleanText } from "../foreign-text.ts";

const NAMES: ReadonlySet<string> = new Set([
  ...["askuserquestion", "askuser", "askfollowupquestion", "askquestion", "askhuman"],
  ...["requestuserinput", "requestinput", "question", "askclarification"],
]);

export const isQuestionTool = (tool: string): boolean =>
  NAMES.has(
    tool
      .slice(0, 60)
      .toLowerCase()
      .replace(/[^a-z]/g, ""),
  );

const MAX_CHARS = 1500;
const MAX_LISTED = 10;

/** The question with its choices; undefined for another tool, or if nothing was asked. */
export function askedWithTool(tool: string, args: unknown): string | undefined {
  if (!isQuestionTool(tool) || !isRecord(args)) return undefined;
  const asked = Array.isArray(args["questions"]) ? args["questions"] : [args];
  const text = asked.slice(0, MAX_LISTED).flatMap(questionLines).join("\n");
  return text === "" ? undefined : cleanText(text, { maxChars: MAX_CHARS });
}

function questionLines(asked: unknown): readonly string[] {
  if (typeof asked === "string") return [asked];
  if (!isRecord(asked)) return [];
  const words = [asked["question"], asked["prompt"], asked["text"], asked["message"]];
  const question = words.find((one) => typeof one === "string" && one !== "");
  if (typeof question !== "string") return [];
  const choices =
    [asked["options"], asked["choices"], asked["follow_up"]].find(Array.isArray) ?? [];
  return [question, ...choices.slice(0, MAX_LISTED).flatMap(choiceLine)];
}

function choiceLine(choice: unknown): readonly string[] {
  const label = isRecord(choice) ? (choice["label"] ?? choice["name"] ?? choice["text"]) : choice;
  return typeof label === "string" ? [`- ${label}`] : [];
}
