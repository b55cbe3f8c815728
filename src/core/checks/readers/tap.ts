/**
 * TAP, also as node:test prints it: `not ok` lines, subtests by indentation. A parent that fails only because of
 * its subtests is not an item of its own; TODO and SKIP are not failures; comments and the YAML block below a
 * result are not results.
 */

// not ok 3 - name # TODO why
const RESULT = /^( *)(not )?ok(?: \d{1,9})?(?: (?:- )?(.*))?$/;
const DIRECTIVE = / # (?:todo|skip)\b/i;
const HEADER = /^(?:TAP version 1\d|1\.\.\d{1,9}(?: #.{0,200})?)$/;
const DEEPEST = 50;

export function* readTap(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => HEADER.test(line))) return;
  const failed: string[][] = [];
  let afterResult = false;
  let inYaml = false;
  for (const line of lines) {
    if (inYaml) inYaml = line.trim() !== "...";
    else if (afterResult && line.trim() === "---") inYaml = true;
    const found = inYaml ? null : RESULT.exec(line);
    afterResult = found !== null;
    if (found === null) continue;
    const [, indent = "", not, text = ""] = found;
    const depth = Math.min(Math.floor(indent.length / 4), DEEPEST);
    const below = failed[depth + 1] ?? [];
    failed.length = Math.min(failed.length, depth + 1);
    if (not === undefined || DIRECTIVE.test(text)) continue;
    const name = text.replaceAll("\\#", "#") || line.trim();
    const names = below.length > 0 ? below.map((inner) => `${name} > ${inner}`) : [name];
    if (depth === 0) yield* names;
    else failed[depth] = [...(failed[depth] ?? []), ...names].slice(0, MAX_BELOW);
  }
  for (const names of failed) yield* names ?? [];
}

/** More failing subtests of one parent than this are not told apart. */
const MAX_BELOW = 1000;
