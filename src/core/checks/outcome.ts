/**
 * What a check's run says: passed, failed (with the items that failed, where their format is known), could not run,
 * or timed out; and how many tests ran (passed and failed, without what was left out, summed over runners and
 * packages). Invariants: exit 0 is passed, whatever was printed; a check that could not run is never failed; linear
 * time; at most MAX_ITEMS names, each one cleaned line; only whole lines of known runners count, so output that
 * nobody knows gives nothing rather than a guess.
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
      /** How many tests it says it ran; absent where that is not known. */
      readonly tests?: number;
      /** Parts of its output were left out: it may have run more than it seems. */
      readonly cut?: true;
    }
  | {
      readonly kind: "failed";
      /** Empty where no known format was found: then the check as a whole is what failed. */
      readonly items: readonly string[];
      /** False if there may be more items than these. */
      readonly complete: boolean;
      readonly tests?: number;
      /** Fingerprints of failures that have no names, one for each: only for a check that must not get worse. */
      readonly marks?: readonly string[];
    }
  | { readonly kind: "could-not-run"; readonly why: CannotRunWhy; readonly detail: string }
  | { readonly kind: "timed-out"; readonly limitMs: number };

/** How the check's process ended. */
export type CheckEnd =
  | EndedByItself
  | { readonly kind: "timed-out"; readonly limitMs: number }
  | { readonly kind: "stopped" | "not-started"; readonly detail: string };

/** `cut`: parts of the output were left out, so there may be failures nobody read. */
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

// packages/a test: …, web:test: …, [@scope/a]: …, as pnpm, turbo and yarn put before each line
const PREFIX =
  /^(?:(?:\.|[@\w.-]{1,60}\/[@\w./-]{1,100}) (?:test|check)[\w:-]{0,30}|[@\w./-]{1,100}:test[\w:-]{0,30}|\[@?[\w./-]{1,100}\]): ?/;

/** The lines of each package by themselves, as they may be interleaved; first those that name none. */
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
