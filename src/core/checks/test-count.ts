/**
 * How many tests a check ran, as its output says: passed and failed together, without those that were left out
 * (skipped, todo, pending, deselected), summed over runners and packages. Invariants: linear time; never throws;
 * only whole summary lines of known runners count, so output that no counter knows gives undefined rather than a
 * guess.
 */
import { stripEscapes } from "../foreign-text.ts";
import { COMPILED_COUNTERS, countGradle } from "./counters/compiled.ts";
import type { Counter } from "./counters/counter.ts";
import { JAVASCRIPT_COUNTERS } from "./counters/javascript.ts";
import { SCRIPTING_COUNTERS } from "./counters/scripting.ts";

const MAX_LINE = 2000;
const MAX_PACKAGES = 200;

/** Those that say it whether or not something failed, so that two runs can be compared. */
const STEADY: readonly Counter[] = [
  ...JAVASCRIPT_COUNTERS,
  ...COMPILED_COUNTERS,
  ...SCRIPTING_COUNTERS,
];

/** Each text is one stream of the check. */
export const countTests = (texts: readonly string[]): number | undefined =>
  counted(texts, [...STEADY, countGradle]);

/** As `countTests`, of runners that tell it of a passing run as well. */
export const countComparableTests = (texts: readonly string[]): number | undefined =>
  counted(texts, STEADY);

function counted(texts: readonly string[], counters: readonly Counter[]): number | undefined {
  let sum: number | undefined;
  for (const text of texts)
    for (const lines of byPackage(text))
      for (const count of counters) {
        const ran = count(lines);
        if (ran !== undefined) sum = (sum ?? 0) + Math.max(0, ran);
      }
  return sum;
}

// packages/a test: …, web:test: …, [@scope/a]: …, as pnpm, turbo and yarn put before each line
const PREFIX =
  /^(?:(?:\.|[@\w.-]{1,60}\/[@\w./-]{1,100}) (?:test|check)[\w:-]{0,30}|[@\w./-]{1,100}:test[\w:-]{0,30}|\[@?[\w./-]{1,100}\]): ?/;

/** The lines of each package by themselves, as they may be interleaved; first those that name none. */
function byPackage(text: string): Iterable<readonly string[]> {
  const plain: string[] = [];
  const packages = new Map<string, string[]>([["", plain]]);
  for (const line of stripEscapes(text).split(/\r\n|\n|\r/)) {
    const [prefix = ""] = PREFIX.exec(line.slice(0, MAX_LINE)) ?? [];
    const own = packages.get(prefix.trimEnd()) ?? (packages.size < MAX_PACKAGES ? [] : plain);
    if (own !== plain) packages.set(prefix.trimEnd(), own);
    own.push(line.slice(own === plain ? 0 : prefix.length, MAX_LINE).trimEnd());
  }
  return packages.values();
}
