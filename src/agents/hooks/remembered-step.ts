/**
 * A hook event as a step small enough to keep. Imports core. Invariants: bounded; equal arguments and results stay
 * equal, and different ones stay different, however much of them is left out.
 */
import { cutMiddle } from "../../core/foreign-text.ts";
import { hashText } from "../../core/hash.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { HookEvent } from "./hook-event.ts";

const MAX_OUTPUT = 1500;
const MAX_ARGS = 1500;
const MAX_VALUE = 200;

/** Undefined for events that are no steps. */
export function stepOf(event: HookEvent, automated: boolean): Step | undefined {
  const run = event.runId === undefined ? {} : { runId: event.runId };
  switch (event.kind) {
    case "before-tool": {
      const { tool, args, id } = event;
      const known = id === undefined ? {} : { id };
      return { kind: "tool_call", tool: short(tool), args: smallArgs(args), ...known, ...run };
    }
    case "after-tool": {
      const { tool, output, outcome, id } = event;
      const known = id === undefined ? {} : { id };
      const failed = outcome === "failed" ? { isError: true } : {};
      const kept = small(output, MAX_OUTPUT);
      return { kind: "tool_result", tool: short(tool), output: kept, ...failed, ...known, ...run };
    }
    case "prompt":
      return { kind: "user_message", ...(automated ? { automated: true } : {}) };
    case "compaction":
      return { kind: "compaction", ...run };
    case "stop":
      return { kind: "turn_end" };
    case "model-failure":
      return undefined;
  }
}

/** How often this very call was made, whatever the order of its arguments. */
export function timesMade(past: readonly Step[], call: Step): number {
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

const short = (name: string): string => small(name, MAX_VALUE);

function small(text: string, max: number): string {
  return text.length <= max ? text : `${cutMiddle(text, max)} ${wordOf(text)}`;
}

/** In letters only: what compares results takes hexadecimal digits for noise. */
const wordOf = (text: string): string =>
  hashText(text).replace(/[0-9]/g, (digit) => "ghijklmnop".charAt(Number(digit)));

function smallArgs(args: unknown): unknown {
  const text = JSON.stringify(args) ?? "";
  if (text.length <= MAX_ARGS) return args;
  const cut: unknown = JSON.parse(text, (_key, value: unknown) =>
    typeof value === "string" ? small(value, MAX_VALUE) : value,
  );
  return (JSON.stringify(cut) ?? "").length <= MAX_ARGS ? cut : { all: wordOf(text) };
}
