/**
 * A refusal that names a destructive command: "Blocked: command 'rm -rf /'". What was refused is then no missing
 * right to be mended but something that only a person may decide. Invariants: linear, bounded; never throws; a text
 * that only mentions such a command, without refusing it, says nothing.
 */
import type { Evidence } from "../evidence.ts";
import { destructive } from "../shell/destructive.ts";

const REFUSES =
  /\b(?:blocked|blocking|denied|denies|refus(?:ed|es|ing)|reject(?:ed|s|ing)|forbidden|disallowed|prohibited|not (?:allowed|permitted|approved)|requires? approval)\b/i;

/** Where a refusal has the command: in quotes, in the parentheses of a tool, or after a word that announces it. */
const NAMED = [
  /'([^'\n]{2,400})'/g,
  /"([^"\n]{2,400})"/g,
  /`([^`\n]{2,400})`/g,
  /\b(?:Bash|Shell|shell|bash|execute|run_shell_command)\(([^\n]{2,400})\)/g,
  /\b(?:command|run|execute|running|blocked|denied|rejected|refused)(?: is| was)?:?\s{1,3}([a-zA-Z/~:.][^\n]{1,400})/gi,
];
const MAX_CHARS = 2_000;
const MAX_NAMED = 20;

/** The line that says so, and what the command would do. */
export interface RefusedDestruction {
  readonly line: string;
  readonly why: string;
}

/** The destructive command that the evidence says was refused. */
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
