/**
 * Puts hooks into a settings file of JSON, by place: nothing but whole pieces of text is added, so that taking
 * exactly these pieces out again gives the file as it was, to the byte.
 */
import { memberOf, readJsonText, restOfLine } from "./json-text.ts";
import type { JsonNode } from "./json-text.ts";

export interface Insertion {
  readonly at: number;
  readonly text: string;
}

export type Inserting =
  | { readonly ok: true; readonly insertions: readonly Insertion[] }
  | { readonly ok: false; readonly problem: string };

/** For each event the one entry that is added to its list. */
export function hookInsertions(
  text: string,
  entries: Readonly<Record<string, unknown>>,
): Inserting {
  const reading = readJsonText(text);
  if (!reading.ok) return reading;
  const { root } = reading;
  if (root.kind !== "object") return no("expected an object");
  const put = inserter(text);
  const hooks = memberOf(root, "hooks")?.node;
  if (hooks === undefined) {
    const lists = Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, [one]]));
    return { ok: true, insertions: [put(root, [["hooks", lists]])] };
  }
  if (hooks.kind !== "object") return no("expected `hooks` to be an object");
  const missing: [string, unknown][] = [];
  const insertions: Insertion[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const list = memberOf(hooks, name)?.node;
    if (list === undefined) missing.push([name, [entry]]);
    else if (list.kind !== "array") return no(`expected \`hooks.${name}\` to be a list`);
    else insertions.push(put(list, [["", entry]]));
  }
  if (missing.length > 0) insertions.push(put(hooks, missing));
  return { ok: true, insertions };
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = text;
  for (const { at, text: piece } of [...insertions].sort((a, b) => b.at - a.at))
    result = result.slice(0, at) + piece + result.slice(at);
  return result;
}

const no = (problem: string): Inserting => ({ ok: false, problem });

/** In front of what is there, behind a comment on the line of the bracket. */
function inserter(text: string) {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return (container: JsonNode, members: readonly (readonly [string, unknown])[]): Insertion => {
    const outer = indentAt(text, container.start);
    const inner = outer + unit;
    const pieces = members.map(([key, value]) => {
      const lines = JSON.stringify(value, null, unit).replaceAll("\n", newline + inner);
      return inner + (key === "" ? "" : `${JSON.stringify(key)}: `) + lines;
    });
    const body = newline + pieces.join(`,${newline}`);
    const empty = container.parts.length === 0;
    return {
      at: restOfLine(text, container.start + 1),
      text: empty ? body + newline + outer : `${body},`,
    };
  };
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
