/**
 * Calls held against what is known of an agent's own tools, before they run: a required argument that is missing, a
 * name that is clearly misspelt. Invariants: lenient, since agents change from version to version: any other argument,
 * any other tool and any type is let through; foreign names are cleaned and bounded.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { fieldsOf } from "../output/json.ts";
import type { BeforeTool } from "./hook-event.ts";

/** By tool: the arguments it cannot do without; `a|b`: one of them, as versions differ. */
export type KnownTools = Readonly<Record<string, readonly string[]>>;

/** What is wrong with the call, in words for the agent; undefined: nothing that is known. */
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

/** Shorter names are too easily another tool's own. */
const MISSPELT_FROM = 5;

/** The one tool that differs only by case and separators, or by one letter inside a longer name. */
function meantTool(known: KnownTools, tool: string): string | undefined {
  if (tool.length > 60 || tool.startsWith("mcp_")) return undefined;
  const names = Object.keys(known);
  const alike = names.filter((name) => plain(name) === plain(tool));
  const near = alike.length > 0 ? alike : names.filter((name) => isSlip(plain(name), plain(tool)));
  return near.length === 1 ? near[0] : undefined;
}

const plain = (name: string): string => name.toLowerCase().replace(/[_\- ]/g, "");

/** One letter too many, too few, or another; an `s` at the end makes another name. */
function isSlip(known: string, given: string): boolean {
  if (known.length < MISSPELT_FROM || Math.abs(known.length - given.length) > 1) return false;
  if (known === `${given}s` || given === `${known}s`) return false;
  let start = 0;
  while (start < known.length && known[start] === given[start]) start += 1;
  const [a, b] = [known.slice(start), given.slice(start)];
  if (a.length === b.length) return a.slice(1) === b.slice(1);
  return a.length > b.length ? a.slice(1) === b : b.slice(1) === a;
}
