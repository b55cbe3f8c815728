/**
 * What a check prints of its tests: the names of those that failed, and how many ran (passed and failed, without
 * what was left out, summed over runners and packages). Invariants: linear time; never throws; at most MAX_ITEMS
 * names, each one cleaned line; only whole lines of known runners count, so output that nobody knows gives nothing
 * rather than a guess.
 */
import { stripEscapes, cleanLine } from "../foreign-text.ts";
import { COMPILED } from "./readers/compiled.ts";
import { JAVASCRIPT } from "./readers/javascript.ts";
import type { TestRunner } from "./readers/reader.ts";
import { SCRIPTING } from "./readers/scripting.ts";

export const MAX_ITEMS = 200;
const MAX_LINE = 2000;
const MAX_NAME = 300;

const RUNNERS: readonly TestRunner[] = [...JAVASCRIPT, ...SCRIPTING, ...COMPILED];

interface FailingItems {
  readonly items: readonly string[];
  readonly complete: boolean;
}

/** Each text is one stream of the check: formats never span two. */
export function readFailingItems(texts: readonly string[]): FailingItems {
  const names = new Set<string>();
  for (const text of texts) {
    const lines = stripEscapes(text)
      .split(/\r\n|\n|\r/)
      .map((line) => line.slice(0, MAX_LINE));
    for (const { failing } of RUNNERS)
      for (const name of failing?.(lines) ?? []) {
        const clean = cleanLine(name, MAX_NAME);
        if (clean === "") continue;
        if (names.size >= MAX_ITEMS && !names.has(clean))
          return { items: [...names], complete: false };
        names.add(clean);
      }
  }
  return { items: [...names], complete: true };
}

const MAX_PACKAGES = 200;

/** Each text is one stream of the check. */
export function countTests(texts: readonly string[]): number | undefined {
  let sum: number | undefined;
  for (const lines of texts.flatMap(byPackage))
    for (const { count } of RUNNERS) {
      const ran = count?.(lines);
      if (ran !== undefined) sum = (sum ?? 0) + Math.max(0, ran);
    }
  return sum;
}

// packages/a test: …, web:test: …, [@scope/a]: …, as pnpm, turbo and yarn put before each line
const PREFIX =
  /^(?:(?:\.|[@\w.-]{1,60}\/[@\w./-]{1,100}) (?:test|check)[\w:-]{0,30}|[@\w./-]{1,100}:test[\w:-]{0,30}|\[@?[\w./-]{1,100}\]): ?/;

/** The lines of each package by themselves, as they may be interleaved; first those that name none. */
function byPackage(text: string): readonly (readonly string[])[] {
  const plain: string[] = [];
  const packages = new Map<string, string[]>([["", plain]]);
  for (const line of stripEscapes(text).split(/\r\n|\n|\r/)) {
    const [prefix = ""] = PREFIX.exec(line.slice(0, MAX_LINE)) ?? [];
    const own = packages.get(prefix.trimEnd()) ?? (packages.size < MAX_PACKAGES ? [] : plain);
    if (own !== plain) packages.set(prefix.trimEnd(), own);
    own.push(line.slice(own === plain ? 0 : prefix.length, MAX_LINE).trimEnd());
  }
  return [...packages.values()];
}
