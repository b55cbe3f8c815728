/**
 * The answer to an agent that asks for permission over the Agent Client Protocol. Invariants: a call that is not
 * well formed or of a kind nobody knows is refused (E8); with `edit`, nothing whose place is not known to be in
 * the worktree, no command but the checks, and never more than the call that is asked for.
 */
import { posix } from "node:path";
import { validateToolCall } from "../../core/validate/tool-call.ts";
import type { ToolSpec } from "../../core/validate/tool-spec.ts";
import type { AgentRequest } from "../../runtime/ports-agent.ts";
import type { KnownCall } from "./known-calls.ts";
import { isOneOf } from "../check-commands.ts";
import { fieldsOf, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";

type Rights = Pick<AgentRequest, "permissions" | "checks" | "cwd">;

const COMMAND = {
  type: "object",
  properties: {
    command: {
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "array", items: { type: "string" }, minItems: 1 },
      ],
    },
  },
};

/** The kinds of call the protocol has. */
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

/** The result of `session/request_permission`: one of the options, or none of them. */
export function permissionAnswer(
  call: KnownCall,
  options: readonly unknown[],
  rights: Rights,
): PermissionAnswer {
  const chosen = (wanted: Meaning): string | undefined =>
    options
      .map(fieldsOf)
      .filter((option) => meaningOf(option) === wanted)
      .map(({ optionId }) => textOf(optionId))[0];
  const yes = chosen("once") ?? (rights.permissions === "full" ? chosen("always") : undefined);
  const optionId = (isAllowed(call, rights) ? yes : undefined) ?? chosen("no");
  return {
    outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  };
}

/** Whether a call that was made without asking for it is one that would have been refused. */
export const wasForbidden = (call: KnownCall, rights: Rights): boolean =>
  (call.kind === "execute" ||
    call.kind === "delete" ||
    (call.kind === "edit" && call.places.length > 0)) &&
  !isWithin(call, rights);

type Meaning = "once" | "always" | "no";

const YES = /^(?:allow|approve|accept|proceed|permit|grant|yes|ok)(?:e?d)?(?![a-z])/;
const NO = /^(?:reject|deny|denie|decline|disallow|refuse|cancel|abort|no)(?:e?d)?(?![a-z])/;
const FOR_LONGER = /always|session|forever|remember|\ball\b|not? ask|n't ask/;

/** By its kind; where that is none of the protocol's, by the words it has. */
function meaningOf({ kind, optionId, name }: Fields): Meaning | undefined {
  if (textOf(optionId) === "") return undefined;
  for (const text of [kind, optionId, name]) {
    const word = textOf(text).slice(0, 200).toLowerCase();
    if (NO.test(word)) return "no";
    if (YES.test(word)) return FOR_LONGER.test(word) ? "always" : "once";
  }
  return undefined;
}

function isAllowed(call: KnownCall, rights: Rights): boolean {
  const { command } = call;
  const args = command === undefined ? {} : { command };
  const { valid } = validateToolCall({ name: kindOf(call), arguments: args }, KINDS);
  return valid && isWithin(call, rights);
}

function isWithin(call: KnownCall, { permissions, checks = [], cwd }: Rights): boolean {
  const { places } = call;
  if (permissions === "full") return true;
  switch (kindOf(call)) {
    case "read":
    case "search":
    case "think":
      return true;
    case "edit":
    case "move":
      return places.length > 0 && places.every((place) => isInside(place, cwd));
    case "execute":
      return isOneOf(commandOf(call), checks);
    default:
      return false;
  }
}

/** First words of editors that have one tool for everything; none is a command of a shell. */
const EDITOR_WORDS = ["create", "edit", "insert", "str_replace", "undo_edit", "view", "write"];
const DESTROYS = /delet|remov|\brm\b|unlink|trash|eras/i;

/** Some agents call everything `other`, or say no kind: then what it works on tells. */
function kindOf({ kind, title, places, command }: KnownCall): string {
  if (kind !== "" && kind !== "other") return kind;
  const edits = typeof command === "string" && EDITOR_WORDS.includes(command);
  if (command !== undefined && !edits) return "execute";
  return places.length > 0 && !DESTROYS.test(title) ? "edit" : "other";
}

/** A place that an agent could read in another way (`~`, an address) is not inside. */
function isInside(place: unknown, cwd: string): boolean {
  if (typeof place !== "string" || place === "") return false;
  const path = place.includes("%") ? place : place.replace(/^file:\/\/(?=\/)/, "");
  if (/^~|^[a-z][a-z0-9+.-]{1,20}:|\0/i.test(path)) return false;
  return `${posix.resolve(cwd, path)}/`.startsWith(`${posix.resolve(cwd)}/`);
}

/** What is to be run; without arguments, the title is all there is. */
function commandOf({ command, title }: KnownCall): string {
  if (!Array.isArray(command)) return textOf(command) || title.replaceAll("`", "");
  const words = (command as readonly unknown[]).map(textOf);
  // `bash -lc <script>`, as some agents start their commands
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}
