/**
 * Watches the calls of one attempt for the last one that failed, and puts what an attempt said into words that hold in
 * any tree. Invariant: bounded memory and text.
 */
import { defined, isRecord } from "../core/defined.ts";
import type { CallSeen } from "../core/repair/failed-call.ts";
import type { Step } from "../core/stuck/step.ts";

const MAX_OPEN = 64;
const MAX_COMMAND = 2000;
const MAX_OUTPUT = 2000;
const COMMANDS = ["command", "cmd", "script"];
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
  if (typeof args === "string")
    return { tool, ...defined({ command: args.slice(0, MAX_COMMAND) }) };
  const given = isRecord(args) ? args : {};
  const text = (names: readonly string[]): string | undefined =>
    names.map((name) => given[name]).find((value) => typeof value === "string");
  const words = given["command"];
  const command = text(COMMANDS) ?? (isWords(words) ? words.at(-1) : undefined);
  return { tool, ...defined({ command: command?.slice(0, MAX_COMMAND), file: text(FILES) }) };
}

/** Some agents hand over `["bash", "-lc", "npm test"]`: the script is the last word. */
const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length === 3 &&
  /^-\w*c$/.test(String(value[1])) &&
  value.every((word) => typeof word === "string");

/** Paths inside the tree are told as they are seen from there: no attempt has the same folder for ever. */
export function fromTree<T extends object | undefined>(said: T, cwd: string): T {
  if (said === undefined || cwd.length < 2) return said;
  const relative = (value: unknown): unknown =>
    typeof value === "string" ? value.replaceAll(`${cwd}/`, "").replaceAll(cwd, ".") : value;
  const fields = Object.entries(said).map(([name, value]) => [name, relative(value)] as const);
  return Object.fromEntries(fields) as T;
}
