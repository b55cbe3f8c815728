/**
 * The stuck detector: one step in, one verdict out. Invariants: O(1) amortised per step; bounded memory (at most 16
 * runs at a time); a verdict depends on the steps alone, not on how a stream was split; infrastructure failures change
 * nothing; no verdict while a wait is scheduled; a person's message or a new task resets everything.
 */
import { hashNumber, hashPair } from "../hash.ts";
import { readCall } from "./call.ts";
import { DEFAULT_STUCK_CONFIG, type StuckConfig } from "./config.ts";
import { noteTree } from "./edits.ts";
import { standaloneEventOf, eventOf, unseenEvent, type OpenCall } from "./event.ts";
import type { CallEvent, Origin } from "./event.ts";
import { noteFailingSet, noteFailureOutsideTools, noteRefusal } from "./failing.ts";
import { noteText } from "./messages.ts";
import { readLines, RepeatedLines } from "./repeated-lines.ts";
import { lastResultOf } from "./repeats.ts";
import { firstErrorLine } from "./results/result-text.ts";
import { namesHash } from "./results/failing-names.ts";
import { reportsOwnLoop } from "./results/own-loop.ts";
import { infrastructureOf } from "./results/infrastructure-text.ts";
import {
  forgetTalk,
  endTurn,
  forgetCalls,
  noteCompaction,
  noteEvent,
  noteUnseen,
  retryStream,
  RunState,
} from "./run-state.ts";
import type { Step, ToolCallStep, ToolResultStep, WorldStep } from "./step.ts";
import { factsOf, type ToolFacts } from "./tools.ts";
import { judge } from "./findings.ts";
import { NO_VERDICT, type StuckVerdict } from "./verdict.ts";

export interface StuckDetector {
  step(step: Step): StuckVerdict;
}

const MAX_RUNS = 16;
const MAX_OPEN = 64;
const MAX_TOOLS = 256;

class Detector {
  readonly config: StuckConfig;
  /** Most recently used last. */
  readonly runs = new Map<string, RunState>();
  current: { readonly id: string; readonly run: RunState } | undefined;
  readonly tools = new Map<string, ToolFacts>();
  steps = 0;
  tokens = 0;
  usd = 0;

  constructor(config: StuckConfig) {
    this.config = config;
  }
}

export function createStuckDetector(config: StuckConfig = DEFAULT_STUCK_CONFIG): StuckDetector {
  const detector = new Detector(config);
  return { step: (step) => (config.enabled ? recordAndJudge(detector, step) : NO_VERDICT) };
}

/** The verdicts after the last past step that is not a call, and after this step. No other verdicts are computed. */
export function verdictsAround(
  past: readonly Step[],
  step: Step,
): { readonly before: StuckVerdict; readonly now: StuckVerdict } {
  const detector = new Detector(DEFAULT_STUCK_CONFIG);
  const last = past.findLastIndex(({ kind }) => kind !== "tool_call");
  let before = NO_VERDICT;
  past.forEach((one, at) => {
    if (at === last) before = recordAndJudge(detector, one);
    else recordStep(detector, one);
  });
  return { before, now: recordAndJudge(detector, step) };
}

function recordStep(detector: Detector, step: Step): RunState {
  const origin = now(detector);
  detector.steps += 1;
  detector.tokens += step.tokens ?? 0;
  detector.usd += step.usd ?? 0;
  return note(detector, step, origin);
}

const now = ({ steps, tokens, usd }: Detector): Origin => ({ step: steps, tokens, usd });

function recordAndJudge(detector: Detector, step: Step): StuckVerdict {
  const run = recordStep(detector, step);
  if (run.waiting || run.warned) return NO_VERDICT;
  return judge(run, detector.config, now(detector));
}

function note(detector: Detector, step: Step, origin: Origin): RunState {
  const id = step.runId ?? "";
  const resets = detector.config.person_resets && step.kind === "user_message" && !step.automated;
  if (resets || step.kind === "new_task") return resetRun(detector, id);
  const run = runOf(detector, id);
  switch (step.kind) {
    case "tool_call":
      noteCall(detector, run, step, origin);
      break;
    case "tool_result":
      noteResult(detector, run, step, origin);
      break;
    case "message":
      run.waiting = false;
      noteText(step.channel === "thought" ? run.thought : run.answer, step, origin);
      if (step.channel === "output")
        readLines((run.printed ??= new RepeatedLines()), step.text, origin);
      break;
    case "error":
      if (reportsOwnLoop(step.text)) run.reported = origin;
      else noteError(detector, run, step.text, origin);
      break;
    case "world":
      noteWorld(run, step, origin);
      break;
    case "loop_report":
      run.reported = origin;
      break;
    case "user_message":
      endTurn(run);
      run.waiting = false;
      run.warned = step.automated === true;
      break;
    case "turn_end":
      endTurn(run);
      break;
    case "compaction":
      noteCompaction(run, origin);
      break;
    case "stream_retry":
      retryStream(run);
      break;
    case "wait":
      run.waiting = true;
      // A wait before the next call means polling, unless a loop was already under way.
      run.afterWait ||= run.rows.same.count <= 1 || run.rows.past.at(-1)?.poll === true;
  }
  return run;
}

