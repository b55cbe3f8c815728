/**
 * A call that the gate of an agent refused (U21): which tool, with which command. Told from the words of a failed call:
 * a gate speaks of approval, permission or a rule, the system only of access. Invariants: bounded; linear.
 */
import { isRecord } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";
import { commandOfCall } from "../shell/command-of-call.ts";
import { isQuestionTool } from "./question-tool.ts";

export interface Refusal {
  readonly tool: string;
  /** What it was to run, change or fetch, exactly; one line. */
  readonly command: string;
}

const READ_CHARS = 600;

const GATES: readonly RegExp[] = [
  /\brequires? (?:user |your |human |explicit |manual )?(?:approval|confirmation)\b/i,
  /\b(?:haven't|have not|hasn't|has not) (?:been )?granted\b/i,
  /\bpermission to use \S{1,80}\b[^]{0,300}\b(?:denied|rejected|refused)\b/i,
  /\buser (?:has )?(?:rejected|denied|declined|refused)\b/i,
  /\bspecified a rule which prevents\b/i,
  /\b(?:rejected|denied|declined|refused|blocked|disallowed) by (?:the |a |an |your )?(?:user|policy|rule|permission|approval|sandbox|settings)/i,
  /\b(?:tool|command|call)s? (?:execution )?(?:is |was )?not (?:allowed|permitted|approved)\b/i,
  /\brejected permission\b/i,
  /\b(?:denied|blocked|failed|rejected) in (?:the )?sandbox\b|\bsandbox (?:denied|rejected|blocked|error)\b/i,
  /\bapproval policy\b/i,
];

/** Whether a failed call says that a gate refused it. */
export const saysRefused = (output: string): boolean => {
  const beginning = output.slice(0, READ_CHARS);
  return GATES.some((gate) => gate.test(beginning));
};

/** What a call that runs no command is about. */
const NAMES = ["file_path", "filePath", "path", "url", "uri", "query", "pattern"];
const COMMAND_CHARS = 500;

/** Nothing for a tool that only asks a question. */
export function refusalOf(tool: string, args: unknown): Refusal | undefined {
  if (isQuestionTool(tool)) return undefined;
  const fields = isRecord(args) ? args : {};
  const named = [commandOfCall(args), ...NAMES.map((name) => fields[name])];
  const [what = ""] = named.filter((value) => typeof value === "string").filter(Boolean);
  return { tool: cleanLine(tool, 80), command: cleanLine(what, COMMAND_CHARS) };
}

const SHELLS =
  /^(?:bash|shell|local_shell|exec|execute|execute_command|run_shell_command|terminal)$/i;

export const isShellRefusal = ({ tool, command }: Refusal): boolean =>
  SHELLS.test(tool) && command !== "" && !command.endsWith("…");

/** As a person reads it: the command itself, or the tool with what it was called for. */
export const refusalText = (refusal: Refusal): string =>
  isShellRefusal(refusal) ? refusal.command : `${refusal.tool} ${refusal.command}`.trim();

export const isSameRefusal = (a: Refusal, b: Refusal): boolean => refusalText(a) === refusalText(b);

const MAX_REFUSALS = 5;

/** Each once, the first few. */
export const distinctRefusals = (refusals: readonly Refusal[]): readonly Refusal[] =>
  refusals
    .filter((one, index) => refusals.findIndex((other) => isSameRefusal(one, other)) === index)
    .slice(0, MAX_REFUSALS);

const LOOKS =
  /^(?:ls|cat|head|tail|grep|rg|find|pwd|which|echo|wc|file|stat|tree|git (?:status|log|diff|show|branch))(?= |$)/;

/** It only wanted to look: without it work goes on. */
export const onlyLooks = ({ command }: Refusal): boolean => LOOKS.test(command);
