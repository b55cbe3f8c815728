/**
 * The shell command in the arguments of a tool call, whatever the agent calls the argument. Invariant: any arguments are
 * read, and none throws.
 */
import { isRecord } from "../defined.ts";

const NAMES = ["command", "cmd", "script"];

export function commandOfCall(args: unknown): string | undefined {
  if (typeof args === "string") return args;
  if (!isRecord(args)) return undefined;
  return NAMES.map((name) => scriptOf(args[name])).find((text) => text !== undefined);
}

/** Some agents hand over `["bash", "-lc", "npm test"]`: the script is the last word. */
function scriptOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined;
  return value.length === 3 && /^-\w*c$/.test(value[1] ?? "") ? value[2] : value.join(" ");
}
