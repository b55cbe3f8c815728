/**
 * Refusals that name a destructive command: "Blocked: command 'rm -rf /'". Such a refusal is not a missing permission
 * to fix but a decision for a person. Invariants: linear, bounded; never throws; merely mentioning such a command
 * without refusing it does not match.
 */
import type { Evidence } from "../evidence.ts";
import { destructive } from "../shell/destructive.ts";

const REFUSES =
  /\b(?:blocked|blocking|denied|denies|refus(?:ed|es|ing)|reject(?:ed|s|ing)|forbidden|disallowed|prohibited|not (?:allowed|permitted|approved)|requires? approval)\b/i;

/** Where a refusal puts the command: in quotes, in a tool call's parentheses, or after an introductory word. */
const NAMED = [
  /'([^'\n]{2,400})'/g,
  /"([^"\n]{2,400})"/g,
  /`([^`\n]{2,400})`/g,
  /\b(?:Bash|Shell|shell|bash|execute|run_shell_command)\(([^\n]{2,400})\)/g,
  /\b(?:command|run|execute|running|blocked|denied|rejected|refused)(?: is| was)?:?\s{1,3}([a-zA-Z/~:.][^\n]{1,400})/gi,
];
const MAX_CHARS = 2_000;
const MAX_NAMED = 20;

/** The line with the refusal, and what the command would do. */
export interface RefusedDestruction {
  readonly line: string;
  readonly why: string;
}

/** The refused destructive command, if the evidence shows one. */
export function refusedDestruction(evidence: Evidence): RefusedDestruction | undefined {
  const { command, message, stderr, stdout } = evidence;
  const own = typeof command === "string" ? [command] : [];
  for (const text of [message, stderr, stdout]) {
    const end = typeof text === "string" ? text.slice(-MAX_CHARS) : "";
    if (!REFUSES.test(end)) continue;
    for (const line of end.split("\n")) {
      if (!REFUSES.test(line)) continue;
      for (const named of [...own, ...namedIn(line.slice(0, 1_000))]) {
        const found = destructive(named);
        if (found !== undefined) return { line, why: found.why };
      }
    }
  }
  return undefined;
}

const namedIn = (line: string): readonly string[] =>
  NAMED.flatMap((pattern) =>
    Array.from(line.matchAll(pattern), ([, named = ""]) => named.trim()),
  ).slice(0, MAX_NAMED);
