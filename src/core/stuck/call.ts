/**
 * A tool call in the form that the rules compare: a key that ignores argument order and cosmetic arguments, and the
 * target of the call. Invariants: never throws, whatever the arguments are; reads a bounded part of them.
 */
import { isRecord } from "../defined.ts";
import { hashNumber, hashPair } from "../hash.ts";
import type { ToolKind } from "./config.ts";
import type { Fields } from "./read-step.ts";
import { printedPart, type ToolFacts } from "./tools.ts";
import { plainCommand, readCommand, wordSet } from "./command.ts";

export interface Call {
  readonly tool: ToolFacts;
  readonly key: number;
  /** The effective kind: `cat a` in a shell is a read. */
  readonly kind: ToolKind;
  readonly poll: boolean;
  /** Runs tests, a build or a linter. */
  readonly checks: boolean;
  /** A shell command that is known to change files. */
  readonly changes: boolean;
  /** What is read or searched; equal for the same question in other words. */
  readonly target: number;
  /** The meaningful words of a question, in order; otherwise empty. */
  readonly words: readonly string[];
  /** A shell command of at most 300 UTF-16 units that does not print one file; otherwise empty. */
  readonly command: string;
  /** Where a search looks. */
  readonly scope: number;
  readonly range: readonly [number, number] | undefined;
  readonly path: number;
  /** An edit as a transition between two states of a file; zero if unknown. */
  readonly before: number;
  readonly after: number;
}

const PATHS = ["file_path", "path", "filePath", "file", "notebook_path", "filename", "target_file"];
const COMMANDS = ["command", "cmd", "script"];
const QUERIES = ["query", "q", "pattern", "search", "question", "prompt", "regex", "keywords"];
const QUESTIONS = ["query", "q", "question", "keywords"];
const SCOPES = ["include", "glob", "url", "type"];
const BEFORE = ["old_string", "old_str", "oldString", "oldText", "old", "search"];
const AFTER = ["new_string", "new_str", "newString", "newText", "new", "content", "file_text"];
const STARTS = ["offset", "start_line", "startLine", "line_start", "start"];
const ENDS = ["end_line", "endLine", "line_end", "end"];

/** Arguments meant for human readers; they count only if there are no others that identify the call. */
const COSMETIC = wordSet(
  "description title label explanation reason comment note purpose justification thought",
);
const NEVER_IDENTITY = wordSet(
  "displayName display_name display toolCallId tool_call_id requestId request_id timestamp " +
    "nonce traceId trace_id",
);
const NAMES = new Set(["name", "label", "title"]);
const PAYLOADS = ["command", "cmd", "code", "script", "source", "program"];
const IDENTITIES = [...PAYLOADS, ...PATHS, ...QUERIES, "url"];

const MAX_NODES = 400;

export function readCall(tool: ToolFacts, args: unknown): Call {
  const fields = isRecord(args) ? args : {};
  const command =
    tool.kind === "shell" || tool.kind === "poll" ? text(fields, COMMANDS) : undefined;
  const facts = command === undefined ? undefined : readCommand(command);
  const kind = facts !== undefined && facts.looksOnly ? "read" : tool.kind;
  const query = command === undefined ? queryOf(kind, fields) : undefined;
  const words = query === undefined ? [] : meaning(query);
  const printed = kind === "read" && command !== undefined ? printedPart(command) : undefined;
  const file = printed?.path ?? text(fields, PATHS);
  const path = file === undefined ? 0 : hashNumber(plainPath(file));
  const key = keyOf(tool, args, command);
  const scope = words.length === 0 ? 0 : hashPair(path, hashField(fields, SCOPES));
  const writes = kind === "write";
  return {
    tool,
    key,
    kind,
    poll: tool.poll || (facts?.waits ?? false) || isPollAction(fields),
    checks: facts?.checks ?? tool.checks,
    changes: facts?.changes ?? false,
    target: targetOf({ tool, kind, words, scope, path, key }),
    words,
    command: path === 0 && command !== undefined && command.length <= 300 ? command : "",
    scope,
    range: kind === "read" && path !== 0 ? (printed?.range ?? rangeOf(fields)) : undefined,
    path,
    before: writes ? hashField(fields, BEFORE) : 0,
    after: writes ? hashField(fields, AFTER) : 0,
  };
}

/** The query in words: for a search any query argument, for a read only what is clearly a question. */
function queryOf(kind: ToolKind, fields: Fields): string | undefined {
  if (kind === "search") return text(fields, QUERIES) ?? text(fields, ["url"]);
  return kind === "read" && text(fields, PATHS) === undefined ? text(fields, QUESTIONS) : undefined;
}

