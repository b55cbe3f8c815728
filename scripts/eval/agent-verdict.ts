/**
 * Judges one captured output as the runtime would judge it live: report, loop watch, then the runtime's rules. An agent
 * without a report format is read as a plain command, of which only the output is known.
 */
import { createSniffedReader } from "../../src/agents/command/command-agent.ts";
import { REGISTRY } from "../../src/agents/registry.ts";
import { classifyByStandardRules } from "../../src/core/rules/standard.ts";
import { createLoopWatch } from "../../src/runtime/loop-watch.ts";
import type { AgentResult, ProcessEnd } from "../../src/runtime/agent-result.ts";
import { evidenceOf, isFinished, runtimeFailure } from "../../src/runtime/attempt-end.ts";
import type { AgentCase } from "./agent-cases.ts";

export interface JudgedAgent {
  /** The result the agent port would have returned. */
  readonly result: AgentResult;
  /** The loop found while it ran. */
  readonly loop: string | undefined;
}

/** `loose`: as if no agent were known. */
export function judged(one: AgentCase, loose = false): JudgedAgent {
  const { stdout, stderr, cli } = one;
  const known = REGISTRY.outputNamed(cli) === undefined ? undefined : cli;
  const reader = createSniffedReader(loose ? "loose" : known);
  const watch = createLoopWatch();
  let loop: string | undefined;
  for (const line of stdout.split("\n"))
    for (const step of reader.push("stdout", `${line}\n`)) {
      const verdict = watch(step);
      if (verdict?.level === "stuck") loop = verdict.pattern;
    }
  reader.push("stderr", stderr);
  const end = endOf(one, reader.final());
  const report = reader.report(end);
  const result: AgentResult = {
    end,
    stdout,
    stderr,
    transcript: { path: "", bytes: 0, sha256: "", complete: true },
    durations: { activeMs: 0, sleptMs: 0 },
    leftBehind: 0,
    survivors: [],
    promptBy: "stdin",
    ...(report === undefined ? {} : { report }),
  };
  return { result, loop };
}

function endOf({ exitCode, signal, killedAfterMs }: AgentCase, final?: string): ProcessEnd {
  if (killedAfterMs !== null)
    return final === undefined
      ? { kind: "killed", reason: "idle", detail: "silent", with: "SIGTERM" }
      : { kind: "killed", reason: "settled", detail: final, with: "SIGINT" };
  if (signal !== null) return { kind: "signalled", signal };
  return { kind: "exited", code: exitCode ?? 0 };
}

export function verdictOf({ result, loop }: JudgedAgent): {
  readonly kind: string;
  readonly because: string;
} {
  if (loop !== undefined && !isFinished(result)) return { kind: "looping", because: loop };
  const observed = runtimeFailure(result, loop);
  if (observed !== undefined) return { kind: observed.kind, because: observed.because[0] ?? "" };
  if (isFinished(result)) return { kind: "finished", because: result.report?.answer ?? "" };
  const { kind, because } = classifyByStandardRules(evidenceOf(result));
  return { kind, because: because[0] ?? "" };
}
