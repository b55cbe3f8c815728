/**
 * A hook event as a step small enough to keep, without secrets. Invariants: bounded; equal arguments and results
 * stay equal, and different ones stay different, however much of them is left out.
 */
import { cutMiddle } from "../../core/foreign-text.ts";
import { hashText } from "../../core/hash.ts";
import type { Step } from "../../core/stuck/step.ts";
import { withoutSecrets } from "./hidden-secrets.ts";
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

const short = (name: string): string => small(name, MAX_VALUE);

function small(text: string, max: number, name = ""): string {
  const clean = withoutSecrets(text, name);
  return text.length <= max ? clean : `${cutMiddle(clean, max)} ${wordOf(text)}`;
}

/** In letters only: what compares results takes hexadecimal digits for noise. */
const wordOf = (text: string): string =>
  hashText(text).replace(/[0-9]/g, (digit) => "ghijklmnop".charAt(Number(digit)));

function smallArgs(args: unknown): unknown {
  const text = JSON.stringify(args) ?? "";
  if (text === "") return args;
  const max = text.length <= MAX_ARGS ? MAX_ARGS : MAX_VALUE;
  const kept: unknown = JSON.parse(text, (name, value: unknown) =>
    typeof value === "string" ? small(value, max, name) : value,
  );
  const isSmall = max === MAX_ARGS || (JSON.stringify(kept) ?? "").length <= MAX_ARGS;
  return isSmall ? kept : { all: wordOf(text) };
}
