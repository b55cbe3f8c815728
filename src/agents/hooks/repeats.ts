/**
 * A cheap test for repetition, which decides whether the loop guard is consulted at all. If it says no, the guard would
 * have nothing to say, except for rare series of failures, which it then sees one failure later.
 */
import type { Step } from "../../core/stuck/step.ts";

const MADE_BEFORE = 2;

/** A call not made at least twice before is never refused. */
export const mayBeRefused = (past: readonly Step[], call: Step): boolean =>
  timesMade(past, call) >= MADE_BEFORE;

/** A failure or a repetition: without one there is no loop, and most results need no closer look. */
export function mayLoop(past: readonly Step[], result: Step): boolean {
  if (result.kind !== "tool_result") return false;
  const { id, output, isError } = result;
  const call = past.findLast(
    (one) => one.kind === "tool_call" && (id === undefined || one.id === id),
  );
  if (call !== undefined && timesMade(past, call) >= MADE_BEFORE) return true;
  const results = past.filter((one) => one.kind === "tool_result");
  if (results.some((one) => one.output === output)) return true;
  return isError === true && (failsOn(past, results) || sharesLine(results, output));
}

type Result = Extract<Step, { readonly kind: "tool_result" }>;

/** Calls that only look do not end a series of failures. Rough: the detector knows more, but takes long to load. */
const LOOKS =
  /^(?:cd|cat|ls|grep|rg|find|fd|head|tail|sed|awk|git|pwd|wc|which|tree|echo|test|stat|file|less|more|env)\b/;
const LOOKING_TOOL = /read|view|open|list|glob|grep|search|find|fetch|\bls\b/i;

/** A series of failures is not a loop before its third. */
const FAILED_BEFORE = 2;

/** The previous two pieces of work failed too; looking and repeated outputs in between do not count. */
function failsOn(past: readonly Step[], results: readonly Result[]): boolean {
  const seen = new Set<string>();
  const told = results.map(({ output }) => seen.size === seen.add(output).size);
  const worked = results.findLastIndex(
    (one, index) => one.isError !== true && told[index] !== true && !looks(past, one),
  );
  const row = results.slice(worked + 1).filter(({ isError }) => isError === true);
  return row.length >= FAILED_BEFORE;
}

function looks(past: readonly Step[], { id }: Result): boolean {
  const call = past.findLast((one) => one.kind === "tool_call" && one.id === id);
  if (call?.kind !== "tool_call") return true;
  const { command, cmd } = { ...(call.args as Readonly<Record<string, unknown>> | undefined) };
  const line = command ?? cmd;
  return typeof line === "string" ? LOOKS.test(line.trim()) : LOOKING_TOOL.test(call.tool);
}

const TELLING_LINE = 12;

/** An earlier failure has a line in common with this one: the same tests may be failing despite the work since. */
function sharesLine(results: readonly Result[], output: string): boolean {
  const lines = new Set(tellingLines(output));
  return results.some(
    (one) => one.isError === true && tellingLines(one.output).some((line) => lines.has(line)),
  );
}

const tellingLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= TELLING_LINE && !/^exit code/i.test(line));

/** How often exactly this call was made, whatever the order of its arguments. */
function timesMade(past: readonly Step[], call: Step): number {
  if (call.kind !== "tool_call") return 0;
  const args = inOrder(call.args);
  return past.filter(
    (one) =>
      one.kind === "tool_call" &&
      one.tool === call.tool &&
      one.runId === call.runId &&
      inOrder(one.args) === args,
  ).length;
}

function inOrder(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ""
  );
}