/** One number for the tool and its arguments. */
function keyOf(tool: ToolFacts, args: unknown, command: string | undefined): number {
  if (!isRecord(args)) return args === undefined ? tool.hash : hashPair(tool.hash, hashValue(args));
  if (tool.kind === "plan") return hashPair(tool.hash, hashValue(statusesOf(args)));
  const skip = skipped(tool, args);
  let key = tool.hash;
  for (const name of Object.keys(args).sort()) {
    if (tool.identity === undefined ? skip(name) : !tool.identity.has(name)) continue;
    const value = args[name];
    const plain = typeof value === "string" ? spelling(name, value, command) : value;
    key = hashPair(key, hashPair(hashNumber(name), hashValue(plain)));
  }
  return key;
}

/** A plan is compared by the status of its items, not by their wording. */
function statusesOf(args: Fields): unknown {
  const items = args["plan"] ?? args["todos"] ?? args["items"];
  if (!Array.isArray(items)) return args;
  const list: readonly unknown[] = items.slice(0, 200);
  return list.map((item) => (isRecord(item) ? item["status"] : item));
}

function skipped(tool: ToolFacts, args: Fields): (name: string) => boolean {
  const payloads = tool.kind === "delegate" ? ["prompt"] : PAYLOADS;
  const payload = payloads.some((name) => Object.hasOwn(args, name));
  const identity = payload || IDENTITIES.some((name) => Object.hasOwn(args, name));
  return (name) =>
    tool.ignore.has(name) ||
    NEVER_IDENTITY.has(name) ||
    (identity && COSMETIC.has(name)) ||
    (payload && NAMES.has(name));
}

/** Ignores key order; depth and size are bounded. */
function hashValue(value: unknown): number {
  if (typeof value === "string") return hashNumber(value);
  let nodes = 0;
  const visit = (node: unknown, depth: number): number => {
    nodes += 1;
    if (typeof node === "string") return hashNumber(node);
    if (typeof node !== "object" || node === null || depth > 8 || nodes > MAX_NODES)
      return hashNumber(`\u0001${String(node)}`);
    let hash = Array.isArray(node) ? 1 : 2;
    if (Array.isArray(node)) for (const item of node) hash = hashPair(hash, visit(item, depth + 1));
    else
      for (const name of Object.keys(node).sort())
        hash = hashPair(hash, hashPair(hashNumber(name), visit((node as Fields)[name], depth + 1)));
    return hash;
  };
  return visit(value, 0);
}

type Aim = Pick<Call, "tool" | "kind" | "words" | "scope" | "path" | "key">;

/** Two calls with the same target ask for the same thing. */
function targetOf({ tool, kind, words, scope, path, key }: Aim): number {
  if (words.length > 0) {
    const inOrder = [...new Set(words)].sort().join(" ");
    return hashPair(hashPair(tool.hash, scope), hashNumber(inOrder));
  }
  return kind === "read" && path !== 0 ? hashPair(tool.hash, path) : key;
}

const STOP_WORDS = wordSet(
  "a an the of in on for to and or is are how do does what where which with from by all any",
);

/** The meaningful words, without their endings. */
function meaning(query: string): readonly string[] {
  return query
    .slice(0, 300)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u, 40)
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, "") : word));
}

function rangeOf(fields: Fields): readonly [number, number] {
  const view = fields["view_range"] ?? fields["line_range"];
  if (Array.isArray(view) && typeof view[0] === "number" && typeof view[1] === "number")
    return [view[0], view[1] < view[0] ? view[0] + 2000 : view[1]];
  const start = count(fields, STARTS) ?? 0;
  const end = count(fields, ENDS);
  return [start, end === undefined ? start + (count(fields, ["limit", "lines"]) ?? 2000) : end];
}

/** `{action: "poll"}`, `{chars: ""}`: asks for new output. */
const isPollAction = ({ action, chars }: Fields): boolean =>
  action === "poll" || action === "wait" || action === "status" || chars === "";

/** Normalises values that can be written in several ways. */
function spelling(name: string, value: string, command: string | undefined): string {
  if (value === command) return plainCommand(value);
  return PATHS.includes(name) ? plainPath(value) : value;
}

const plainPath = (path: string): string =>
  path.length < 500 && /^\.\/|\/\.?\//.test(path)
    ? path.replace(/^(?:\.\/)+/, "").replace(/\/(?:\.?\/)+/g, "/")
    : path;

function text(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
    if (
      Array.isArray(value) &&
      value.length < 50 &&
      value.every((word) => typeof word === "string")
    )
      return value.join(" ");
  }
  return undefined;
}

function hashField(fields: Fields, names: readonly string[]): number {
  const value = text(fields, names);
  return value === undefined ? 0 : hashNumber(value);
}

const count = (fields: Fields, names: readonly string[]): number | undefined =>
  names.map((name) => fields[name]).find((value): value is number => Number.isFinite(value));