function runOf(detector: Detector, id: string): RunState {
  const { runs, current } = detector;
  if (current !== undefined && current.id === id) return current.run;
  const run = runs.get(id) ?? new RunState();
  runs.delete(id);
  runs.set(id, run);
  detector.current = { id, run };
  const [oldest = id] = runs.keys();
  if (runs.size > MAX_RUNS) runs.delete(oldest);
  return run;
}

function resetRun(detector: Detector, id: string): RunState {
  const run = new RunState();
  run.resultsSeen = runOf(detector, id).resultsSeen;
  detector.runs.set(id, run);
  detector.current = { id, run };
  return run;
}

function toolOf({ tools, config }: Detector, name: string): ToolFacts {
  const known = tools.get(name);
  if (known !== undefined) return known;
  if (tools.size >= MAX_TOOLS) tools.clear();
  const facts = factsOf(name, config);
  tools.set(name, facts);
  return facts;
}

function noteCall(detector: Detector, run: RunState, step: ToolCallStep, origin: Origin): void {
  run.waiting = false;
  forgetTalk(run);
  const call = readCall(toolOf(detector, step.tool), step.args);
  const duplicate = step.round !== undefined && isRepeatInRound(run, step.round, call.key);
  const open: OpenCall = { call, origin, id: step.id, round: step.round, duplicate };
  run.open.push(open);
  if (run.open.length > MAX_OPEN) run.open.shift();
  if (duplicate || call.tool.exempt) return;
  run.calls += 1;
  run.firstCall ??= origin;
  if (run.resultsSeen) run.next = open;
  else noteUnseen(run, unseenEvent(open));
}

function isRepeatInRound(run: RunState, round: number | string, key: number): boolean {
  const hash = hashPair(hashNumber(String(round)), key);
  if (run.roundKeys.has(hash)) return true;
  if (run.roundKeys.size >= MAX_OPEN) run.roundKeys.clear();
  run.roundKeys.add(hash);
  return false;
}

function noteResult(detector: Detector, run: RunState, step: ToolResultStep, origin: Origin): void {
  run.waiting = false;
  forgetTalk(run);
  const open = takeOpen(run, step);
  if (!run.resultsSeen) {
    run.resultsSeen = true;
    run.unseen = [];
    forgetCalls(run);
  }
  if (open === undefined) noteAlone(detector, run, step, origin);
  else if (!open.duplicate) {
    const event = step.veto === true ? vetoed(run, open) : eventOf(open, step);
    if (event !== undefined) noteEvent(run, event);
    else {
      run.calls -= 1;
      // A refused subagent is the provider's problem.
      if (open.call.kind !== "delegate" && infrastructureOf(step.output, true) === "refusal")
        noteRefusal(run.failing, open.call, open.origin, firstErrorLine(step.output));
    }
  }
  run.next = run.open.findLast(
    ({ duplicate, origin: made, call }) =>
      made.step > run.lastEventStep && !duplicate && !call.tool.exempt,
  );
}

/** Where calls have no ids, an error may be the result of a call. */
function noteError(detector: Detector, run: RunState, text: string, origin: Origin): void {
  if (run.open.some((one) => one.id === undefined))
    noteResult(detector, run, { kind: "tool_result", output: text, isError: true }, origin);
  else if (infrastructureOf(text, true) === undefined)
    noteFailureOutsideTools(run.failing, origin, firstErrorLine(text));
}

/** Our own guard refused the call. Nothing ran, so the previous result stands. */
const vetoed = (run: RunState, open: OpenCall): CallEvent => ({
  ...unseenEvent(open),
  outcome: "ok",
  hash: lastResultOf(run.memory, open.call.key) ?? 0,
});

function noteAlone(detector: Detector, run: RunState, step: ToolResultStep, origin: Origin): void {
  const call = readCall(toolOf(detector, step.tool ?? "agent"), undefined);
  const open = { call, origin, id: undefined, round: undefined, duplicate: false };
  const event = step.isError === true ? eventOf(open, step) : standaloneEventOf(open, step.output);
  if (event !== undefined) noteEvent(run, event);
}

/** By id if calls have ids; otherwise the oldest open call of that tool, or the oldest of all. */
function takeOpen(run: RunState, step: ToolResultStep): OpenCall | undefined {
  const { open } = run;
  const byId = step.id !== undefined && open.some((one) => one.id !== undefined);
  const at = open.findIndex((one) => {
    if (byId) return one.id === step.id;
    return step.tool === undefined || one.call.tool.name === step.tool;
  });
  return at === -1 ? undefined : open.splice(at, 1)[0];
}

function noteWorld(run: RunState, { tree, failing }: WorldStep, origin: Origin): void {
  if (tree !== undefined && noteTree(run.edits, tree, origin)) {
    run.progress = true;
    run.grind.count = 0;
  }
  if (failing === undefined) return;
  if (failing.length > 0)
    noteFailingSet(run.failing, namesHash(failing), run.edits, { origin, failure: undefined });
  else {
    run.failing.sets.clear();
    run.failing.set = undefined;
  }
}
