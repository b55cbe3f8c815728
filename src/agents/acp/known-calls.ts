/**
 * The tool calls an agent has told of and not ended. A request for permission may name its call by the id alone,
 * so what it is about stands in messages before it. Invariants: keeps only what a permission is judged by; bounded
 * in number and size; what was too long to keep is kept as something no rule allows.
 */
import { fieldsOf, listOf, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";

/** What is foreign in it stays unknown until it is judged. */
export interface KnownCall {
  readonly kind: string;
  readonly title: string;
  /** All it names as the places it works on. */
  readonly places: readonly unknown[];
  /** What it runs; undefined where it says none. */
  readonly command: unknown;
}

export interface EndedCall {
  readonly id: string;
  readonly call: KnownCall;
}

export interface KnownCalls {
  /** One line of the agent; the call that it says has ended. */
  take(line: Fields): EndedCall | undefined;
  /** A call as it is known by now, with what this message says of it. */
  whole(call: Fields): KnownCall;
}

const MAX_CALLS = 64;
const MAX_TEXT = 4000;
const MAX_PLACES = 50;
const MAX_WORDS = 100;
const UNJUDGEABLE = "";
/** Under which names an agent's tools have the place they work on. */
const PLACE_NAMES = [
  ...["path", "file_path", "filePath", "filepath", "abs_path", "absolute_path"],
  ...["file", "filename", "target_file", "targetFile", "uri"],
];

export function createKnownCalls(): KnownCalls {
  const calls = new Map<string, KnownCall>();
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
    take(line) {
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

/** What one message says of a call. */
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
    command: commandOf(input["command"]),
  };
}

function commandOf(command: unknown): unknown {
  if (!Array.isArray(command)) return short(command);
  const words = command as readonly unknown[];
  const kept = words.slice(0, MAX_WORDS).map(short);
  return words.length > MAX_WORDS || kept.includes(UNJUDGEABLE) ? UNJUDGEABLE : kept;
}

const short = (value: unknown): unknown => {
  if (typeof value === "string") return value.length > MAX_TEXT ? UNJUDGEABLE : value;
  return typeof value === "object" && value !== null ? UNJUDGEABLE : value;
};
