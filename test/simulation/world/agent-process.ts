/**
 * The process of one simulated agent on the machine: held back, at work, ended. Plays a script once it is let go.
 * Invariants: nothing of the script happens before `begin` or after the end; it ends once; it lives on after the
 * death of its owner.
 */
import type { ProcessEnd } from "../../../src/runtime/agent-result.ts";
import type { AttemptScript, Deed } from "./agent-script.ts";
import type { Happening } from "./history.ts";
import type { Machine } from "./machine.ts";
import type { SimulatedProcess } from "./process.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface AgentProcess {
  readonly phase: () => "held" | "working" | "ended";
  /** When it began, and when it last did or said anything. */
  readonly times: { beganAt: number; heardAt: number };
  /** It waits for a person's word. */
  readonly isWaiting: () => boolean;
  begin(): void;
  end(how: How, end: ProcessEnd): void;
  /** Waits until it may or may not; false where it has ended by then. */
  ask(command: string): Promise<boolean>;
  /** Does something later, unless it has ended by then. */
  later(ms: number, act: () => void): void;
}

type How = Extract<Happening, { readonly kind: "agent-ended" }>["how"];

export interface AgentProcessOptions {
  readonly attemptId: string;
  readonly cwd: string;
  readonly owner: SimulatedProcess;
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly script: AttemptScript;
  readonly record: (happening: Happening) => void;
  readonly onWrite: (file: string, text: string) => void;
  readonly onSay: (text: string) => void;
  /** Whether it may; never, where nobody is left to tell it. */
  readonly onAsk: (command: string) => Promise<boolean>;
  readonly onEnd: (end: ProcessEnd, activeMs: number) => void;
}

const MINUTE = 60_000;

export function agentProcess(options: AgentProcessOptions): AgentProcess {
  const { attemptId, cwd, machine, time, record } = options;
  const planned = new Set<() => void>();
  const times = { beganAt: time.now(), heardAt: time.now() };
  let waitsSince: number | undefined;
  let phase: "held" | "working" | "ended" = "held";
  const living = {
    attemptId,
    cwd,
    working: () => phase === "working",
    end: (how: How) => end(how, { kind: "signalled", signal: "SIGKILL" }),
  };
  machine.add(living, options.owner);

  function end(how: How, ending: ProcessEnd): void {
    if (phase === "ended") return;
    goOn();
    const activeMs = phase === "working" ? time.now() - times.beganAt : 0;
    phase = "ended";
    for (const cancel of planned) cancel();
    machine.remove(living);
    record({ kind: "agent-ended", attemptId, how, activeMs });
    options.onEnd(ending, activeMs);
  }
  /** The time it waited is not its own. */
  function goOn(): void {
    if (waitsSince === undefined) return;
    times.beganAt += time.now() - waitsSince;
    times.heardAt = time.now();
    waitsSince = undefined;
  }
  const agent: AgentProcess = {
    phase: () => phase,
    times,
    isWaiting: () => waitsSince !== undefined,
    async ask(command) {
      waitsSince = time.now();
      const allowed = await options.onAsk(command);
      if (phase === "ended") return false;
      goOn();
      record({ kind: "permission-heard", attemptId, allowed });
      return true;
    },
    begin() {
      phase = "working";
      times.beganAt = times.heardAt = time.now();
      play(agent, options, options.script.deeds);
    },
    end,
    later(ms, act) {
      const cancel = time.after(ms, () => {
        planned.delete(cancel);
        act();
      });
      planned.add(cancel);
    },
  };
  return agent;
}

function play(
  agent: AgentProcess,
  options: AgentProcessOptions,
  [deed, ...rest]: readonly Deed[],
): void {
  if (deed === undefined) return finish(agent, options);
  agent.later(deed.afterMs, () => {
    agent.times.heardAt = options.time.now();
    if (deed.kind === "ask")
      return void agent.ask(deed.command).then((lives) => lives && play(agent, options, rest));
    if (deed.kind === "write") options.onWrite(deed.file, deed.text);
    else options.onSay(deed.text);
    play(agent, options, rest);
  });
}

function finish(agent: AgentProcess, options: AgentProcessOptions): void {
  const { finale } = options.script;
  switch (finale.kind) {
    case "exit":
      return agent.end("exited", { kind: "exited", code: finale.code });
    case "signal":
      return agent.end("signalled", { kind: "signalled", signal: finale.signal });
    case "guard-lost":
      return agent.end("guard-lost", { kind: "guard-lost" });
    case "not-started": {
      const { errno } = finale;
      return agent.end(finale.kind, { kind: finale.kind, errno, detail: "cannot be started" });
    }
    case "loop":
      return goOnSaying(agent, options, () => "trying the same again\n");
    case "endless":
      return goOnSaying(agent, options, () => `it is ${options.time.now()}\n`);
    case "hang":
      return;
  }
}

function goOnSaying(agent: AgentProcess, options: AgentProcessOptions, words: () => string): void {
  agent.later(MINUTE, () => {
    agent.times.heardAt = options.time.now();
    options.onSay(words());
    goOnSaying(agent, options, words);
  });
}
