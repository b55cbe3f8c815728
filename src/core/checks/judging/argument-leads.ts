/** Reads the arguments of a runner into leads. Invariants: never throws; linear in the words. */
import type { Lead } from "./leads.ts";

/** What follows a long option or one of these is its value. */
const TAKES_VALUE = /^(?:--[A-Za-z][\w-]{0,60}|-[crpfCRo])$/;

/** Values of options are configuration; other paths are tests, where the program runs tests. */
export function argumentLeads(words: readonly string[], runsTests: boolean): readonly Lead[] {
  return words.flatMap((word, index): readonly Lead[] => {
    const value = /^--?[\w.-]{1,60}=(.{1,500})$/.exec(word)?.[1];
    if (value !== undefined) return [{ kind: "config", word: value }];
    if (word.startsWith("-")) return [];
    const before = words[index - 1] ?? "";
    const tests: readonly Lead[] = runsTests
      ? [{ kind: "tests", word: word.replace(/::.{0,1000}$/, "") }]
      : [];
    if (!before.startsWith("-") || before.includes("=")) return tests;
    const config: Lead = { kind: "config", word };
    if (before === "-p") return [config, { kind: "import", word }];
    return TAKES_VALUE.test(before) ? [config, ...tests] : [...tests, config];
  });
}
