/**
 * Extracts the shell command from the arguments of a tool call, whatever the agent calls that argument. Invariant:
 * accepts any arguments and never throws.
 */
import { isRecord } from "../defined.ts";

const NAMES = ["command", "cmd", "script"];

export function commandOfCall(args: unknown): string | undefined {
  if (typeof args === "string") return args;
  if (!isRecord(args)) return undefined;
  return NAMES.map((name) => scriptOf(args[name])).find((text) => text !== undefined);
}

/** Some agents pass `["bash", "-lc", "npm test"]`: the script is the last word. */
function scriptOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined;
  return value.length === 3 && /^-\w*c$/.test(value[1] ?? "") ? value[2] : value.join(" ");
}
