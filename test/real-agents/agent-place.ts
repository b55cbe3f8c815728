/**
 * A place for one real agent behind its adapter: a worktree, a fresh HOME, the scripted model; all gone after the body.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { agentNamed } from "../../src/agents/start-agent.ts";
import { classifyByStandardRules as classify } from "../../src/core/rules/standard.ts";
import type { Step } from "../../src/core/stuck/step.ts";
import type { AgentRequest } from "../../src/runtime/ports-agent.ts";
import type { AgentReport, AgentResult } from "../../src/runtime/agent-result.ts";
import type { ModelRequest, Scenario } from "../../src/testing/model-server/scenario.ts";
import { startModelServer } from "../../src/testing/model-server/server.ts";
import { commonEnvironment, configure, freshFolder, type AgentName } from "./agent-home.ts";

export interface Attempted {
  readonly result: AgentResult;
  readonly report: AgentReport;
  /** What the core makes of the reported error. */
  readonly kind: string | undefined;
  readonly steps: readonly Step[];
  readonly ms: number;
}

export interface AgentPlace {
  readonly cwd: string;
  requests(): readonly ModelRequest[];
  attempt(more?: Partial<AgentRequest>): Promise<Attempted>;
}

const LIMITS = { idleMs: 60_000, totalMs: 120_000 };

/** `adapter`: another way to it than its own adapter, as a plan names it; `more`: of the user's environment. */
export async function withAgent(
  name: AgentName,
  scenario: Scenario,
  body: (here: AgentPlace) => Promise<void>,
  adapter: string = name,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = freshFolder();
  const server = await startModelServer({ scenario }, { forAgents: true });
  try {
    const home = join(folder, "home");
    const cwd = join(folder, "tree");
    for (const path of [home, cwd]) mkdirSync(path);
    execFileSync("git", ["init", "-q", cwd]);
    const variables = configure(name, home, server.at("scenario", "run"));
    const env = { ...commonEnvironment(home), ...variables, ...more };
    // Processes are known by it: no two places may share one.
    const run = basename(folder);
    let number = 0;
    await body({
      cwd,
      requests: () => server.requests("run"),
      attempt(more = {}) {
        number += 1;
        const attemptFolder = join(folder, `attempt-${number}`);
        mkdirSync(attemptFolder);
        const attemptId = `${run}/subtask/${number}`;
        return attempted(adapter, {
          place: { run, subtask: "subtask", attemptId, slot: 0 },
          prompt: "Create hello.txt",
          cwd,
          folder: attemptFolder,
          env,
          limits: LIMITS,
          ...more,
        });
      },
    });
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attempted(name: string, request: AgentRequest): Promise<Attempted> {
  const started = Date.now();
  const steps: Step[] = [];
  const agent = agentNamed(name);
  assert.ok(agent !== undefined);
  const start = await agent.start({ ...request, onStep: (step) => steps.push(step) });
  assert.ok(start.ok, start.ok ? "" : start.problem);
  start.attempt.release();
  const result = await start.attempt.result;
  assert.deepEqual(result.survivors, []);
  const { report } = result;
  assert.ok(report !== undefined, "an agent with typed output has a report");
  const kind = report.error === undefined ? undefined : classify(report.error).kind;
  return { result, report, kind, steps, ms: Date.now() - started };
}
