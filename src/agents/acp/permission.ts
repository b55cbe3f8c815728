/**
 * Answers permission requests over the Agent Client Protocol. A request may name its call by id alone, so open calls
 * are remembered: only what a decision needs, bounded in number and size; what is too long is kept as a value that no
 * rule allows. Invariants: a malformed call or one of an unknown kind is refused; with `edit`, nothing outside the
 * worktree or at an unknown place, no command but the checks, and never more than the requested call; nothing that
 * would destroy the machine's own files, whatever was permitted.
 */
import { posix } from "node:path";
import { isShellRefusal, type Refusal } from "../../core/agent-words/refusal.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { destructive, type Destruction } from "../../core/shell/destructive.ts";
import { validateToolCall } from "../../core/validate/tool-call.ts";
import type { ToolSpec } from "../../core/validate/tool-specs.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import { isOneOf } from "../check-commands.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../output/json.ts";

type Rights = Pick<AgentRequest, "permissions" | "checks" | "allowed" | "cwd">;

const TEXT_OR_WORDS = [
  { type: "string", minLength: 1 },
  { type: "array", items: { type: "string" }, minItems: 1 },
];
const COMMAND = { type: "object", properties: { command: { anyOf: TEXT_OR_WORDS } } };

/** The kinds of calls in the protocol. */
const KINDS: readonly ToolSpec[] = [
  ...["read", "search", "think", "edit", "move", "delete", "fetch", "switch_mode", "other"].map(
    (name) => ({ name }),
  ),
  { name: "execute", schema: COMMAND },
];

export interface PermissionAnswer {
  readonly outcome:
    { readonly outcome: "cancelled" } | { readonly outcome: "selected"; readonly optionId: string };
}

/** The result of `session/request_permission`: one of the options, or cancelled. */
export function permissionAnswer(
  call: KnownCall,
  options: readonly unknown[],
  rights: Rights,
): PermissionAnswer {
  const always = rights.permissions === "full" ? optionFor("always", options) : undefined;
  const yes = optionFor("once", options) ?? always;
  const optionId = (isAllowed(call, rights) ? yes : undefined) ?? optionFor("no", options);
  return optionId === undefined ? CANCELLED : selected(optionId);
}

/** The answer after a person approves a refused call; undefined if it cannot be approved. */
export function answerOnYes(
  call: KnownCall,
  options: readonly unknown[],
  rights: Rights,
): PermissionAnswer | undefined {
  if (!isAllowed(call, { ...rights, allowed: [refusedCall(call)] })) return undefined;
  const once = optionFor("once", options);
  return once === undefined ? undefined : selected(once);
}

export const CANCELLED: PermissionAnswer = { outcome: { outcome: "cancelled" } };

const selected = (optionId: string): PermissionAnswer => ({
  outcome: { outcome: "selected", optionId },
});

function optionFor(wanted: Meaning, options: readonly unknown[]): string | undefined {
  const option = options.map(fieldsOf).find((one) => meaningOf(one) === wanted);
  return option && textOf(option["optionId"]);
}

/** Whether `permissionAnswer` says no. */
export const isRefused = (call: KnownCall, rights: Rights): boolean => !isAllowed(call, rights);

/** Whether a call made without asking would have been refused. */
export const wasForbidden = (call: KnownCall, rights: Rights): boolean =>
  (call.kind === "execute" ||
    call.kind === "delete" ||
    (call.kind === "edit" && call.places.length > 0)) &&
  !isWithin(call, rights);

type Meaning = "once" | "always" | "no";

const YES = /^(?:allow|approve|accept|proceed|permit|grant|yes|ok)(?:e?d)?(?![a-z])/;
const NO = /^(?:reject|deny|denie|decline|disallow|refuse|cancel|abort|no)(?:e?d)?(?![a-z])/;
const FOR_LONGER = /always|session|forever|remember|\ball\b|not? ask|n't ask/;

/** By the option's kind; if that is not one of the protocol's, by its id and name. */
function meaningOf({ kind, optionId, name }: Fields): Meaning | undefined {
  if (textOf(optionId) === "") return undefined;
  for (const text of [kind, optionId, name]) {
    const word = textOf(text).slice(0, 200).toLowerCase();
    if (NO.test(word)) return "no";
    if (YES.test(word)) return FOR_LONGER.test(word) ? "always" : "once";
  }
  return undefined;
}

/** What a call would irrecoverably destroy by running a command, if anything. */
export function destructionBy(
  call: KnownCall,
  { cwd }: Rights,
): (Destruction & { readonly command: string }) | undefined {
  if (kindOf(call) !== "execute") return undefined;
  const command = commandOf(call);
  const found = destructive(command, cwd);
  return found === undefined ? undefined : { ...found, command };
}

function isAllowed(call: KnownCall, rights: Rights): boolean {
  if (destructionBy(call, rights)?.of === "machine" && !isDestructionAllowed(call, rights))
    return false;
  const args = call.command === undefined ? {} : { command: call.command };
  const { valid } = validateToolCall({ name: kindOf(call), arguments: args }, KINDS);
  return valid && isWithin(call, rights);
}

/** A person may permit destroying a folder outside the tree, but never the system's own. */
const isDestructionAllowed = (call: KnownCall, { allowed = [] }: Rights): boolean =>
  allowed.some((one) => isExactly(call, one)) && destructive(commandOf(call))?.of !== "machine";

function isWithin(call: KnownCall, rights: Rights): boolean {
  const { permissions, checks = [], allowed = [], cwd } = rights;
  if (permissions === "full") return true;
  if (allowed.some((one) => isExactly(call, one))) return true;
  switch (kindOf(call)) {
    case "read":
    case "search":
    case "think":
      return true;
    case "edit":
    case "move":
      return call.places.length > 0 && call.places.every((place) => isInside(place, cwd));
    case "execute":
      return isOneOf(commandOf(call), checks);
    default:
      return false;
  }
}

