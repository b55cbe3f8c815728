/**
 * The answer to an agent that asks for permission over the Agent Client Protocol. Pure; imports
 * core and the port's types. Invariants: a call that is not well formed or of a kind nobody knows
 * is refused (E8); with `edit`, nothing outside the worktree and no command but the checks.
 */
import { posix } from "node:path";
import { validateToolCall } from "../core/validate/tool-call.ts";
import type { ToolSpec } from "../core/validate/tool-spec.ts";
import type { AgentRequest } from "../runtime/ports-agent.ts";
import { isOneOf } from "./check-commands.ts";
import { fieldsOf, listOf, textOf } from "./transcripts/json.ts";
import type { Fields } from "./transcripts/json.ts";

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

/** The result of `session/request_permission`. */
export function permissionAnswer(params: Fields, rights: Rights): unknown {
  const options = listOf(params["options"]).map(fieldsOf);
  const allowed = isAllowed(fieldsOf(params["toolCall"]), rights);
  const wanted = allowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = wanted
    .map((kind) => options.find((one) => one["kind"] === kind))
    .find((one) => one !== undefined);
  const optionId = textOf(option?.["optionId"]);
  if (optionId === "") return { outcome: { outcome: "cancelled" } };
  return { outcome: { outcome: "selected", optionId } };
}

function isAllowed(call: Fields, { permissions, checks = [], cwd }: Rights): boolean {
  const kind = textOf(call["kind"]) || "other";
  const input = fieldsOf(call["rawInput"]);
  if (!validateToolCall({ name: kind, arguments: input }, KINDS).valid) return false;
  if (permissions === "full") return true;
  const paths = [
    ...listOf(call["locations"]).map((place) => fieldsOf(place)["path"]),
    ...["path", "file_path", "filePath", "abs_path"].map((name) => input[name]),
  ].filter((path) => path !== undefined);
  switch (kind) {
    case "read":
    case "search":
    case "think":
      return true;
    case "edit":
    case "move":
      return paths.every((path) => isInside(path, cwd));
    case "execute":
      return isOneOf(commandOf(input, textOf(call["title"])), checks);
    default:
      return false;
  }
}

const isInside = (path: unknown, cwd: string): boolean =>
  typeof path === "string" && `${posix.resolve(cwd, path)}/`.startsWith(`${posix.resolve(cwd)}/`);

/** What is to be run; without arguments, the title is all there is. */
function commandOf(input: Fields, title: string): string {
  const { command } = input;
  if (!Array.isArray(command)) return textOf(command) || title.replaceAll("`", "");
  const words = (command as readonly unknown[]).map(textOf);
  // `bash -lc <script>`, as some agents start their commands
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}
