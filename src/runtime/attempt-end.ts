/**
 * Translates what an ended attempt left behind into an input for the core: signals of progress, approach, answer and
 * evidence. Pure translation: `decide` interprets it.
 */
import { questionIn } from "../core/agent-words/question.ts";
import { closingOf } from "../core/agent-words/closing.ts";
import { reportedLack } from "../core/agent-words/reported-lack.ts";
import type { Budget } from "../core/budget.ts";
import { defined } from "../core/defined.ts";
import type { Evidence } from "../core/evidence.ts";
import type { FailureKind } from "../core/kinds.ts";
import { cleanText, cleanLine } from "../core/foreign-text.ts";
import { makeFailure, type Failure } from "../core/failure.ts";
import type { SubtaskPlan } from "../core/plan/run-plan.ts";
import {
  changeSignal,
  checklistIn,
  checklistSignal,
  markerSignal,
  progressMarkers,
} from "../core/progress/progress-score.ts";
import { maskedHash } from "../core/masked-hash.ts";
import { outputNovelty } from "../core/progress/output-novelty.ts";
import type { AttemptLeftovers, InputOf } from "../core/run/input.ts";
import { patternName } from "../core/stuck/pattern-words.ts";
import type { SubtaskState } from "../core/run/subtask-state.ts";
import { validateJsonAnswer } from "../core/validate/json-answer.ts";
import { FOLDER_GONE, type AgentResult } from "./agent-result.ts";
import type { FinishedTree } from "./ports-workspace.ts";

