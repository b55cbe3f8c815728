/**
 * Validates tool calls before they are executed. Invariants: never throws; `valid` only if every call names a listed
 * tool and its arguments match that tool's schema; for an unknown name, the most similar real one is suggested.
 */
import { isRecord } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";
import { refused, combinedRefusal, ONLY_JSON, type AnswerVerdict } from "./json-answer.ts";
import { findJson, MAX_ANSWER_CHARS } from "./json-text.ts";
import { parseStrict } from "./strict-json.ts";
import { nearestName } from "./nearest-name.ts";
import { compileSchema } from "./schema.ts";
import type { ToolSpec } from "./tool-specs.ts";

export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type ToolCallVerdict = AnswerVerdict<readonly ToolCall[]>;

const CALL_FORM = 'Send {"name": "<tool>", "arguments": {...}}, or a list of such objects.';

const MAX_CALLS = 100;

/** One call or a list, parsed already or as JSON text (fences and prose around it are skipped). */
export function validateToolCall(raw: unknown, tools: readonly ToolSpec[]): ToolCallVerdict {
  const found = typeof raw === "string" ? fromText(raw) : { value: raw, repaired: false };
  if ("valid" in found) return found;
  const entries = callsIn(found.value);
  if (entries.length > MAX_CALLS)
    return refused(`More than ${MAX_CALLS} calls at once.`, "Send fewer calls.");
  const calls: ToolCall[] = [];
  for (const [index, entry] of entries.entries()) {
    const call = readCall(entry);
    if (call === undefined) return refused(`Call ${index + 1} is not a tool call.`, CALL_FORM);
    const problem = problemOf(call, tools);
    if (problem !== undefined) return problem;
    calls.push(call);
  }
  return { valid: true, value: calls, repaired: found.repaired };
}

function fromText(
  text: string,
): { readonly value: unknown; readonly repaired: boolean } | ToolCallVerdict {
  if (text.length > MAX_ANSWER_CHARS)
    return refused("The call is too long.", "Send a shorter call.");
  const { candidates, error } = findJson(text);
  const looksRight = candidates.find(({ value }) =>
    callsIn(value).some((one) => readCall(one) !== undefined),
  );
  return looksRight ?? candidates[0] ?? refused(`Invalid JSON: ${cleanLine(error)}`, ONLY_JSON);
}

function callsIn(value: unknown): readonly unknown[] {
  const list = isRecord(value) ? (value["tool_calls"] ?? value["calls"]) : value;
  return Array.isArray(list) ? list : [value];
}

const NAME_FIELDS = ["name", "tool", "tool_name"] as const;

const ARGUMENT_FIELDS = ["arguments", "args", "input", "tool_input", "parameters"] as const;

function readCall(entry: unknown): ToolCall | undefined {
  const inner = isRecord(entry) && isRecord(entry["function"]) ? entry["function"] : entry;
  if (!isRecord(inner)) return undefined;
  const tool = NAME_FIELDS.map((field) => inner[field]).find((name) => typeof name === "string");
  const given = ARGUMENT_FIELDS.map((field) => inner[field]).find((args) => args !== undefined);
  const args = argumentsOf(given ?? {});
  return typeof tool === "string" && args !== undefined ? { tool, args } : undefined;
}

/** An object, or its JSON text as sent by some services. */
function argumentsOf(given: unknown): ToolCall["args"] | undefined {
  const parsed =
    typeof given === "string" ? parseStrict(given.trim() === "" ? "{}" : given) : undefined;
  const args = parsed === undefined ? given : parsed.ok ? parsed.value : undefined;
  return isRecord(args) ? args : undefined;
}

function problemOf(
  { tool, args }: ToolCall,
  tools: readonly ToolSpec[],
): ToolCallVerdict | undefined {
  const spec = tools.find(({ name }) => name === tool);
  if (spec === undefined) return unknownTool(tool, tools);
  if (spec.schema === undefined) return undefined;
  const compiled = compileSchema(spec.schema);
  if (!compiled.ok)
    return {
      valid: false,
      repaired: false,
      schemaError: compiled.schemaError,
      error: `The schema of ${shown(tool)} cannot be used.`,
    };
  const complaints = compiled.check(args);
  if (complaints.length === 0) return undefined;
  const { error, suggestion } = combinedRefusal(complaints);
  return refused(`Arguments of ${shown(tool)}: ${error}`, suggestion);
}

function unknownTool(tool: string, tools: readonly ToolSpec[]): ToolCallVerdict {
  const names = tools.map(({ name }) => name);
  const nearest = nearestName(tool, names);
  const available = cleanLine(names.join(", "), 400);
  return refused(
    `Unknown tool: ${shown(tool)}.`,
    nearest === undefined
      ? `Use one of: ${available}.`
      : `Did you mean ${shown(nearest)}? Available: ${available}.`,
  );
}

const shown = (name: string): string => cleanLine(name, 80);
