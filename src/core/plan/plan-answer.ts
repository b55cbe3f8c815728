/**
 * Reads a plan written by an agent. Only the work is accepted: goal, subtasks, dependencies and checks; agents, models,
 * limits and permissions are up to the person. Invariants: never throws; linear time; an accepted plan has a check for
 * every subtask, no dependency cycles, and only commands that a person sees exactly as they would run, that can fail,
 * and that destroy nothing.
 */
import { cleanLine, cleanText } from "../foreign-text.ts";
import { checkYaml, parseYaml, type Problem } from "../read-yaml.ts";
import { destructive } from "../shell/destructive.ts";
import { shellCommands, type ShellCommand } from "../shell/commands.ts";
import { defined, isRecord } from "../defined.ts";
import type { PlanAgents } from "./run-plan.ts";
import { planFileSchema, type PlanFile } from "./schema.ts";
import type { CheckFile, SubtaskFile } from "./subtask-schema.ts";
import { graphProblems } from "./subtask-problems.ts";

export const SUBTASKS_MAX = 40;
export const COMMAND_MAX_CHARS = 500;
const ANSWER_MAX_CHARS = 400_000;
const PROBLEMS_MAX = 12;

export interface WrittenPlan {
  readonly goal?: string;
  readonly subtasks: readonly WrittenSubtask[];
}

export interface WrittenSubtask extends Pick<SubtaskFile, "id" | "prompt"> {
  readonly dependsOn?: readonly string[];
  readonly inputs?: readonly string[];
  readonly critical?: boolean;
  readonly checks: readonly CheckFile[];
}

export type PlanAnswer =
  | { readonly ok: true; readonly plan: WrittenPlan }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The last block that is a plan counts, because agents think aloud before they answer. */
export function readPlanAnswer(
  answer: string,
  known: Pick<PlanAgents, "adapters" | "formats">,
): PlanAnswer {
  const text = answer.length > ANSWER_MAX_CHARS ? answer.slice(-ANSWER_MAX_CHARS) : answer;
  let refused: PlanAnswer | undefined;
  for (const block of [...fencedBlocks(text).toReversed(), text]) {
    const read = readBlock(block, known);
    if (read?.ok === true) return read;
    refused ??= read;
  }
  const none = "there is no plan in it: answer with one fenced block of YAML that has `subtasks`";
  return refused ?? { ok: false, problems: [none] };
}

const OPENING = /^( {0,3})(`{3,40}|~{3,40})[ \t]{0,8}[\w+-]{0,20}[ \t]{0,8}$/;

/** The contents of fenced blocks. A fence indented by more than three columns belongs to the surrounding text. */
function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (open === undefined) {
      const mark = OPENING.exec(line)?.[2];
      if (mark !== undefined) open = { mark, lines: [] };
    } else if (isClosing(line, open.mark)) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  // An answer that is cut off within its closing fence is still complete.
  return open === undefined ? blocks : [...blocks, open.lines.join("\n")];
}

function isClosing(line: string, mark: string): boolean {
  const end = line.trimEnd();
  const ticks = end.trimStart();
  return (
    end.length - ticks.length <= 3 &&
    ticks.length >= mark.length &&
    ticks === mark.charAt(0).repeat(ticks.length)
  );
}

/** Undefined if it is not a plan at all. */
function readBlock(
  block: string,
  known: Pick<PlanAgents, "adapters" | "formats">,
): PlanAnswer | undefined {
  const source = parseYaml(block);
  if (!source.ok)
    return /^\s*["']?subtasks["']?\s*:/m.test(block) ? refusal(source.problems) : undefined;
  const { value } = source.value;
  if (!isRecord(value) || !("subtasks" in value || "goal" in value)) return undefined;
  const read = checkYaml(source.value, planFileSchema(known));
  if (!read.ok) return refusal(read.problems);
  const plan = writtenPlan(read.value);
  const { subtasks = [] } = read.value;
  const lineOf = (path: readonly PropertyKey[]): number => source.value.placeOf(path).line;
  const problems = [
    ...countProblems(plan),
    ...graphProblems(subtasks, subtasks, lineOf).map(
      ({ path, message }) => `${subtasks[Number(path[1])]?.id ?? ""}: ${message}`,
    ),
    ...plan.subtasks.flatMap(checkProblems),
    ...(read.value.subtasks ?? []).flatMap(({ id, readOnly }) =>
      readOnly === true
        ? [
            `${id}: a read-only subtask has no check; leave it out, agents look around by themselves`,
          ]
        : [],
    ),
  ];
  return problems.length === 0
    ? { ok: true, plan }
    : { ok: false, problems: problems.slice(0, PROBLEMS_MAX) };
}

const refusal = (problems: readonly Problem[]): PlanAnswer => ({
  ok: false,
  problems: problems.slice(0, PROBLEMS_MAX).map(({ line, path, message }) => {
    const at = path === "" ? "" : `${cleanLine(path, 120)}: `;
    return `line ${line}: ${at}${cleanLine(message, 300)}`;
  }),
});

function writtenPlan({ goal, subtasks = [], checks: shared = [] }: PlanFile): WrittenPlan {
  return {
    ...defined({ goal }),
    subtasks: subtasks.map(({ id, prompt, dependsOn, inputs, critical, checks = shared }) => ({
      ...{ id, prompt, ...defined({ dependsOn, inputs, critical }), checks: checks.map(mustPass) },
    })),
  };
}

/** An agent may neither name a check nor allow it to keep failing. */
const mustPass = (check: CheckFile): CheckFile =>
  typeof check === "string" || check.minutes === undefined
    ? commandOf(check)
    : { run: check.run, minutes: check.minutes };

function countProblems({ subtasks }: WrittenPlan): readonly string[] {
  if (subtasks.length === 0) return ["there are no subtasks in it"];
  return subtasks.length <= SUBTASKS_MAX
    ? []
    : [`${subtasks.length} subtasks are too many: write at most ${SUBTASKS_MAX}`];
}

function checkProblems({ id, checks }: WrittenSubtask): readonly string[] {
  if (checks.length === 0) return [`${id}: it has no check: name a command that shows it is done`];
  return checks.flatMap((check) => {
    const run = commandOf(check);
    const problem = commandProblem(run);
    return problem === undefined ? [] : [`${id}: the check ${cleanLine(run, 120)} ${problem}`];
  });
}

export const commandOf = (check: CheckFile): string =>
  typeof check === "string" ? check : check.run;

function commandProblem(run: string): string | undefined {
  if (/[\n\r\u2028\u2029]/.test(run)) return "is more than one line";
  if (run.length > COMMAND_MAX_CHARS) return `is longer than ${COMMAND_MAX_CHARS} characters`;
  if (cleanText(run) !== run) return "holds characters that a terminal would not show";
  const harm = destructive(run);
  if (harm !== undefined) return `${harm.why}: a check may only look`;
  return alwaysPasses(run) ? "passes whatever was done: it must be able to fail" : undefined;
}

/**
 * Whether the command always exits with 0: it ends with a no-op that does not depend on an earlier command through
 * `&&`.
 */
function alwaysPasses(run: string): boolean {
  const commands = shellCommands(run);
  const last = commands.at(-1);
  if (last === undefined) return true;
  if (!isNothing(last)) return false;
  const before = commands.slice(0, -1);
  return before.every(isNothing) || before.at(-1)?.endedBy !== "&&";
}

const isNothing = ({ words: [program = "", ...args] }: ShellCommand): boolean =>
  program === "true" ||
  program === ":" ||
  program === "echo" ||
  program === "printf" ||
  (program === "exit" && (args[0] ?? "0") === "0");
