/**
 * A call that the agent's own gate refused: which tool, with which command. Recognised by the text of a failed call: a
 * gate mentions approval, permission or a rule, while the system only mentions access. Invariants: bounded; linear.
 */
import { isRecord } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";
import { commandOfCall } from "../shell/command-of-call.ts";
import { isQuestionTool } from "./question-tool.ts";

export interface Refusal {
  readonly tool: string;
  /** Exactly what it was to run, change or fetch, on one line. */
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

/** Whether a failed call's output says that a gate refused it. */
export const isGateRefusal = (output: string): boolean => {
  const beginning = output.slice(0, READ_CHARS);
  return GATES.some((gate) => gate.test(beginning));
};

/** The argument that identifies a call without a command. */
const NAMES = ["file_path", "filePath", "path", "url", "uri", "query", "pattern"];
const COMMAND_CHARS = 500;

/** Undefined for a tool that only asks a question. */
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

/** For people: the command itself, or the tool with its argument. */
export const refusalText = (refusal: Refusal): string =>
  isShellRefusal(refusal) ? refusal.command : `${refusal.tool} ${refusal.command}`.trim();

export const isSameRefusal = (a: Refusal, b: Refusal): boolean => refusalText(a) === refusalText(b);

const MAX_REFUSALS = 5;

/** The first few, without duplicates. */
export const distinctRefusals = (refusals: readonly Refusal[]): readonly Refusal[] =>
  refusals
    .filter((one, index) => refusals.findIndex((other) => isSameRefusal(one, other)) === index)
    .slice(0, MAX_REFUSALS);

const LOOKS =
  /^(?:ls|cat|head|tail|grep|rg|find|pwd|which|echo|wc|file|stat|tree|git (?:status|log|diff|show|branch))(?= |$)/;

/** The call only reads, so the work can continue without it. */
export const isReadOnlyCall = ({ command }: Refusal): boolean => LOOKS.test(command);
