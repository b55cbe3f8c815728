/**
 * The tools that an attempt used, as child spans, from its transcript. Invariants: bounded; names only, never arguments
 * or results; an unreadable transcript costs only these spans.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import type { RunSpan } from "../../core/telemetry/run-spans.ts";
import { readLogs, type LogEntry, type LogHappening } from "../logs/read-logs.ts";

const TOOLS_MAX = 500;

type Call = Extract<LogEntry, { kind: "tool-call" | "file-change" }>;

export async function toolSpans(run: string, attempt: RunSpan): Promise<readonly RunSpan[]> {
  const calls: { readonly call: Call; at: number; endedAt?: number; failed?: boolean }[] = [];
  let at = attempt.startedAt;
  const on = (happening: LogHappening): void => {
    if (happening.kind !== "entry") return;
    const { entry } = happening;
    at = Math.max(at, entry.at ?? at);
    if (entry.kind === "tool-call" || entry.kind === "file-change") {
      if (calls.length < TOOLS_MAX) calls.push({ call: entry, at });
    } else if (entry.kind === "tool-result") {
      const open = calls.findLast(
        ({ call, endedAt }) => endedAt === undefined && (entry.id ?? call.id) === call.id,
      );
      if (open !== undefined) Object.assign(open, { endedAt: at, failed: entry.failed });
    }
  };
  const name = attempt.key.slice("attempt ".length);
  await readLogs.run({ cwd: process.cwd() }, { run, at: name }, on).catch(() => undefined);
  return calls.map(({ call, at: startedAt, endedAt = startedAt, failed }, index) => ({
    key: `tool ${name}/${index + 1}`,
    parent: attempt.key,
    name: `execute_tool ${cleanLine(call.tool, 80)}`,
    ...{ startedAt, endedAt, happenings: [] },
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": cleanLine(call.tool, 80),
      ...(call.id === undefined ? {} : { "gen_ai.tool.call.id": cleanLine(call.id, 120) }),
      ...(failed === true ? { "error.type": "tool_error" } : {}),
    },
    ...(failed === true ? { failed: "tool_error" } : {}),
  }));
}
