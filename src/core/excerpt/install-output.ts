/**
 * What a failed set-up says: the excerpt of its output, without what npm adds to every error: a mark on each line, how
 * it is called, where its log is. Invariants: pure and linear; bounded by the budget.
 */
import { cleanText } from "../foreign-text.ts";
import { excerptOf } from "./excerpt.ts";

const MARK = /^npm (?:error|ERR!) ?/;
const USAGE_BEGINS = /^Usage:$/;
const USAGE_ENDS = /^Run "npm help /;

interface InstallExcerpt {
  /** The cause, in one line. */
  readonly headline: string;
  readonly text: string;
}

export function installExcerpt(
  output: { readonly stdout: string; readonly stderr: string },
  budget: number,
): InstallExcerpt {
  const { stdout, stderr } = output;
  const excerpt = excerptOf(
    { stdout: withoutUsage(stdout), stderr: withoutUsage(stderr) },
    { budget },
  );
  const lines = excerpt.text.split("\n").map((line) => line.replace(MARK, ""));
  return {
    headline: excerpt.headline.replace(MARK, ""),
    text: cleanText(lines.filter((line) => line !== "").join("\n"), { maxChars: budget * 2 }),
  };
}

/** What npm prints between `Usage:` and `Run "npm help ..."` is the same whatever went wrong. */
function withoutUsage(text: string): string {
  let inUsage = false;
  const kept = text.split("\n").filter((line) => {
    const said = MARK.test(line) ? line.replace(MARK, "") : "";
    const ends = USAGE_ENDS.test(said);
    inUsage = (inUsage || USAGE_BEGINS.test(said)) && !ends;
    return !inUsage && !ends;
  });
  return kept.join("\n");
}
