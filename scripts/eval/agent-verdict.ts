/**
 * One captured output, judged as the runtime would judge it live: report, loop watch, then the
 * runtime's rules. Imports agents, runtime and core. An agent without a report format is read as a
 * plain command, whose output is all there is.
 */
import { outputWatch } from "../../src/agents/loop-watch.ts";
import { REPORT_FORMATS } from "../../src/agents/reports/formats.ts";
import { createSniffedReport } from "../../src/agents/reports/sniffed-report.ts";
import { classifyByStandardRules as classify } from "../../src/core/rules/standard.ts";
import type { AgentResult, ProcessEnd } from "../../src/runtime/ports-agent.ts";
import { evidenceOf, isFinished, observedOf } from "../../src/runtime/remains.ts";
import type { AgentCase } from "./agent-cases.ts";

type Known = keyof typeof REPORT_FORMATS;

const isKnown = (cli: string): cli is Known => Object.hasOwn(REPORT_FORMATS, cli);

/** The result the agent port would have given; `loose`: as if no agent was known. */
export function resultOf(one: AgentCase, loose = false): AgentResult {
  const { stdout, stderr } = one;
  const format = loose ? "loose" : isKnown(one.cli) ? one.cli : undefined;
  const reader = createSniffedReport(format);
  reader.push("stdout", stdout);
  reader.push("stderr", stderr);
  const end = endOf(one, reader.final());
  const report = reader.report(end);
  return {
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
}

function endOf({ exitCode, signal, killedAfterMs }: AgentCase, final?: string): ProcessEnd {
  if (killedAfterMs !== null)
    return final === undefined
      ? { kind: "killed", reason: "idle", detail: "silent", with: "SIGTERM" }
      : { kind: "killed", reason: "settled", detail: final, with: "SIGINT" };
  if (signal !== null) return { kind: "signalled", signal };
  return { kind: "exited", code: exitCode ?? 0 };
}

export function verdictOf(
  one: AgentCase,
  result: AgentResult,
  loose = false,
): { readonly kind: string; readonly because: string } {
  const loop = loopIn(one, loose);
  if (loop !== undefined && !isFinished(result)) return { kind: "looping", because: loop };
  const observed = observedOf(result, loop);
  if (observed !== undefined) return { kind: observed.kind, because: observed.because[0] ?? "" };
  if (isFinished(result)) return { kind: "finished", because: result.report?.answer ?? "" };
  const { kind, because } = classify(evidenceOf(result));
  return { kind, because: because[0] ?? "" };
}

function loopIn({ cli, stdout }: AgentCase, loose: boolean): string | undefined {
  const watch = outputWatch(loose ? "loose" : isKnown(cli) ? cli : undefined);
  let pattern: string | undefined;
  for (const line of stdout.split("\n")) {
    const verdict = watch({ kind: "output", stream: "stdout", text: `${line}\n` });
    if (verdict?.level === "stuck") pattern = verdict.pattern;
  }
  return pattern;
}
