/**
 * Takes hooks out of a settings file of JSON that was changed since they were put in: entries are known by their
 * command, and lists that are empty then go with them. What stands beside them stays as it is.
 */
import { memberOf, readJsonText } from "./json-text.ts";
import type { JsonNode } from "./json-text.ts";

/** The text without them; undefined where it holds none or is not JSON. */
export function withoutHooks(
  text: string,
  isOurs: (command: string) => boolean,
): string | undefined {
  let result = text;
  for (let changed = false; ; changed = true) {
    const next = withoutOne(result, isOurs);
    if (next === undefined) return changed ? result : undefined;
    result = next;
  }
}

export function holdsHooks(text: string, isOurs: (command: string) => boolean): boolean {
  return withoutOne(text, isOurs) !== undefined;
}

function withoutOne(text: string, isOurs: (command: string) => boolean): string | undefined {
  const reading = readJsonText(text);
  if (!reading.ok) return undefined;
  const { root } = reading;
  const hooks = root.parts.findIndex(({ key }) => key === "hooks");
  const lists = root.parts[hooks]?.node;
  for (const [place, { node: list }] of (lists?.parts ?? []).entries()) {
    const at = list.parts.findIndex(({ node }) => commandsOf(node).some(isOurs));
    if (lists === undefined || at < 0) continue;
    if (list.parts.length > 1) return cut(text, list, at);
    return lists.parts.length > 1 ? cut(text, lists, place) : cut(text, root, hooks);
  }
  return undefined;
}

const commandsOf = (entry: JsonNode): string[] =>
  (memberOf(entry, "hooks")?.node.parts ?? []).flatMap(
    ({ node }) => memberOf(node, "command")?.node.value ?? [],
  );

/** One part with its line and one comma. */
function cut(text: string, { parts }: JsonNode, index: number): string {
  const part = parts[index];
  if (part === undefined) return text;
  const start = lineBefore(text, part.start);
  const comma = commaBehind(text, part.node.end);
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma + 1);
  const previous = parts[index - 1];
  const before = previous === undefined ? undefined : commaBehind(text, previous.node.end);
  const head =
    before === undefined
      ? text.slice(0, start)
      : text.slice(0, before) + text.slice(before + 1, Math.max(start, before + 1));
  return head + text.slice(part.node.end);
}

function lineBefore(text: string, at: number): number {
  let start = at;
  while (text.charAt(start - 1) === " " || text.charAt(start - 1) === "\t") start -= 1;
  if (text.charAt(start - 1) !== "\n") return at;
  return text.charAt(start - 2) === "\r" ? start - 2 : start - 1;
}

function commaBehind(text: string, from: number): number | undefined {
  let at = from;
  for (;;) {
    while (/\s/.test(text.charAt(at)) && at < text.length) at += 1;
    if (text.startsWith("//", at)) at = (text.indexOf("\n", at) + 1 || text.length + 1) - 1;
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
    else return text.charAt(at) === "," ? at : undefined;
  }
}
