/**
 * A change of a small text file as lines for a person: what goes, what comes, a little around it. Bounded: texts
 * that differ too much to be compared line by line are shown as gone and come.
 */
import { structuredPatch } from "diff";
import { tameLine } from "../core/foreign-text.ts";

const CONTEXT = 2;
const EDITS_MAX = 3000;
const WIDTH = 200;

export function lineDiff(before: string, after: string): readonly string[] {
  const [old, fresh] = [withFinalNewline(before), withFinalNewline(after)];
  const options = { context: CONTEXT, maxEditLength: EDITS_MAX };
  const patch = structuredPatch("", "", old, fresh, "", "", options);
  if (patch === undefined)
    return [
      ...linesOf(old).map((line) => `-${line}`),
      ...linesOf(fresh).map((line) => `+${line}`),
    ].map(shown);
  const end = linesOf(old).length;
  return patch.hunks.flatMap(({ lines, oldStart, oldLines }) => [
    ...lines.map(shown),
    ...(oldStart + oldLines - 1 < end ? ["@@"] : []),
  ]);
}

/** A missing newline at the end is no change that a person should see. */
const withFinalNewline = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : `${text}\n`;

const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);

/** Indentation is kept: it is what makes a change readable. */
function shown(line: string): string {
  const [indent = ""] = /^.[ \t]{0,80}/.exec(line) ?? [];
  return `${line.charAt(0)} ${indent.slice(1)}${tameLine(line.slice(1), WIDTH)}`.trimEnd();
}
