/**
 * Checks calls against an agent's known tools before they run: a missing required argument, a clearly misspelt name.
 * Invariants: lenient, because agents change between versions: any other argument, tool or type is accepted; foreign
 * names are cleaned and bounded.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { fieldsOf } from "../output/json.ts";
import type { BeforeTool } from "./hook-event.ts";

/** By tool, its required arguments; `a|b` means one of them, because versions differ. */
export type KnownTools = Readonly<Record<string, readonly string[]>>;

/** What is wrong with the call, in words for the agent; undefined if nothing known is wrong. */
export function knownToolProblem(
  known: KnownTools,
  { tool, args }: Pick<BeforeTool, "tool" | "args">,
): string | undefined {
  const required = Object.hasOwn(known, tool) ? known[tool] : undefined;
  if (required !== undefined) return missingArgument(tool, required, args);
  const meant = meantTool(known, tool);
  return meant === undefined
    ? undefined
    : `This call was not run. There is no tool ${cleanLine(tool, 60)}: did you mean ${meant}?`;
}

function missingArgument(
  tool: string,
  required: readonly string[],
  args: unknown,
): string | undefined {
  const given = fieldsOf(args);
  const missing = required.find((names) =>
    names.split("|").every((name) => given[name] === undefined || given[name] === null),
  );
  if (missing === undefined) return undefined;
  const names = Object.keys(given).slice(0, 10).join(", ");
  const has = names === "" ? "has no arguments" : `has only: ${cleanLine(names, 200)}`;
  return `This call was not run. ${tool} needs ${missing.replaceAll("|", " or ")}; it ${has}.`;
}

/** Shorter names are too easily the name of another tool. */
const MISSPELT_FROM = 5;

/** The one tool that differs only by case and separators, or by one letter in a longer name. */
function meantTool(known: KnownTools, tool: string): string | undefined {
  if (tool.length > 60 || tool.startsWith("mcp_")) return undefined;
  const names = Object.keys(known);
  const alike = names.filter((name) => plain(name) === plain(tool));
  const near = alike.length > 0 ? alike : names.filter((name) => isTypo(plain(name), plain(tool)));
  return near.length === 1 ? near[0] : undefined;
}

const plain = (name: string): string => name.toLowerCase().replace(/[_\- ]/g, "");

/** One letter added, missing or different; a final `s` makes a different name. */
function isTypo(known: string, given: string): boolean {
  if (known.length < MISSPELT_FROM || Math.abs(known.length - given.length) > 1) return false;
  if (known === `${given}s` || given === `${known}s`) return false;
  let start = 0;
  while (start < known.length && known[start] === given[start]) start += 1;
  const [a, b] = [known.slice(start), given.slice(start)];
  if (a.length === b.length) return a.slice(1) === b.slice(1);
  return a.length > b.length ? a.slice(1) === b : b.slice(1) === a;
}
