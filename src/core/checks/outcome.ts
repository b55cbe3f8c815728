/**
 * What a check's run says: passed, failed (with the items that failed, where their format is known), could not
 * run, or timed out. Invariants: exit 0 is passed, whatever was printed; a check that could not run is never
 * failed; texts and names are tamed and bounded.
 */
import { cleanLine } from "../foreign-text.ts";
import { cannotRun } from "./cannot-run.ts";
import type { CannotRunWhy } from "./cannot-run.ts";
import { countTests, readFailingItems } from "./test-output.ts";

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
    }
  | { readonly kind: "could-not-run"; readonly why: CannotRunWhy; readonly detail: string }
  | { readonly kind: "timed-out"; readonly limitMs: number };

/** How the check's process ended. */
export type CheckEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed-out"; readonly limitMs: number }
  | { readonly kind: "stopped" | "not-started"; readonly detail: string };

export interface CheckOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Parts of the output were left out, so there may be failures nobody read. */
  readonly cut: boolean;
}

export function readOutcome(end: CheckEnd, { stdout, stderr, cut }: CheckOutput): CheckOutcome {
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
