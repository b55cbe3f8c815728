/**
 * How HTTP exposes every operation: as a read (GET, or POST if its input is long), as a change (POST), or not at all.
 * Invariants: each operation is listed exactly once, so adding one is a decision; whatever changes something or runs a
 * command is a change; a run started or resumed over HTTP gets a process of its own.
 */
import type { z } from "zod";
import * as advice from "../operations/advice/advice.ts";
import { excerptOutput } from "../operations/advice/excerpt.ts";
import { listWorkers } from "../operations/fleet/list-workers.ts";
import { foundHere } from "../operations/goal/found-here.ts";
import { chooseAgent, findAgent } from "../operations/goal/goal-agent.ts";
import { agreeToStart, prepareGoal } from "../operations/goal/prepare-goal.ts";
import * as memory from "../operations/learning/memory.ts";
import * as stats from "../operations/learning/stats.ts";
import { readLogs } from "../operations/logs/read-logs.ts";
import { readPrompt } from "../operations/logs/read-prompt.ts";
import { agentQuestions, answerAgent } from "../operations/notes/notes.ts";
import { notifyStatus, sendNotices, testNotify } from "../operations/notify/notify.ts";
import type { Context, Result } from "../operations/operation.ts";
import { acceptPlan, planPlace } from "../operations/planning/accept-plan.ts";
import { checkPlan } from "../operations/planning/check-plan.ts";
import { draftPlan } from "../operations/planning/draft-plan.ts";
import { openPullRequest } from "../operations/pulls/pull-request.ts";
import { answerQuestion } from "../operations/questions/answer.ts";
import { cleanRuns } from "../operations/runs/clean.ts";
import { followRun } from "../operations/follow/follow.ts";
import * as history from "../operations/runs/history.ts";
import { inbox } from "../operations/questions/inbox.ts";
import { outlineRun } from "../operations/follow/outline.ts";
import { reviewQuestions } from "../operations/questions/review.ts";
import { reportRun } from "../operations/report/report.ts";
import { applyRun, diffRun, undoRun } from "../operations/runs/result.ts";
import { cancelRun, resumeAll, stopRun } from "../operations/runs/resume.ts";
import { listRuns } from "../operations/runs/status.ts";
import { resumeInBackground, startInBackground } from "../operations/serve/background.ts";
import { examine } from "../operations/setup/doctor.ts";
import { writePlan } from "../operations/setup/init.ts";
import { tryChecks } from "../operations/setup/try-on-base.ts";
import { readRun } from "../operations/status/read-run.ts";

/** An operation whose input has been checked by its own schema. */
export interface AnyOperation {
  readonly name: string;
  readonly schemas: () => Promise<{ readonly input: z.ZodType; readonly output: z.ZodType }>;
  readonly run: (
    context: Context,
    input: never,
    on?: (happening: unknown) => void,
  ) => Promise<Result<unknown>>;
}
type Routes = Readonly<Record<string, AnyOperation>>;

const byName = (operations: readonly AnyOperation[]): Routes =>
  Object.fromEntries(operations.map((operation) => [operation.name, operation]));

export const READS: Routes = byName([
  listRuns,
  listWorkers,
  readRun,
  outlineRun,
  inbox,
  reviewQuestions,
  followRun,
  readLogs,
  readPrompt,
  diffRun,
  history.explainRun,
  history.measureRecovery,
  history.exportRun,
  reportRun,
  stats.showStats,
  stats.exportStats,
  memory.listMemory,
  memory.showMemory,
  agentQuestions,
  findAgent,
  planPlace,
  checkPlan,
  foundHere,
  examine,
  advice.classifyFailure,
  advice.suggestRepair,
  advice.validateAnswer,
  excerptOutput,
  advice.showPolicy,
  advice.checkPolicy,
  advice.policySchema,
  notifyStatus,
]);

export const CHANGES: Routes = {
  start: startInBackground,
  resume: resumeInBackground,
  ...byName([
    resumeAll,
    stopRun,
    cancelRun,
    answerQuestion,
    answerAgent,
    applyRun,
    undoRun,
    openPullRequest,
    cleanRuns,
    history.importRun,
    prepareGoal,
    agreeToStart,
    chooseAgent,
    tryChecks,
    draftPlan,
    acceptPlan,
    writePlan,
    memory.forgetMemory,
    stats.resetStats,
    stats.importStats,
    testNotify,
    sendNotices,
  ]),
};

/** Operations that HTTP does not offer, each with the reason. */
export const NOT_OVER_HTTP: Readonly<Record<string, string>> = {
  "hook-install": "changes the settings of agents on this machine",
  "hook-uninstall": "changes the settings of agents on this machine",
  "service-install": "starts programs with this machine",
  "service-uninstall": "starts programs with this machine",
  "known-names": "completes words in a shell",
  "record-attempt": "is a tool for agents, over MCP",
  "attempt-history": "is a tool for agents, over MCP",
  "ask-person": "is a tool for agents, over MCP",
  "token-create": "whoever holds a token may not make another",
  "token-list": "whoever holds a token need not know the others",
  "token-revoke": "whoever holds a token may not take others away",
  "answer-by-token": "has a door of its own: whoever has a button's token need not sign in",
  "step-summary": "writes where a step of GitHub Actions says",
  detect: "reads a stream",
  "detect-case": "reads a stream",
  "simulate-history": "would keep the server busy for minutes",
  simulate: "would keep the server busy for minutes",
  "work-for-fleet": "works until it is told to stop",
  "dev-fleet": "works until it is told to stop",
  submit: "clones a repository that whoever asks names",
  "limit-fleet": "would ask an address that whoever asks names",
};
