/**
 * A whole run without git and child processes, for benchmarks: the production supervisor, engine and journal, with an
 * agent, a workspace and a checker in memory. Every subtask fails its checks once and passes after feedback. Not a
 * benchmark by itself.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLAN_AGENTS } from "../../src/agents/registry.ts";
import { readPlan } from "../../src/core/plan/read-plan.ts";
import type { RunPlan } from "../../src/core/plan/run-plan.ts";
import { policyOf } from "../../src/core/adaptive/policy-of.ts";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { systemClock, systemProcesses } from "../../src/engines/system.ts";
import { openJournal } from "../../src/journal/journal.ts";
import type { Agent } from "../../src/runtime/ports-agent.ts";
import type { AgentResult } from "../../src/runtime/agent-result.ts";
import type {
  AttemptTree,
  CheckTrees,
  Checker,
  Commit,
  Commits,
  StandingTrees,
  Workspace,
} from "../../src/runtime/ports-workspace.ts";
import { superviseRun } from "../../src/runtime/supervisor.ts";

export interface Load {
  readonly subtasks: number;
  readonly concurrency: number;
  /** How long an agent takes; if it is long enough, all of them start before the first ends. */
  readonly agentMs?: number;
  /** Length of an agent's output. */
  readonly outputChars?: number;
}

export interface Measured {
  readonly attempts: number;
  readonly events: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The most agents at a time. */
  readonly together: number;
}

export async function runInMemory(load: Load): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
  const processes = systemProcesses();
  const journal = await openJournal({ path: join(folder, "journal.db"), processes });
  try {
    const clock = systemClock();
    const random = (): number => 0.5;
    const failed = Promise.withResolvers<never>();
    const engine = embeddedEngine({
      journal,
      clock,
      random,
      onProblem: (_, e) => failed.reject(e),
    });
    const plan = planOf(load);
    const counts = { attempts: 0, now: 0, together: 0 };
    const ports = {
      ...{
        engine,
        clock,
        random,
        workspace: workspace(),
        standingTrees: standingTrees(),
        commits: commits(),
        checkTrees: checkTrees(),
        checker: checker(),
      },
      agent: () => agent(load, counts),
      proveDead: async () => [],
      redact: (text: string) => text,
      incidents: {
        change: async (_: string, change: (known: undefined) => { answer: unknown }) =>
          change(undefined).answer as never,
      },
      providerOf: () => "scripted",
      advise: () => undefined,
      timeZone: () => "UTC",
      tell: () => {},
      attemptFolder: async () => folder,
      loopWatch: () => () => undefined,
      presence: () => "nobody" as const,
      notify: () => failed.reject(new Error("a person is asked: the benchmark is wrong")),
    };
    const stop = new AbortController().signal;
    const supervised = { run: "bench", plan, ports, running: new Map(), stop, letGo: () => {} };
    const { owned, done } = await superviseRun(supervised, policyOf(plan.policy));
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    const start = { kind: "run-started", run: "bench", plan: plan.plan, pinned: {} } as const;
    await engine.deliver("bench", { ...start, at: clock.now(), chance: 0.5 });
    await Promise.race([done, failed.promise]);
    const { user, system } = process.cpuUsage(cpu);
    const wallMs = performance.now() - wall;
    const events = (await journal.run("bench"))?.seq ?? 0;
    await owned.release();
    const { attempts, together } = counts;
    return { attempts, together, events, wallMs, cpuMs: (user + system) / 1000 };
  } finally {
    await journal.close();
    rmSync(folder, { recursive: true });
  }
}

function planOf({ subtasks, concurrency }: Load): RunPlan {
  const lines = Array.from(
    { length: subtasks },
    (_, index) => `  - { id: s${index}, prompt: "do the work of ${index}", checks: ["check"] }`,
  );
  const text = `agent: in-memory {prompt}\ngrounding: false\nsubtasks:\n${lines.join("\n")}\n`;
  const reading = readPlan(text, {}, PLAN_AGENTS);
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  return { ...reading.value, plan: { ...reading.value.plan, concurrency } };
}