/** A refused call in the form in which a person is asked about it. */
export const refusedCall = (call: KnownCall): Refusal => ({
  tool: kindOf(call),
  command: cleanLine(whatOf(call), 500),
});

const whatOf = (call: KnownCall): string =>
  kindOf(call) === "execute" ? commandOf(call) : textOf(call.places[0]) || call.title;

/** Exact match only: text shortened or cleaned for display allows nothing. */
function isExactly(call: KnownCall, allowed: Refusal): boolean {
  const isKind =
    kindOf(call) === "execute" ? isShellRefusal(allowed) : allowed.tool === kindOf(call);
  return isKind && call.places.length <= 1 && whatOf(call) === allowed.command;
}

/** First words of editors with a single tool for everything; none is a shell command. */
const EDITOR_WORDS = ["create", "edit", "insert", "str_replace", "undo_edit", "view", "write"];
const DESTROYS = /delet|remov|\brm\b|unlink|trash|eras/i;

/** Some agents label everything `other` or give no kind: then the call's target decides. */
function kindOf({ kind, title, places, command }: KnownCall): string {
  if (kind !== "" && kind !== "other") return kind;
  const edits = typeof command === "string" && EDITOR_WORDS.includes(command);
  if (command !== undefined && !edits) return "execute";
  return places.length > 0 && !DESTROYS.test(title) ? "edit" : "other";
}

/** A path that an agent could interpret differently (`~`, a URL) is not inside. */
function isInside(place: unknown, cwd: string): boolean {
  if (typeof place !== "string" || place === "") return false;
  const path = place.includes("%") ? place : place.replace(/^file:\/\/(?=\/)/, "");
  if (/^~|^[a-z][a-z0-9+.-]{1,20}:|\0/i.test(path)) return false;
  return `${posix.resolve(cwd, path)}/`.startsWith(`${posix.resolve(cwd)}/`);
}

/** The command to run; without arguments, only the title is available. */
function commandOf({ command, title }: KnownCall): string {
  if (!Array.isArray(command)) return textOf(command) || title.replaceAll("`", "");
  const words = (command as readonly unknown[]).map(textOf);
  // `bash -lc <script>`, as some agents start their commands
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}

/** Foreign values stay `unknown` until they are judged. */
export interface KnownCall {
  readonly kind: string;
  readonly title: string;
  /** All places that the call names as its targets. */
  readonly places: readonly unknown[];
  /** The command it runs; undefined if it gives none. */
  readonly command: unknown;
}

const MAX_CALLS = 64;
const MAX_TEXT = 4000;
const MAX_PLACES = 50;
const MAX_WORDS = 100;
const UNJUDGEABLE = "";
/** Names under which agents' tools give the path they work on. */
const PLACE_NAMES = [
  ...["path", "file_path", "filePath", "filepath", "abs_path", "absolute_path"],
  ...["file", "filename", "target_file", "targetFile", "uri"],
];

export function createKnownCalls() {
  const calls = new Map<string, KnownCall>();
  /** A call as known so far, merged with this message. */
  const whole = (call: Fields): KnownCall => {
    const before = calls.get(textOf(call["toolCallId"]));
    const now = knownCall(call);
    return {
      kind: now.kind || (before?.kind ?? ""),
      title: now.title || (before?.title ?? ""),
      places: now.places.length > 0 ? now.places : (before?.places ?? []),
      command: now.command ?? before?.command,
    };
  };
  return {
    whole,
    /** Processes one line from the agent; returns the call that it reports as ended. */
    take(line: Fields): { readonly id: string; readonly call: KnownCall } | undefined {
      if (line["method"] !== "session/update") return undefined;
      const update = fieldsOf(fieldsOf(line["params"])["update"]);
      const told = update["sessionUpdate"];
      const id = textOf(update["toolCallId"]);
      if ((told !== "tool_call" && told !== "tool_call_update") || id.length > MAX_TEXT)
        return undefined;
      const call = whole(update);
      calls.delete(id);
      if (update["status"] === "failed") return undefined;
      if (update["status"] === "completed") return { id, call };
      calls.set(id, call);
      const [oldest] = calls.keys();
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
      return undefined;
    },
  };
}

export function knownCall(call: Fields): KnownCall {
  const input = fieldsOf(call["rawInput"]);
  const diffs = listOf(call["content"])
    .map(fieldsOf)
    .filter(({ type }) => type === "diff");
  const places = [
    ...listOf(call["locations"]).map((place) => fieldsOf(place)["path"]),
    ...diffs.map(({ path }) => path),
    ...PLACE_NAMES.map((name) => input[name]).filter((place) => place !== undefined),
    ...Object.keys(fieldsOf(input["changes"])),
  ];
  return {
    kind: textOf(call["kind"]).slice(0, MAX_TEXT),
    title: textOf(call["title"]).length > MAX_TEXT ? UNJUDGEABLE : textOf(call["title"]),
    places: places.length > MAX_PLACES ? [UNJUDGEABLE] : places.map(short),
    command: keptCommand(input["command"]),
  };
}

function keptCommand(command: unknown): unknown {
  if (!Array.isArray(command)) return short(command);
  const words = command as readonly unknown[];
  const kept = words.slice(0, MAX_WORDS).map(short);
  return words.length > MAX_WORDS || kept.includes(UNJUDGEABLE) ? UNJUDGEABLE : kept;
}

const short = (value: unknown): unknown => {
  if (typeof value === "string") return value.length > MAX_TEXT ? UNJUDGEABLE : value;
  return typeof value === "object" && value !== null ? UNJUDGEABLE : value;
};
