/**
 * The excerpt of a failed setup's output, without what npm adds to every error: a prefix on each line, usage, the path
 * of its log. Invariants: pure and linear; bounded by the budget.
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

/** npm prints the same text between `Usage:` and `Run "npm help ..."`, whatever the error. */
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
