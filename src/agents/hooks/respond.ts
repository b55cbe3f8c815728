/**
 * The hook's answer to an event. Anything that needs other processes (checks) or heavy libraries (schemas) is provided
 * by the caller and used only when needed. Invariant: every step is remembered exactly once, whatever the answer.
 */
import { defined } from "../../core/defined.ts";
import { commandOfCall } from "../../core/shell/command-of-call.ts";
import { destructive } from "../../core/shell/destructive.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { AfterTool, BeforeTool, HookAnswer, HookEvent } from "./hook-event.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { mayBeRefused, mayLoop } from "./repeats.ts";
import { stepOf } from "./hook-step.ts";
import type { Remembered, SessionLog } from "./session-log.ts";

/** How a rejected stop begins: agents that turn it into a prompt pass it back to us as one. */
export const SENT_BACK = "Unstuck: the checks do not pass yet";
/** For one session, whatever its prompts: a backstop for agents whose stops cannot be counted correctly. */
const MAX_SENT_BACK = 20;

export interface HookContext {
  /** The agent's own tools. */
  readonly tools: readonly string[];
  readonly log: SessionLog;
  /** Loaded only if something failed or repeated, which is rare. */
  readonly diagnosis: () => Diagnosis;
  /** What is wrong with the call according to the known tools; undefined if nothing is. */
  readonly problemOf?: (event: BeforeTool) => string | undefined;
  /** Why the checks speak against a stop, in words for the agent; undefined if they do not. */
  readonly complaint?: (sentBack: number) => string | undefined;
}

export function respond(event: HookEvent, around: HookContext): HookAnswer | undefined {
  switch (event.kind) {
    case "before-tool":
      return beforeTool(event, around);
    case "after-tool":
      return afterTool(event, around);
    case "stop":
      return stop(event, around);
    case "prompt":
    case "compaction":
      remember(event, around);
      return undefined;
    case "model-failure":
      return undefined;
  }
}

const stepsOf = ({ lines }: SessionLog): Step[] =>
  lines.flatMap((line) => ("step" in line ? [line.step] : []));

function remember(event: HookEvent, { log }: HookContext, more: readonly Remembered[] = []): void {
  const step = stepOf(event, event.kind === "prompt" && event.text.includes(SENT_BACK));
  log.add(step === undefined ? more : [{ step }, ...more]);
}

function beforeTool(event: BeforeTool, around: HookContext): HookAnswer | undefined {
  const step = stepOf(event, false);
  if (step?.kind !== "tool_call") return undefined;
  const past = stepsOf(around.log);
  const problem = around.problemOf?.(event) ?? unsafeCall(event);
  const loop =
    problem === undefined && mayBeRefused(past, step)
      ? around.diagnosis().refusal(past, step)
      : undefined;
  const words = problem ?? loop;
  if (words === undefined) {
    remember(event, around);
    return undefined;
  }
  const { tool, id, runId } = step;
  const veto: Step = {
    ...{ kind: "tool_result", tool, output: "", veto: true },
    ...defined({ id, runId }),
  };
  remember(event, around, [{ step: veto }]);
  if (loop === undefined || refusalsInARow(past) + 1 < MAX_REFUSALS)
    return { kind: "refuse", words };
  const ended = `Unstuck ended this turn: the agent went on after ${MAX_REFUSALS - 1} refusals.`;
  return { kind: "end", words: `${ended} ${words}` };
}

/** The turn is ended at this many refusals of a loop in a row: an agent that continues is not listening. */
const MAX_REFUSALS = 3;

/** How many calls were refused since anything ran or a person wrote. */
function refusalsInARow(past: readonly Step[]): number {
  const ran = past.findLastIndex(
    (step) =>
      (step.kind === "tool_result" && step.veto !== true) ||
      (step.kind === "user_message" && step.automated !== true),
  );
  return past.slice(ran + 1).filter((step) => step.kind === "tool_result").length;
}

/** Protects the machine's own files and disks, whatever the agent's settings allow. */
function unsafeCall({ args }: BeforeTool): string | undefined {
  const command = commandOfCall(args);
  const found = command === undefined ? undefined : destructive(command);
  return found?.of === "machine"
    ? `Unstuck refused this command, because it ${found.why}. Do without it, or ask the user to run it by hand.`
    : undefined;
}

function afterTool(event: AfterTool, around: HookContext): HookAnswer | undefined {
  const { tools, log, diagnosis } = around;
  if (wasRefused(log, event.id)) return undefined;
  const step = stepOf(event, false);
  const isNews = event.outcome !== "ok" && !wasSeen(log, step);
  const hint = isNews ? diagnosis().recoveryHint(tools, event) : undefined;
  const known = log.lines.some((line) => "hinted" in line && line.hinted === hint?.signature);
  const isNew = hint !== undefined && !known;
  remember(event, around, isNew ? [{ hinted: hint.signature }] : []);
  const past = stepsOf(log);
  const nudged =
    step !== undefined && mayLoop(past, step) ? diagnosis().nudge(past, step) : undefined;
  const said = [...(isNew ? [hint.words] : []), ...(nudged === undefined ? [] : [nudged])];
  return said.length === 0 ? undefined : { kind: "hint", words: said.join("\n\n") };
}

/** An identical failure gets no second hint, so it need not be diagnosed again. */
const wasSeen = (log: SessionLog, step: Step | undefined): boolean =>
  step?.kind === "tool_result" &&
  stepsOf(log).some((one) => one.kind === "tool_result" && one.output === step.output);

/** Some agents report a refused call as a failed one. */
const wasRefused = (log: SessionLog, id: string | undefined): boolean =>
  id !== undefined &&
  stepsOf(log).some((step) => step.kind === "tool_result" && step.veto === true && step.id === id);

function stop(event: HookEvent, around: HookContext): HookAnswer | undefined {
  const { log, complaint } = around;
  const words = complaint?.(rejectedStops(log));
  remember(event, around, words === undefined ? [] : [{ sentBack: true }]);
  return words === undefined ? undefined : { kind: "send-back", words };
}

/** How many stops were rejected since a person last wrote; Infinity once the session's maximum is reached. */
export function rejectedStops({ lines }: SessionLog): number {
  const all = lines.filter((line) => "sentBack" in line).length;
  const spoke = lines.findLastIndex(
    (line) => "step" in line && line.step.kind === "user_message" && line.step.automated !== true,
  );
  const since = lines.slice(spoke + 1).filter((line) => "sentBack" in line).length;
  return all >= MAX_SENT_BACK ? Infinity : since;
}
