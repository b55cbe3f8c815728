/**
 * What a check's outcome says about the work. Compares it with the outcome on the base, and finds checks that cannot
 * judge any work, with a suggested fix. Invariants: a failure that was already on the base is not blamed on the work; a
 * check that could not run blames nothing; "known-failures" requires complete lists.
 */
import { duration } from "../amounts.ts";
import { installExcerpt } from "../excerpt/install-output.ts";
import type { CannotRunWhy } from "./cannot-run.ts";
import type { CheckOutcome } from "./outcome.ts";

export interface Blame {
  readonly verdict:
    /** It passes now. */
    | "passed"
    /** At least one failure is not on the base. */
    | "blamed"
    /** Every failure is on the base too, by name. */
    | "known-failures"
    /** It fails here and on the base, and the failures cannot be compared one by one. */
    | "unclear"
    /** It did not run to completion here, so there is nothing to judge. */
    | "no-verdict";
  /** Failing items that are not on the base; empty if only the check as a whole is to blame. */
  readonly blamed: readonly string[];
  readonly alreadyFailing: readonly string[];
  readonly newlyPassing: readonly string[];
  /** It already passed on the base, so passing proves nothing about this work. */
  readonly provesNothingNew: boolean;
}

/** `base` is undefined if the check was not run on the base. */
export function blame(base: CheckOutcome | undefined, now: CheckOutcome): Blame {
  const before = base?.kind === "failed" ? base.items : [];
  const after = now.kind === "failed" ? now.items : [];
  const known = new Set(before);
  const still = new Set(after);
  const comparable =
    now.kind === "passed" || (now.kind === "failed" && now.complete && after.length > 0);
  const blamed = after.filter((item) => !known.has(item));
  return {
    verdict: judge(base, now, blamed.length),
    blamed,
    alreadyFailing: after.filter((item) => known.has(item)),
    newlyPassing: comparable ? before.filter((item) => !still.has(item)) : [],
    provesNothingNew: now.kind === "passed" && base?.kind === "passed",
  };
}

function judge(
  base: CheckOutcome | undefined,
  now: CheckOutcome,
  newItems: number,
): Blame["verdict"] {
  if (now.kind === "passed") return "passed";
  if (now.kind === "could-not-run") return "no-verdict";
  if (now.kind === "timed-out") return base?.kind === "timed-out" ? "unclear" : "blamed";
  if (base?.kind === "timed-out") return "unclear";
  if (base?.kind !== "failed") return "blamed";
  if (base.items.length === 0) return "unclear";
  if (now.items.length === 0) return "blamed";
  if (newItems > 0) return base.complete ? "blamed" : "unclear";
  return now.complete ? "known-failures" : "unclear";
}

/** It fails in an unknown format, and every failure mark in its output also appeared on the base. */
export function hasOnlyKnownMarks(base: CheckOutcome | undefined, now: CheckOutcome): boolean {
  if (base?.kind !== "failed" || now.kind !== "failed" || !now.complete) return false;
  const { marks: before } = base;
  return before !== undefined && now.marks?.every((mark) => before.includes(mark)) === true;
}

/**
 * A pass that ran fewer tests than the base did: failing tests may have been removed rather than fixed. Output that no
 * longer gives a count means zero tests, unless part of the output was cut.
 */
export function fewerTests(
  base: CheckOutcome | undefined,
  now: CheckOutcome,
): { readonly before: number; readonly now: number } | undefined {
  if (now.kind !== "passed" || (base?.kind !== "passed" && base?.kind !== "failed"))
    return undefined;
  const { tests: before = 0 } = base;
  const { tests = 0, cut = false } = now;
  return tests < before && !cut ? { before, now: tests } : undefined;
}

interface CannotJudge {
  readonly check: string;
  readonly why: string;
  readonly mend: string;
  /** Not a check itself, but something every check needs. */
  readonly needed?: boolean;
  /** The part of its output that shows the cause. */
  readonly excerpt?: string;
}

const SHOWN_CHARS = 700;

interface Ran {
  readonly outcome: CheckOutcome;
  readonly stdout: string;
  readonly stderr: string;
}

const INSTALL =
  "install what it needs as set-up (workspace.setup, or --setup 'npm ci'), carry it over (workspace.carry, or --carry node_modules), or name another check";

const FIXES: { readonly [why in CannotRunWhy]?: string } = {
  "command-not-found": INSTALL,
  "missing-tool": INSTALL,
  "not-executable": "make it executable, or name another command",
  "no-such-script": "name a command that exists here, with checks in the plan or --check",
  "disk-full": "free some room on the disk",
  "no-network": "give it the network, or name a check that needs none",
  "port-in-use":
    "end what holds the port, or let the check choose a free one (UNSTUCK_SLOT is a number of its own)",
};

/**
 * Why a check cannot judge any work, based on its outcome on the untouched base. A check that finds nothing to run yet
 * is fine: the work may add it.
 */
export function cannotJudge(check: string, { outcome }: Ran): CannotJudge | undefined {
  if (outcome.kind === "timed-out")
    return {
      check,
      why: `it did not end within ${duration(outcome.limitMs)}`,
      mend: "give it a longer limit ({ run: ..., minutes: 40 }), or a command that ends: watch mode never does",
    };
  if (outcome.kind !== "could-not-run" || outcome.why === "nothing-to-run") return undefined;
  const { why, detail } = outcome;
  const mend = FIXES[why] ?? "run it by hand here and see what it says";
  return { check, why: detail || why, mend };
}

/** If set-up fails on the base, no check has what it needs. */
export function setupProblem(command: string, { stdout, stderr, outcome }: Ran): CannotJudge {
  const { headline, text } = installExcerpt({ stdout, stderr }, SHOWN_CHARS);
  const why = outcome.kind === "could-not-run" ? outcome.detail : headline || outcome.kind;
  const more = text
    .split("\n")
    .filter((line) => line !== headline)
    .join("\n");
  return {
    check: command,
    why: `set-up failed: ${why.slice(0, 300)}`,
    ...(more === "" ? {} : { excerpt: more }),
    mend: "run it by hand and fix what it says, or give another one: workspace.setup, --setup, or --no-setup for none",
    needed: true,
  };
}
