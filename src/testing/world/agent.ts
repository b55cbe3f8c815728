/**
 * The Agent port of one simulated process: plays scripts on the machine, with a guard, a watchdog and kills that take time.
 * Imports the port, machine and scripts. Invariants: nothing of a script happens before `release`; `result` settles only when
 * the agent is dead, and only for an owner that lives; the watchdog dies with its owner, the agent does not.
 */
import type {
  Agent,
  AgentRequest,
  AgentResult,
  ProcessEnd,
  ProcessIdentity,
  RunningAttempt,
} from "../../runtime/ports-agent.ts";
import type { AttemptScript, Deed } from "./agent-script.ts";
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
const MINUTE = 60_000;

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
        return { ok: true, attempt: played(stage, process, request, script) };
      });
    },
  };
}

/** The process of one agent, from its guard's start to its end. */
function played(
  stage: Stage,
  process: SimulatedProcess,
  request: AgentRequest,
  script: AttemptScript,
): RunningAttempt {
  const { machine, time, chance, record } = stage;
  const { attemptId } = request.place;
  const { promise: result, resolve } = Promise.withResolvers<AgentResult>();
  const said: string[] = [];
  const planned = new Set<() => void>();
  let phase: "held" | "working" | "ended" = "held";
  let releasedAt = time.now();
  let heard = time.now();

  const living = { attemptId, cwd: request.cwd, working: () => phase === "working", end: killed };
  machine.add(living, process);

  function killed(how: "guard" | "proven-dead"): void {
    over(how, { kind: "signalled", signal: "SIGKILL" });
  }
  function over(how: ProcessEnd["kind"] | "guard" | "proven-dead", end: ProcessEnd): void {
    if (phase === "ended") return;
    const activeMs = phase === "working" ? time.now() - releasedAt : 0;
    phase = "ended";
    for (const cancel of planned) cancel();
    machine.remove(living);
    record({ kind: "agent-ended", attemptId, how, activeMs });
    const words =
      script.finale.kind === "exit" && end.kind === "exited" ? script.finale : undefined;
    const output = { stdout: words?.stdout ?? said.join(""), stderr: words?.stderr ?? "" };
    time.after(
      chance.between(0, 200),
      process.inside(() => resolve(resultOf(end, output, activeMs))),
    );
  }
  const later = (ms: number, act: () => void): void => {
    const cancel = time.after(ms, () => {
      planned.delete(cancel);
      if (phase !== "ended") act();
    });
    planned.add(cancel);
  };
  const say = (text: string): void => {
    heard = time.now();
    said.push(text);
    if (process.alive()) request.onStep?.({ kind: "output", stream: "stdout", text });
  };
  const end = (reason: "idle" | "total" | "stop", detail: string): void =>
    later(chance.between(0, KILL_MS_MAX), () =>
      over("killed", { kind: "killed", reason, detail, with: "SIGTERM" }),
    );
  const watch = (): void => {
    if (!process.alive()) return;
    const { idleMs = Infinity, totalMs = Infinity } = request.limits;
    const idle = heard + idleMs - time.now();
    const total = releasedAt + totalMs - time.now();
    if (total <= 0) end("total", "total limit");
    else if (idle <= 0) end("idle", "idle limit");
    else if (Math.min(idle, total) < Infinity) later(Math.min(idle, total), watch);
  };
  const play = ([deed, ...rest]: readonly Deed[]): void => {
    if (deed === undefined) return finish();
    later(deed.afterMs, () => {
      heard = time.now();
      if (deed.kind === "write") stage.write(request.cwd, deed.file, deed.text);
      else say(deed.text);
      play(rest);
    });
  };
  const finish = (): void => {
    const { finale } = script;
    if (finale.kind === "exit") over("exited", { kind: "exited", code: finale.code });
    else if (finale.kind === "signal")
      over("signalled", { kind: "signalled", signal: finale.signal });
    else if (finale.kind === "guard-lost") over("guard-lost", { kind: "guard-lost" });
    else if (finale.kind === "not-started")
      over("not-started", {
        kind: "not-started",
        errno: finale.errno,
        detail: "cannot be started",
      });
    else if (finale.kind !== "hang") goOn(finale.kind, 1);
  };
  const goOn = (kind: "endless" | "loop", times: number): void =>
    later(MINUTE, () => {
      say(kind === "loop" ? "trying the same again\n" : `thought ${times}\n`);
      goOn(kind, times + 1);
    });

  return {
    identity: identityOf(attemptId, chance),
    release: process.inside(() => {
      record({ kind: "agent-released", attemptId, by: process.name });
      if (phase !== "held") return;
      phase = "working";
      releasedAt = heard = time.now();
      watch();
      play(script.deeds);
    }),
    stop: process.inside((detail: string) => {
      if (phase === "held")
        over("not-started", { kind: "not-started", errno: "ECANCELED", detail });
      else end("stop", detail);
    }),
    result,
  };
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
    usage: "unknown",
  };
}
