/**
 * The definition of a text rule, as plain data. A rule looks at one line of foreign text at a time; the engine finds
 * candidate lines by words and ranks the matches. Invariant: every pattern is linear (bounded repeats, none nested); a
 * test checks all of them.
 */
import type { FailureKind } from "../kinds.ts";

/**
 * How far a match is trusted compared with others in the same evidence. summary: a test runner's count of failed tests,
 * whatever the tests print; verdict: wording that decides alone; typed: a code or wording unique to one failure; exact:
 * an error line as a tool prints it; phrase: common wording for it; hint: better than nothing.
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
  /** Applies only to texts from these sources; default all. */
  readonly sources?: readonly TextSource[];
  readonly ignoreCase?: true;
  /** Its line normally contains "warning" or "info", and is trusted all the same. */
  readonly evenInWarnings?: true;
  /**
   * One pattern per line: `word,word => regular expression`. Every line that the expression matches contains one of the
   * words (lower-case; two characters for CJK). A line that begins with `... ` continues the previous one.
   */
  readonly lines: string;
  /** Expressions, one per line, case ignored: a text line that matches one of them is excluded. */
  readonly unless?: string;
  /** Expressions, one per line, case ignored: the previous text line must match one of them. */
  readonly after?: string;
}

/** Makes one row of a rule table. */
export const rule = (
  id: string,
  kind: FailureKind,
  level: Level,
  confidence: number,
  matching: Omit<Rule, "id" | "kind" | "level" | "confidence">,
): Rule => ({ id, kind, level, confidence, ...matching });
