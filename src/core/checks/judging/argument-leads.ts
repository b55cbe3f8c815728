/**
 * Reads the arguments of a runner into leads. Imports types only. Invariants: never throws; linear in the words.
 */
import type { Lead } from "./leads.ts";

/** Options that a path follows are configuration; other paths are tests, where the program runs tests. */
export function argumentLeads(words: readonly string[], runsTests: boolean): readonly Lead[] {
  const leads: Lead[] = [];
  for (const [index, word] of words.entries()) {
    const value = /^--?[\w.-]{1,60}=(.{1,500})$/.exec(word)?.[1];
    if (value !== undefined) leads.push({ kind: "config", word: value });
    else if (word.startsWith("-")) continue;
    else if (index > 0 && /^--?[A-Za-z]/.test(words[index - 1]!)) {
      leads.push({ kind: "config", word });
      if (words[index - 1] === "-p") leads.push({ kind: "import", word });
    } else if (runsTests) leads.push({ kind: "tests", word: word.replace(/::.*$/, "") });
  }
  return leads;
}
