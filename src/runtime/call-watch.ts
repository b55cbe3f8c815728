/**
 * Watches the calls of one attempt: the last one that failed, in words that apply to any tree, and hashes of the tool
 * results the agent received. Invariants: memory and text are bounded; times, process ids and the like never make a
 * result look new.
 */
import { defined, isRecord } from "../core/defined.ts";
import { withoutFolder } from "../core/foreign-text.ts";
import { commandOfCall } from "../core/shell/command-of-call.ts";
import type { CallSeen } from "../core/repair/failed-call.ts";
import type { Step } from "../core/stuck/step.ts";
import { maskedHash } from "../core/masked-hash.ts";

const MAX_OPEN = 64;
const MAX_COMMAND = 2000;
const MAX_OUTPUT = 2000;
const FILES = ["file_path", "filePath", "path", "file"];

export interface CallWatch {
  take(step: Step): void;
  /** The last call that failed. */
  failed(): CallSeen | undefined;
}

export function watchCalls(): CallWatch {
  const open = new Map<string, Omit<CallSeen, "output">>();
  let last: CallSeen | undefined;
  return {
    take(step) {
      if (step.kind === "tool_call") {
        if (open.size >= MAX_OPEN) open.clear();
        open.set(step.id ?? step.tool, callOf(step.tool, step.args));
      }
      if (step.kind !== "tool_result") return;
      const key = step.id ?? step.tool ?? "";
      const call = open.get(key) ?? (step.tool === undefined ? undefined : { tool: step.tool });
      open.delete(key);
      if (step.isError === true && call !== undefined)
        last = { ...call, output: step.output.slice(-MAX_OUTPUT) };
    },
    failed: () => last,
  };
}

function callOf(tool: string, args: unknown): Omit<CallSeen, "output"> {
  const given = isRecord(args) ? args : {};
  const file = FILES.map((name) => given[name]).find((value) => typeof value === "string");
  const command = commandOfCall(args)?.slice(0, MAX_COMMAND);
  return { tool, ...defined({ command, file }) };
}

/** Makes paths inside the tree relative to it: an attempt does not keep the same folder for ever. */
export function relativeToTree<T extends object | undefined>(said: T, cwd: string): T {
  if (said === undefined) return said;
  const relative = (value: unknown): unknown =>
    typeof value === "string" ? withoutFolder(value, cwd) : value;
  const fields = Object.entries(said).map(([name, value]) => [name, relative(value)] as const);
  return Object.fromEntries(fields) as T;
}

const MAX_OBSERVATIONS = 300;

/**
 * With these hashes a later attempt's results can be recognized as new or known. A call that never ran adds nothing.
 */
export function noteObservation(known: Set<number>, step: Step): void {
  if (step.kind !== "tool_result" || step.veto === true || step.output.trim() === "") return;
  if (known.size < MAX_OBSERVATIONS) known.add(maskedHash(step.output));
}
