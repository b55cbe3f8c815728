/**
 * Combines notices of one cause into one message: a title, a line for each, and where to go. Bounded; foreign text is
 * included only if allowed.
 */
import { count } from "../amounts.ts";
import { cleanLine } from "../foreign-text.ts";
import type { Notice, Severity } from "./notice.ts";

export interface Message {
  readonly severity: Severity;
  readonly title: string;
  readonly lines: readonly string[];
  /** The command to type, on a machine that knows the run. */
  readonly command: string;
  /** The page on which to answer. */
  readonly url?: string;
  readonly notices: readonly Notice[];
}

const LINES_MAX = 8;

export function messageOf(
  notices: readonly Notice[],
  { publicUrl, details = false }: { readonly publicUrl?: string; readonly details?: boolean } = {},
): Message | undefined {
  const [first] = notices;
  if (first === undefined) return undefined;
  const runs = new Set(notices.map(({ run }) => run));
  const asks = first.question !== undefined;
  const lines = notices.slice(0, LINES_MAX).map((notice) => lineOf(notice, details));
  const leftOut = notices.length - lines.length;
  const path = asks ? "/inbox" : runs.size === 1 ? `/runs/${encodeURIComponent(first.run)}` : "";
  return {
    severity: first.severity,
    title:
      notices.length === 1
        ? `${cleanLine(first.repository, 60)}: ${first.words}`
        : `${count(notices.length, asks ? "question" : "notice")}: ${first.cause.replace(/^\w+: /, "")}`,
    lines: [...lines, ...(leftOut === 0 ? [] : [`and ${leftOut} more`])],
    command: asks ? "unstuck review" : `unstuck status ${first.run}`,
    ...(publicUrl === undefined ? {} : { url: `${publicUrl.replace(/\/+$/, "")}${path}` }),
    notices: details ? notices : notices.map(({ details: _, ...rest }) => rest),
  };
}

const lineOf = ({ repository, run, words, details }: Notice, isAllowed: boolean): string => {
  const more = isAllowed && details !== undefined && details !== "" ? ` (${details})` : "";
  return cleanLine(`${repository}, run ${run}: ${words}${more}`, 400);
};
