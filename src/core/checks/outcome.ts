/**
 * Reads the outcome of a check: passed, failed (with the failing items, if their format is known), could not run, or
 * timed out. Also counts the tests that ran (passed and failed, not skipped, summed over runners and packages).
 * Invariants: exit 0 is a pass, whatever was printed; a check that could not run never counts as failed; linear time;
 * at most MAX_ITEMS names, each one clean line; only whole lines of known runners count, so unknown output yields
 * nothing rather than a guess.
 */
import { cleanLine, stripEscapes } from "../foreign-text.ts";
import { cannotRun, type CannotRunWhy, type EndedByItself } from "./cannot-run.ts";
import { COMPILED } from "./readers/compiled.ts";
import { JAVASCRIPT } from "./readers/javascript.ts";
import type { TestRunner } from "./readers/reader.ts";
import { SCRIPTING } from "./readers/scripting.ts";

export type CheckOutcome =
  | {
      readonly kind: "passed";
      /** How many tests it says it ran; absent if unknown. */
      readonly tests?: number;
      /** Part of its output was dropped, so it may have run more tests than counted. */
      readonly cut?: true;
    }
  | {
      readonly kind: "failed";
      /** Empty if no known format was found: then the check as a whole failed. */
      readonly items: readonly string[];
      /** False if there may be more failing items than these. */
      readonly complete: boolean;
      readonly tests?: number;
      /** Fingerprints of failures without names, one per failure. Only for a check that must not get worse. */
      readonly marks?: readonly string[];
    }
  | { readonly kind: "could-not-run"; readonly why: CannotRunWhy; readonly detail: string }
  | { readonly kind: "timed-out"; readonly limitMs: number };

/** How the check's process ended. */
export type CheckEnd =
  | EndedByItself
  | { readonly kind: "timed-out"; readonly limitMs: number }
  | { readonly kind: "stopped" | "not-started"; readonly detail: string };

/** `cut`: part of the output was dropped, so some failures may be missing. */
export function readOutcome(
  end: CheckEnd,
  { stdout, stderr, cut }: { stdout: string; stderr: string; cut: boolean },
): CheckOutcome {
  switch (end.kind) {
    case "timed-out":
      return end;
    case "stopped":
    case "not-started":
      return { kind: "could-not-run", why: end.kind, detail: cleanLine(end.detail) };
    case "signalled":
    case "exited": {
      const ran = countTests([stdout, stderr]);
      const tests = ran === undefined ? {} : { tests: ran };
      if (end.kind === "exited" && end.code === 0)
        return { kind: "passed", ...tests, ...(cut ? { cut } : {}) };
      const { items, complete } = readFailingItems([stdout, stderr]);
      const reason = items.length > 0 ? undefined : cannotRun(end, stdout, stderr);
      return reason === undefined
        ? { kind: "failed", items, complete: complete && !cut, ...tests }
        : { kind: "could-not-run", ...reason };
    }
  }
}

export const MAX_ITEMS = 200;
const MAX_LINE = 2000;
const MAX_NAME = 300;
const MAX_PACKAGES = 200;

const RUNNERS: readonly TestRunner[] = [...JAVASCRIPT, ...SCRIPTING, ...COMPILED];

const linesOf = (text: string): readonly string[] =>
  stripEscapes(text)
    .split(/\r\n|\n|\r/)
    .map((line) => line.slice(0, MAX_LINE));

/** Each text is one stream of the check: formats never span two. */
export function readFailingItems(
  texts: readonly string[],
): Pick<Extract<CheckOutcome, { kind: "failed" }>, "items" | "complete"> {
  const names = new Set<string>();
  for (const lines of texts.map(linesOf))
    for (const { failing } of RUNNERS)
      for (const name of failing?.(lines) ?? []) {
        const clean = cleanLine(name, MAX_NAME);
        if (clean === "") continue;
        if (names.size >= MAX_ITEMS && !names.has(clean))
          return { items: [...names], complete: false };
        names.add(clean);
      }
  return { items: [...names], complete: true };
}

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

// packages/a test: …, web:test: …, [@scope/a]: …, the line prefixes of pnpm, turbo and yarn
const PREFIX =
  /^(?:(?:\.|[@\w.-]{1,60}\/[@\w./-]{1,100}) (?:test|check)[\w:-]{0,30}|[@\w./-]{1,100}:test[\w:-]{0,30}|\[@?[\w./-]{1,100}\]): ?/;

/** Groups lines by package, because they may be interleaved; lines without a package come first. */
function byPackage(text: string): readonly (readonly string[])[] {
  const plain: string[] = [];
  const packages = new Map<string, string[]>([["", plain]]);
  for (const line of linesOf(text)) {
    const [prefix = ""] = PREFIX.exec(line) ?? [];
    const own = packages.get(prefix.trimEnd()) ?? (packages.size < MAX_PACKAGES ? [] : plain);
    if (own !== plain) packages.set(prefix.trimEnd(), own);
    own.push((own === plain ? line : line.slice(prefix.length)).trimEnd());
  }
  return [...packages.values()];
}