export function attemptRemains(
  result: AgentResult,
  tree: FinishedTree,
  { lastOutput, seen }: Pick<SubtaskState, "lastOutput" | "seen">,
  observations: readonly number[],
): AttemptLeftovers {
  const { treeBefore, treeAfter, changedLines, files, protectedFiles } = tree;
  const { report, transcript } = result;
  const { bytes, sha256, complete } = transcript;
  const said = saidBy(result);
  const output = cleanText(said, { maxChars: 4000 });
  const known = new Set(seen);
  const observed = observations.filter((hash) => !known.has(hash));
  const marked = markersIn(said).filter((hash) => !known.has(hash));
  const given = answerGiven(result);
  const words = { asks: report?.asked ?? questionIn(given), lacks: reportedLack(given) };
  return {
    treeBefore,
    treeAfter,
    approach: approachOf(said),
    output,
    signals: {
      outputNovelty: outputNovelty(lastOutput, output),
      change: changeSignal(changedLines),
      markers: markerSignal(marked.length),
      checklist: checklistSignal(checklistIn(lastOutput), checklistIn(output)),
    },
    ...(observed.length > 0 ? { observed } : {}),
    ...(marked.length > 0 ? { marked } : {}),
    used: usedOf(result),
    ...(report?.usage.estimated === true ? { estimated: true as const } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...defined({ refused: report?.refusals }),
    ...defined({ ...words, closing: closingOf(given, words) }),
    ...(protectedFiles.length > 0 ? { protectedFiles } : {}),
    transcript: { bytes, sha256, complete },
    ...(report?.sessionLost === true ? { sessionLost: true } : {}),
    ...defined({ session: report?.session }),
  };
}

/** One hash per distinct text, however often it occurs. */
const markersIn = (said: string): readonly number[] => [
  ...new Set(
    progressMarkers(said).map((text) =>
      maskedHash(`marker ${text.toLowerCase().replace(/\s+/g, " ")}`),
    ),
  ),
];

/** Usage of an attempt whose agent never started. */
export const NOTHING_USED: Budget = { attempts: 1, usd: 0, tokens: 0, timeMs: 0 };

/** For an attempt that left nothing but its tree. If its owner died, its usage is unknown. */
export function remainsFromTree(
  tree: FinishedTree | undefined,
  used: Budget = {},
): AttemptLeftovers {
  const { treeBefore = "", treeAfter = "", changedLines = 0 } = tree ?? {};
  return {
    treeBefore,
    treeAfter,
    approach: "",
    signals: { outputNovelty: 0, change: changeSignal(changedLines), markers: 0, checklist: 0 },
    used,
  };
}

/** Work that changes files the plan protects is not accepted, whatever the checks say (U13). */
export function protectedFilesFailure({ protectedFiles }: FinishedTree): Failure | undefined {
  if (protectedFiles.length === 0) return undefined;
  const names = protectedFiles.slice(0, 10).join(", ");
  return observedFailure(
    "verification_failed",
    `changed what the plan protects: ${names}`,
    "check",
  );
}

/** The agent's words: its messages if its output is typed, otherwise everything it printed. */
const saidBy = ({ report, stdout }: AgentResult): string => report?.said ?? stdout;

/** Its last message, or everything it printed if its output is not typed. */
const answerGiven = ({ report, stdout }: AgentResult): string => report?.answer ?? stdout;

export function usedOf({ durations, report }: AgentResult): Budget {
  const { usd, tokens } = report?.usage ?? {};
  return { attempts: 1, timeMs: durations.activeMs, ...defined({ usd, tokens }) };
}

/** The exit code alone is never trusted when the agent reports more. */
export function isFinished({ end, report }: Pick<AgentResult, "end" | "report">): boolean {
  const saysSo = report === undefined || (report.completed && report.error === undefined);
  const stayed = end.kind === "killed" && end.reason === "settled" && report?.completed === true;
  return saysSo && (stayed || (end.kind === "exited" && end.code === 0));
}

function approachOf(output: string): string {
  const open = output.indexOf("<approach>");
  const end = open < 0 ? -1 : output.indexOf("</approach>", open);
  return end < 0 ? "" : cleanLine(output.slice(open + "<approach>".length, end), 300);
}

export function answerOf(
  result: AgentResult,
  details: SubtaskPlan,
): NonNullable<InputOf<"attempt-ended">["answer"]> {
  const given = answerGiven(result);
  const text = cleanText(given, { maxChars: 20_000 }).trim();
  const empty = text === "";
  if (details.output === undefined) return { empty, text };
  const { valid, value, error, suggestion } = validateJsonAnswer(given, details.output);
  if (valid) return { empty, text: JSON.stringify(value) };
  const problem = [error ?? "the answer does not fit its schema", suggestion];
  return { empty, text, problem: problem.filter(Boolean).join(" ") };
}

export function evidenceOf(result: AgentResult): Evidence {
  const { end, report } = result;
  if (report?.error !== undefined) return report.error;
  return {
    tool: "agent_cli",
    stdout: saidBy(result),
    stderr: result.stderr,
    ...(end.kind === "exited" ? { exitCode: end.code } : {}),
    ...(end.kind === "signalled" ? { signal: end.signal } : {}),
    ...(result.outOfMemory === true ? { outOfMemory: true } : {}),
    ...(end.kind === "not-started" ? { errno: end.errno, message: whyNotStarted(end) } : {}),
  };
}

/**
 * Failures that only the runtime can observe: its own watchdog fired, a loop, a missing agent. `loop`: the pattern the
 * stuck watch found. `isTimeCapped`: the remaining budget left less time than the attempt's own limit, so being stopped
 * says nothing about its work. `command`: the command the plan starts the agent with, if any.
 */
export function runtimeFailure(
  result: Pick<AgentResult, "end" | "report"> & Partial<Printed>,
  loop: string | undefined,
  isTimeCapped = false,
  command = "",
): Failure | undefined {
  const { end, report } = result;
  if (report?.capped !== undefined)
    return observedFailure("interrupted", `stopped: it had used the ${report.capped} of its cap`);
  if (report?.sessionLost === true && !report.completed)
    return observedFailure("interrupted", "the session it was to go on with is gone");
  switch (end.kind) {
    case "killed":
      if (end.reason === "settled") return undefined;
      if (end.reason === "stop")
        return loop === undefined
          ? observedFailure("interrupted", `stopped: ${end.detail}`)
          : observedFailure(
              "looping",
              `interrupted because it went in circles: ${patternName(loop)}`,
            );
      if (end.reason === "idle")
        return observedFailure("hung", "no output, no change and no CPU time for its idle limit");
      return isTimeCapped
        ? observedFailure("interrupted", "stopped: it had used the time of its cap")
        : observedFailure("timeout", "ran longer than its total limit");
    case "guard-lost":
      return observedFailure("lost", "its guard process was killed from outside");
    case "not-started":
      if (end.errno === "ECANCELED")
        return observedFailure("interrupted", `stopped: ${end.detail}`);
      if (end.errno === FOLDER_GONE) return observedFailure("lost", end.detail);
      return missingAgent(end);
    case "exited":
    case "signalled":
      if (report?.unsafe !== undefined && (report.error === undefined || report.completed))
        return observedFailure("unsafe_action", `it was refused ${report.unsafe}`);
      if (neverRan(result, command))
        return observedFailure(
          "agent_missing",
          `the agent's program cannot be started: ${result.stderr}`,
        );
      // It exited before it could be interrupted. Any other reason it reports outweighs what was observed.
      if (report?.looped !== undefined)
        return observedFailure("looping", `it stopped itself: ${report.looped}`);
      return loop === undefined || report?.error !== undefined || isFinished(result)
        ? undefined
        : observedFailure("looping", `it went in circles until it ended: ${patternName(loop)}`);
  }
}

/** The attempt was ended for going on too long without progress; if it ended by itself, its own end counts. */
export const overrunFailure = (
  { end }: Pick<AgentResult, "end">,
  overrun: string | undefined,
): Failure | undefined =>
  overrun !== undefined && end.kind === "killed" && end.reason === "stop"
    ? observedFailure("no_progress", overrun)
    : undefined;

/** Why a program could not be started, and what the user can do. Not used when the machine is short of a resource. */
const NO_PROGRAM: Readonly<Record<string, string>> = {
  ENOENT: "install it, or name another agent",
  ENOTDIR: "give the path of a program",
  EACCES: "give the path of a program that may be executed (chmod +x)",
  EPERM: "give the path of a program that may be executed",
  EISDIR: "give the path of a program, not of a folder",
  ENOEXEC: "give it a #! line, or install the build for this machine",
  ELOOP: "its links lead in a circle: install it anew",
};

type NotStarted = Extract<AgentResult["end"], { readonly kind: "not-started" }>;

const adviceOn = (errno: string): string | undefined =>
  Object.hasOwn(NO_PROGRAM, errno) ? NO_PROGRAM[errno] : undefined;

const whyNotStarted = ({ errno, detail }: NotStarted): string =>
  [detail, adviceOn(errno)].filter((part) => part !== undefined).join("; ");

function missingAgent(end: NotStarted): Failure | undefined {
  if (adviceOn(end.errno) === undefined) return undefined;
  const what = end.errno === "ENOENT" ? "is not there" : "cannot be started";
  return observedFailure("agent_missing", `the agent's program ${what}: ${whyNotStarted(end)}`);
}

type Printed = Pick<AgentResult, "stdout" | "stderr">;

/**
 * A shell that cannot start the command prints one line and exits with 126 or 127, with no other output. It was the
 * agent that failed to start if the shell was to become it (exec) or the command names it: the shell of one of its
 * tools prints the same line.
 */
function neverRan(
  { end, stdout = "", stderr = "" }: Pick<AgentResult, "end"> & Partial<Printed>,
  command: string,
): boolean {
  if (end.kind !== "exited" || (end.code !== 126 && end.code !== 127)) return false;
  const refused = stdout.trim() === "" ? SHELL_REFUSAL.exec(stderr.trim()) : null;
  const [, isExec, name = ""] = refused ?? [];
  return refused !== null && (isExec !== undefined || command.includes(name));
}

const SHELL_REFUSAL =
  /^[^\n]{0,600}?(exec: )?([^\s:]{1,400}): (?:Permission denied|(?:command )?not found|No such file or directory|Is a directory|cannot execute[^\n]{0,80}|Exec format error|bad interpreter[^\n]{0,80})$/i;

export function observedFailure(
  kind: FailureKind,
  because: string,
  origin: Failure["origin"] = "agent",
): Failure {
  const line = cleanLine(because, 300);
  return makeFailure({ kind, origin, because: [line], signedBy: `${kind} ${line}` });
}