interface Counts {
  attempts: number;
  now: number;
  together: number;
}

const line = "reading the sources and thinking about them; ";

function agent({ agentMs = 0, outputChars = 400 }: Load, counts: Counts): Agent {
  return {
    async start({ place }) {
      counts.attempts += 1;
      const { promise, resolve } = Promise.withResolvers<AgentResult>();
      const end = (): void => {
        counts.now -= 1;
        const own = `<approach>way ${counts.attempts}</approach> ${place.attemptId} done. `;
        resolve(resultOf(own + line.repeat(Math.ceil(outputChars / line.length))));
      };
      const release = (): void => {
        counts.now += 1;
        counts.together = Math.max(counts.together, counts.now);
        if (agentMs === 0) setImmediate(end);
        else setTimeout(end, agentMs);
      };
      const { attemptId } = place;
      const identity = { attemptId, groupId: 1, startTime: "1", bootId: "bench" };
      return { ok: true, attempt: { identity, release, stop: () => {}, result: promise } };
    },
  };
}

const resultOf = (stdout: string): AgentResult => ({
  end: { kind: "exited", code: 0 },
  stdout,
  stderr: "",
  transcript: { path: "", bytes: 0, sha256: "", complete: true },
  durations: { activeMs: 1, sleptMs: 0 },
  leftBehind: 0,
  survivors: [],
  promptBy: "argument",
});

const nameOf = ({ subtask, attempt }: AttemptTree): string => `${subtask}-${attempt}`;
const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
const commitOf = (name: string): Commit => ({ commit: name, tree: name });

function commits(): Commits {
  return {
    ofAttempt: async (place) => ok({ ...commitOf(nameOf(place)), start: "base", markers: [] }),
    join: async (place) =>
      ok({ kind: "joined", ...commitOf(nameOf(place)), onto: "tip", there: false }),
    advance: async () => ok(undefined),
    base: async () => ok(commitOf("base")),
    tip: async () => ok(commitOf("tip")),
  };
}

function checkTrees(): CheckTrees {
  const tree = { cwd: "/", env: {}, slot: 101, cold: true };
  return {
    lend: async (_, work) => ok({ kind: "lent", value: await work(tree), changed: [] }),
    judgingFiles: async () => ok({ changed: [] }),
    leftOut: async () => ok([]),
    inSlot: async (_, work) => ok(await work(tree)),
    unmetDependencies: async () => ok([]),
  };
}

function workspace(): Workspace {
  const tree = { ok: true, value: { cwd: "/", env: {} } } as const;
  return {
    begin: async () => tree,
    finish: async (place) => ({
      ok: true,
      value: {
        treeBefore: nameOf({ ...place, attempt: place.attempt - 1 }),
        treeAfter: nameOf(place),
        changedLines: 20,
        files: [],
        protectedFiles: [],
      },
    }),
    mark: async () => "",
    publish: async () => ({ ok: true, value: { branch: "unstuck/bench", commit: "c" } }),
  };
}

function standingTrees(): StandingTrees {
  const given = async () => ({ ok: true, value: undefined }) as const;
  return { slots: async () => [], release: given, releaseAll: given };
}

/** The first attempt fails both its rounds, the second passes. */
function checker(): Checker {
  return {
    async check({ subtask, memory }) {
      if (memory?.tree !== `${subtask}-1`) return { kind: "passed" };
      const stdout = `not ok 1 - ${subtask} adds up\n  expected 2, got 1`;
      const failing = [`${subtask} adds up`];
      return { kind: "failed", failing, evidence: { exitCode: 1, stdout, origin: "check" } };
    },
    known: (tree) => (tree === "tip" || !tree.endsWith("-1") ? { kind: "passed" } : undefined),
    baseline: async () => ({}),
  };
}
