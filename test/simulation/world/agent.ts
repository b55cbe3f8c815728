/**
 * The Agent port of one simulated process: starts scripted agents on the machine, with a watchdog and kills that
 * take time. Invariants: `result` settles only when the agent is dead, and only for an owner that lives; the
 * watchdog dies with its owner, the agent does not.
 */
import type { Agent, AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type {
  AgentResult,
  ProcessEnd,
  ProcessIdentity,
  RunningAttempt,
} from "../../../src/runtime/agent-result.ts";
import { agentProcess, type AgentProcess } from "./agent-process.ts";
import type { AttemptScript } from "./agent-script.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { Machine } from "./machine.ts";
import type { SimulatedProcess } from "./process.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Stage {
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly record: (happening: Happening) => void;
  readonly write: (cwd: string, file: string, text: string) => void;
  readonly scriptOf: (subtask: string, attempt: number) => AttemptScript;
}

const KILL_MS_MAX = 20_000;
const WAIT_LOOK_MS = 1000;

export function simulatedAgent(stage: Stage, process: SimulatedProcess): Agent {
  return {
    async start(request) {
      const { subtask, attemptId } = request.place;
      const attempt = Number(attemptId.slice(attemptId.lastIndexOf("/") + 1));
      const script = stage.scriptOf(subtask, attempt);
      if (script.refusal !== undefined) return { ok: false, problem: script.refusal };
      return process.effect("agent start", () => {
        const { prompt } = request;
        stage.record({ kind: "agent-started", attemptId, by: process.name, prompt });
        return { ok: true, attempt: running(stage, process, request, script) };
      });
    },
  };
}

function running(
  stage: Stage,
  process: SimulatedProcess,
  request: AgentRequest,
  script: AttemptScript,
): RunningAttempt {
  const { machine, time, chance, record } = stage;
  const { cwd } = request;
  const { attemptId } = request.place;
  const { promise: result, resolve } = Promise.withResolvers<AgentResult>();
  const said: string[] = [];
  const agent = agentProcess({
    ...{ attemptId, cwd, machine, time, script, record, owner: process },
    onWrite: (file, text) => stage.write(cwd, file, text),
    onSay(text) {
      said.push(text);
      if (process.alive())
        request.onStep?.({ kind: "message", text, partial: true, channel: "output" });
    },
    onAsk: (command) =>
      request.askPermission?.({ tool: "execute", command }) ?? Promise.resolve(false),
    onEnd(end, activeMs) {
      const { finale } = script;
      const last = finale.kind === "exit" && end.kind === "exited" ? finale : undefined;
      const words = { stdout: last?.stdout ?? said.join(""), stderr: last?.stderr ?? "" };
      const told = process.inside(() => resolve(resultOf(end, words, activeMs)));
      time.after(chance.between(0, 200), told);
    },
  });
  return {
    identity: identityOf(attemptId, chance),
    release: process.inside(() => {
      record({ kind: "agent-released", attemptId, by: process.name });
      if (agent.phase() !== "held") return;
      agent.begin();
      watch(stage, process, request, agent);
    }),
    stop: process.inside((detail: string) => {
      if (agent.phase() === "held")
        agent.end("not-started", { kind: "not-started", errno: "ECANCELED", detail });
      else kill(stage, agent, "stop", detail);
    }),
    result,
  };
}

function watch(
  stage: Stage,
  process: SimulatedProcess,
  request: AgentRequest,
  agent: AgentProcess,
): void {
  if (!process.alive()) return;
  if (agent.isWaiting())
    return agent.later(WAIT_LOOK_MS, () => watch(stage, process, request, agent));
  const { idleMs = Infinity, totalMs = Infinity } = request.limits;
  const idle = agent.times.heardAt + idleMs - stage.time.now();
  const total = agent.times.beganAt + totalMs - stage.time.now();
  if (total <= 0) kill(stage, agent, "total", "total limit");
  else if (idle <= 0) kill(stage, agent, "idle", "idle limit");
  else if (Math.min(idle, total) < Infinity)
    agent.later(Math.min(idle, total), () => watch(stage, process, request, agent));
}

function kill(
  { chance }: Stage,
  agent: AgentProcess,
  reason: "idle" | "total" | "stop",
  detail: string,
): void {
  const end: ProcessEnd = { kind: "killed", reason, detail, with: "SIGTERM" };
  agent.later(chance.between(0, KILL_MS_MAX), () => agent.end("killed", end));
}

const identityOf = (attemptId: string, chance: Chance): ProcessIdentity => ({
  attemptId,
  groupId: chance.between(1000, 60_000),
  startTime: String(chance.between(1, 1e9)),
  bootId: "boot",
});

function resultOf(
  end: ProcessEnd,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  activeMs: number,
): AgentResult {
  return {
    end,
    stdout,
    stderr,
    transcript: { path: "transcript", bytes: stdout.length, sha256: "", complete: true },
    durations: { activeMs, sleptMs: 0 },
    leftBehind: 0,
    survivors: [],
    promptBy: "argument",
  };
}
