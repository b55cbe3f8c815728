/**
 * Which format an output is in, told by its first line. Invariants: the answer does not depend on chunks; at most
 * a bounded beginning is held back for it; plain words have no format.
 */
import { fieldsOf, parseFields } from "./json.ts";
import type { Fields } from "./json.ts";
import type { AgentFormat } from "./transcript.ts";

export type SniffedFormat = AgentFormat | "steps";

/** How the known formats begin; what begins like none of them is still an event by its name. */
const BEGINNINGS: readonly [SniffedFormat, (line: Fields) => boolean][] = [
  ["steps", (line) => typeof line["kind"] === "string"],
  ["claude", (line) => line["type"] === "system" && line["subtype"] === "init"],
  ["codex", (line) => line["type"] === "thread.started"],
  ["codex", (line) => typeof fieldsOf(line["result"])["codexHome"] === "string"],
  ["gemini", (line) => line["type"] === "init" && typeof line["session_id"] === "string"],
  ["opencode", (line) => typeof line["sessionID"] === "string" && line["type"] !== undefined],
  ["pi", (line) => line["type"] === "session" && typeof line["id"] === "string"],
  ["acp", (line) => line["jsonrpc"] === "2.0"],
  ["loose", (line) => typeof line["type"] === "string" || typeof line["event"] === "string"],
];

export function formatOfLine(text: string): SniffedFormat | undefined {
  const line = parseFields(text);
  return line && BEGINNINGS.find(([, begins]) => begins(line))?.[0];
}

export interface Sniffer {
  /** Undefined while nothing can be said; then the format, and the text held back until then. */
  push(
    chunk: string,
  ): { readonly format: SniffedFormat | undefined; readonly held: string } | undefined;
}

const MAX_HELD = 256 * 1024;

export function createSniffer(): Sniffer {
  let held = "";
  return {
    push(chunk) {
      held += chunk;
      const start = held.length - held.trimStart().length;
      const end = held.indexOf("\n", start);
      if (end < 0 && held.length < MAX_HELD && held[start] === "{") return undefined;
      return { format: formatOfLine(end < 0 ? held : held.slice(start, end)), held };
    },
  };
}
