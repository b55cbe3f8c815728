/**
 * What installing or uninstalling would change, worked out before anything is written. Invariants: a file that
 * cannot be read as what it should be is refused, never replaced; taking out gives back the bytes from before
 * where the text put in is still there as it was.
 */
import { applyInsertions, holdsHooks, hookInsertions, withoutHooks } from "./json-hooks.ts";
import type { HookTarget } from "./hook-target.ts";
import { tomlBlock, withoutTomlBlock } from "./toml-block.ts";

export type HookChange =
  | {
      readonly kind: "change";
      /** Undefined: there is, or will be, no file. */
      readonly before: string | undefined;
      readonly after: string | undefined;
      /** What was put in, each piece as it stands in the file. */
      readonly pieces: readonly string[];
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly problem: string };

type IsOurs = (command: string) => boolean;

export function installChange(
  target: HookTarget,
  before: string | undefined,
  isOurs: IsOurs,
): HookChange {
  switch (target.form) {
    case "plugin":
      if (before === target.text) return { kind: "nothing" };
      return before === undefined
        ? { kind: "change", before, after: target.text, pieces: [target.text] }
        : refused("there is another file of that name");
    case "toml": {
      const text = before ?? "";
      if (withoutTomlBlock(text) !== undefined) return { kind: "nothing" };
      const block = tomlBlock(text, target.hooks);
      return { kind: "change", before, after: text + block, pieces: [block] };
    }
    case "json": {
      const text = before ?? "";
      if (text.trim() === "") {
        const whole = `${JSON.stringify({ hooks: listsOf(target.entries) }, null, 2)}\n`;
        return { kind: "change", before, after: text + whole, pieces: [whole] };
      }
      if (holdsHooks(text, isOurs)) return { kind: "nothing" };
      const inserting = hookInsertions(text, target.entries);
      if (!inserting.ok) return refused(inserting.problem);
      const { insertions } = inserting;
      const after = applyInsertions(text, insertions);
      return { kind: "change", before, after, pieces: insertions.map((one) => one.text) };
    }
  }
}

export interface InstalledPieces {
  readonly pieces: readonly string[];
  /** There was no such file before. */
  readonly created: boolean;
}

export function uninstallChange(
  target: HookTarget,
  before: string | undefined,
  installed: InstalledPieces | undefined,
  isOurs: IsOurs,
): HookChange {
  if (before === undefined) return { kind: "nothing" };
  const exact = withoutPieces(before, installed?.pieces ?? []);
  if (exact !== undefined) {
    const after = exact === "" && installed?.created === true ? undefined : exact;
    return { kind: "change", before, after, pieces: [] };
  }
  if (target.form === "plugin")
    return before === target.text
      ? { kind: "change", before, after: undefined, pieces: [] }
      : refused("the file was changed since, or is not ours: remove it yourself");
  const after = target.form === "toml" ? withoutTomlBlock(before) : withoutHooks(before, isOurs);
  return after === undefined ? { kind: "nothing" } : { kind: "change", before, after, pieces: [] };
}

function withoutPieces(text: string, pieces: readonly string[]): string | undefined {
  let result = text;
  for (const piece of pieces) {
    const at = result.lastIndexOf(piece);
    if (at < 0) return undefined;
    result = result.slice(0, at) + result.slice(at + piece.length);
  }
  return pieces.length === 0 ? undefined : result;
}

const listsOf = (entries: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).map(([event, entry]) => [event, [entry]]));

const refused = (problem: string): HookChange => ({ kind: "refused", problem });
