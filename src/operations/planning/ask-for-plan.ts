/**
 * Asks an agent for a plan in a throw-away tree, and asks again with the errors until its answer is a plan. Invariants:
 * at most `ASKED_AGAIN_MAX` retries; time-limited; an agent that fails is not an answer, and the error says why and
 * what to do; nothing in the answer is run.
 */
import { adviceFor, PLAN_AGENTS } from "../../agents/registry.ts";
import { classify } from "../../core/classify/classify.ts";
import { count } from "../../core/amounts.ts";
import type { Evidence } from "../../core/evidence.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { readPlanAnswer, type WrittenPlan } from "../../core/plan/plan-answer.ts";
import { planRequest, type PlanSources } from "../../core/plan/plan-request.ts";
import { standardRules } from "../../core/rules/standard.ts";
import type { AgentResult, ProcessEnd } from "../../runtime/agent-result.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { defined, ProblemError } from "../operation.ts";
import type { PlanningAgent } from "./planning-agent.ts";
import { inThrowAwayTree, type ThrowAwayTree } from "./throw-away-tree.ts";

export const ASKED_AGAIN_MAX = 3;
const LIMITS = { totalMs: 30 * 60_000, idleMs: 10 * 60_000 };

export type PlanHappening =
  | { readonly kind: "asked"; readonly agent: string }
  | { readonly kind: "asked-again"; readonly time: number; readonly problems: readonly string[] };

export interface AskedPlan {
  readonly plan: WrittenPlan;
  readonly asked: number;
  /** Absent if the agent does not report it. */
  readonly usd?: number;
}

export function askForPlan(
  repository: Inspection,
  planner: PlanningAgent,
  sources: PlanSources,
  { signal, on }: { readonly signal?: AbortSignal; readonly on: (what: PlanHappening) => void },
): Promise<AskedPlan> {
  return inThrowAwayTree(repository, signal, async (tree) => {
    let problems: readonly string[] = [];
    let session: string | undefined;
    let usd: number | undefined;
    for (let time = 0; time <= ASKED_AGAIN_MAX; time += 1) {
      on(
        time === 0
          ? { kind: "asked", agent: planner.named }
          : { kind: "asked-again", time, problems },
      );
      const prompt = planRequest(sources, problems);
      const { report, stdout } = await answered(planner, tree, { prompt, time, session, signal });
      if (report?.usage.usd !== undefined) usd = (usd ?? 0) + report.usage.usd;
      session = report?.session;
      const read = readPlanAnswer(report?.answer ?? stdout, PLAN_AGENTS);
      if (read.ok) return { plan: read.plan, asked: time + 1, ...defined({ usd }) };
      ({ problems } = read);
    }
    throw new ProblemError(
      "failed",
      `${cleanLine(planner.named, 80)} wrote no usable plan in ${count(ASKED_AGAIN_MAX + 1, "try", "tries")}:\n` +
        `${problems.map((problem) => `  ${cleanLine(problem, 300)}`).join("\n")}\n` +
        "Say more about the goal, or try another agent with --agent",
    );
  });
}

interface Question {
  readonly prompt: string;
  readonly time: number;
  readonly session: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function answered(
  planner: PlanningAgent,
  { cwd, env, folder }: ThrowAwayTree,
  { prompt, time, session, signal }: Question,
): Promise<AgentResult> {
  const { agent, model } = planner;
  const started = await agent.start({
    place: { run: "plan", subtask: "plan", attemptId: `plan/plan/${time + 1}`, slot: 0 },
    ...{ prompt, cwd, env, folder: folder(`asked-${time + 1}`), limits: LIMITS },
    ...defined({ model, session }),
  });
  if (!started.ok) throw new ProblemError("bad-input", cleanLine(started.problem, 400));
  const { attempt } = started;
  const stop = (): void => attempt.stop("stopped by the person");
  if (signal?.aborted === true) stop();
  else attempt.release();
  signal?.addEventListener("abort", stop, { once: true });
  const result = await attempt.result;
  signal?.removeEventListener("abort", stop);
  if (signal?.aborted === true) throw new ProblemError("not-now", "stopped; nothing was written");
  const { end, report } = result;
  const isFine = end.kind === "exited" && end.code === 0 && report?.error === undefined;
  const isSettled = end.kind === "killed" && end.reason === "settled" && report?.completed === true;
  if (!isFine && !isSettled) throw agentProblem(planner, result);
  return result;
}

function agentProblem({ named, adapter }: PlanningAgent, result: AgentResult): ProblemError {
  const { end, report, stdout, stderr } = result;
  const evidence: Evidence = report?.error ?? {
    ...{ tool: "agent_cli", origin: "agent", stdout, stderr },
    ...(end.kind === "exited" ? { exitCode: end.code } : {}),
    ...(end.kind === "not-started" ? { errno: end.errno } : {}),
  };
  const { kind } = classify(evidence, standardRules());
  const why = evidence.message ?? (stderr.trim() === "" ? stdout : stderr);
  const said = cleanLine(why.trim().split("\n").at(-1) ?? "", 300);
  const advice = adviceFor(adapter, end.kind === "not-started" ? "agent_missing" : kind);
  const name = cleanLine(named, 80);
  return new ProblemError(
    end.kind === "not-started" ? "bad-input" : "failed",
    [
      `${name} ${endWords(end)}${said === "" ? "" : `: ${said}`}`,
      ...(advice === undefined ? [] : [advice]),
    ].join("\n"),
  );
}

function endWords(end: ProcessEnd): string {
  switch (end.kind) {
    case "exited":
      return end.code === 0 ? "failed" : `failed (exit code ${end.code})`;
    case "signalled":
      return `was ended by ${end.signal}`;
    case "killed":
      return end.reason === "total" || end.reason === "idle"
        ? "took too long and was stopped"
        : "was stopped";
    case "not-started":
      return "could not be started";
    case "guard-lost":
      return "was ended from outside";
  }
}
