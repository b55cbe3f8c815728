/**
 * What a text rule is: data only. A rule looks at one line of foreign text at a time; the engine finds its
 * candidate lines by words and ranks what matches. Invariant: every pattern is linear (bounded repeats, no nested
 * ones); a test checks all of them.
 */
import type { FailureKind } from "../kinds.ts";

/**
 * How far a match is to be trusted against others of the same evidence. summary: a test runner's count of failed tests,
 * whatever the tests print; verdict: wording that decides alone; typed: a code or wording only one failure has;
 * exact: an error line as a tool prints it; phrase: usual words for it; hint: better than nothing.
 */
export const LEVELS = {
  summary: 116,
  verdict: 100,
  typed: 86,
  exact: 72,
  phrase: 58,
  hint: 40,
} as const;
type Level = keyof typeof LEVELS;

/** shell: a command's output; model: a model service; agent: an agent CLI; call: an agent's tool call. */
export type TextSource = "shell" | "model" | "agent" | "call";

export interface Rule {
  readonly id: string;
  readonly kind: FailureKind;
  readonly level: Level;
  /** How often it is right when it decides. */
  readonly confidence: number;
  /** Only in texts from these; default all. */
  readonly sources?: readonly TextSource[];
  readonly ignoreCase?: true;
  /** Its line says "warning" or "info" by nature: no less trusted for that. */
  readonly evenInWarnings?: true;
  /**
   * One pattern a line: `word,word => regular expression`. One of the words (lower-case; for CJK two characters) is in
   * every line the expression matches. A line that begins with `... ` continues the one before it.
   */
  readonly lines: string;
  /** Expressions, one a line, case ignored: a text line that matches one of them is not meant. */
  readonly unless?: string;
  /** Expressions, one a line, case ignored: the text line before must match one of them. */
  readonly after?: string;
}

/** A row of a table of rules. */
export const rule = (
  id: string,
  kind: FailureKind,
  level: Level,
  confidence: number,
  matching: Omit<Rule, "id" | "kind" | "level" | "confidence">,
): Rule => ({ id, kind, level, confidence, ...matching });
