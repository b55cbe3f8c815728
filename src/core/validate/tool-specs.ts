/** Reads the tools that an agent may call from the contents of a file that lists them. */
import { isRecord } from "../defined.ts";

export interface ToolSpec {
  readonly name: string;
  /** The JSON Schema of the arguments; if absent, any arguments are accepted. */
  readonly schema?: unknown;
}

type ToolSpecReading =
  | { readonly ok: true; readonly tools: readonly ToolSpec[] }
  | { readonly ok: false; readonly place: string; readonly problem: string };

const SCHEMA_FIELDS = ["schema", "inputSchema", "input_schema", "parameters"] as const;

/** Accepts a list of tools, or an object with `tools`. */
export function readToolSpecs(value: unknown): ToolSpecReading {
  const list = isRecord(value) ? value["tools"] : value;
  if (!Array.isArray(list)) return { ok: false, place: "", problem: "expected a list of tools" };
  const tools: ToolSpec[] = [];
  for (const [index, entry] of (list as readonly unknown[]).entries()) {
    const inner = isRecord(entry) && isRecord(entry["function"]) ? entry["function"] : entry;
    const name = isRecord(inner) ? inner["name"] : inner;
    if (typeof name !== "string" || name === "")
      return { ok: false, place: `[${index}].name`, problem: "expected a tool name" };
    const field = isRecord(inner)
      ? SCHEMA_FIELDS.find((key) => inner[key] !== undefined)
      : undefined;
    tools.push(isRecord(inner) && field !== undefined ? { name, schema: inner[field] } : { name });
  }
  return { ok: true, tools };
}
