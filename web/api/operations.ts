/** The operations the page uses, with their input and output types. Types only: no server code ends up in the page. */
import type * as z from "zod";
import type * as goal from "../../src/operations/goal/schemas.ts";
import type * as learning from "../../src/operations/learning/schemas.ts";
import type * as logs from "../../src/operations/logs/schemas.ts";
import type * as notes from "../../src/operations/notes/schemas.ts";
import type { outlineRun } from "../../src/operations/follow/outline-schema.ts";
import type * as planning from "../../src/operations/planning/schemas.ts";
import type * as reading from "../../src/operations/runs/reading-schemas.ts";
import type * as runs from "../../src/operations/runs/schemas.ts";

interface Pair {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}
interface Of<T extends Pair> {
  readonly input: z.input<T["input"]>;
  readonly output: z.output<T["output"]>;
}

export interface Reads {
  readonly list: Of<typeof reading.listRuns>;
  readonly read: Of<typeof reading.readRun>;
  readonly outline: Of<typeof outlineRun>;
  readonly explain: Of<typeof reading.explainRun>;
  readonly diff: Of<typeof reading.diffRun>;
  readonly logs: Of<typeof logs.readLogs>;
  readonly prompt: Of<typeof logs.readPrompt>;
  readonly inbox: Of<typeof reading.inbox>;
  readonly review: Of<typeof reading.reviewQuestions>;
  readonly metrics: Of<typeof reading.measureRecovery>;
  readonly stats: Of<typeof learning.showStats>;
  readonly "memory-list": Of<typeof learning.listMemory>;
  readonly "goal-agent": Of<typeof goal.findAgent>;
  readonly "found-here": Of<typeof goal.foundHere>;
  readonly "check-plan": Of<typeof planning.checkPlan>;
  readonly "agent-questions": Of<typeof notes.agentQuestions>;
}

export interface Changes {
  readonly answer: Of<typeof runs.answerQuestion>;
  readonly stop: Of<typeof runs.stopRun>;
  readonly cancel: Of<typeof runs.cancelRun>;
  readonly "answer-agent": Of<typeof notes.answerAgent>;
  readonly "prepare-goal": Of<typeof goal.prepareGoal>;
  readonly resume: { readonly input: { readonly run: string }; readonly output: unknown };
  readonly start: {
    readonly input: z.input<(typeof runs.startRun)["input"]>;
    readonly output: { readonly run: string };
  };
}

export type LogEntry = z.output<typeof logs.logEntry>;
export type ListedRun = Reads["list"]["output"]["runs"][number];
export type RunOutline = Reads["outline"]["output"];
/** The parts of an outline that tell whether the run can still change. */
export type Standing = Pick<RunOutline, "stopped" | "paused" | "ended">;
export type OutlinedSubtask = RunOutline["subtasks"][number];
export type OutlinedAttempt = OutlinedSubtask["attempts"][number];
export type ExplainedDecision = Reads["explain"]["output"]["decisions"][number];
export type InboxQuestion = Reads["inbox"]["output"]["questions"][number];
export type RunState = ListedRun["state"];
export type Phase = OutlinedSubtask["phase"];
