/**
 * Notes: what a person has to know about a result besides "verified", that is, everything that makes the verdict weaker
 * than it sounds, as data and in words. Invariants: one list for all outputs (table, status, report, explain, JSON,
 * apply); every text is cleaned; whether a note rules out "verified" depends on its kind, never on its words.
 */
import { count } from "../amounts.ts";
import { cleanLine } from "../foreign-text.ts";

export type Note =
  /** The checks pass only with the judging files as the agent changed them. */
  | { readonly kind: "own-tests"; readonly files: readonly string[]; readonly allowed?: boolean }
  /** Fewer tests ran than on the base. */
  | {
      readonly kind: "fewer-tests";
      readonly check: string;
      readonly before: number;
      readonly now: number;
      readonly allowed?: boolean;
    }
  /** Failures that existed on the base and remain; none is new. */
  | {
      readonly kind: "failed-before";
      readonly fixed: number;
      readonly items: readonly string[];
      /** The checks require no more than that (`expect: no-worse`). */
      readonly allowed?: boolean;
    }
  /** Checks that a person dropped because they cannot run here. */
  | { readonly kind: "dropped-checks"; readonly checks: readonly string[] }
  /** The checks already passed on the base, so passing again proves nothing new. */
  | { readonly kind: "passed-before"; readonly checks: readonly string[] }
  /** The agent itself ended with an error, but its work passes. */
  | { readonly kind: "agent-failed"; readonly how: string }
  | { readonly kind: "flaky"; readonly items: readonly string[] }
  /** Files of the commit that a check wrote to; these changes are not published. */
  | { readonly kind: "check-wrote"; readonly files: readonly string[] }
  /** Files the attempt changed that its commit does not contain: inside submodules, too big or too deep. */
  | { readonly kind: "left-out"; readonly files: readonly string[] }
  /** The check tree had been changed when the checks ended; it was recreated and checked again. */
  | { readonly kind: "tree-changed"; readonly files: readonly string[] };

/** Whether it rules out calling the result verified. */
export const rulesOutVerified = (note: Note): boolean =>
  note.kind === "dropped-checks" || hasUnfixedFailures(note) || needsConsent(note);

/** Whether failures remain although the checks require a full pass. */
export const hasUnfixedFailures = (note: Note): boolean =>
  note.kind === "failed-before" && note.allowed !== true;

/** Whether a person has to agree before the result is applied. */
export const needsConsent = (note: Note): boolean =>
  (note.kind === "own-tests" || note.kind === "fewer-tests") && note.allowed !== true;

const NAMED = 5;

export function noteText(note: Note): string {
  switch (note.kind) {
    case "own-tests":
      return note.allowed === true
        ? `changed what judges it, as the plan allows: ${named(note.files)}`
        : `passes with its own tests only: ${named(note.files)}`;
    case "fewer-tests":
      return `${note.now} of the base's ${count(note.before, "test")} ran in ${cleanLine(note.check, 60)}`;
    case "failed-before":
      return `${note.fixed} fixed, ${note.items.length} failed before too: ${named(note.items)}`;
    case "dropped-checks":
      return `went on without ${named(note.checks)}, as you said`;
    case "passed-before":
      return `passed before the work began, so it proves nothing new: ${named(note.checks)}`;
    case "agent-failed":
      return `the agent ${cleanLine(note.how, 80)}, but its work passes`;
    case "flaky":
      return note.items.length === 0
        ? "flaky: failed first, then passed on the same tree"
        : `flaky, failed first and then passed on the same tree: ${named(note.items)}`;
    case "check-wrote":
      return `a check wrote to files of the commit, which is not part of the result: ${named(note.files)}`;
    case "left-out":
      return `not part of the result, inside a submodule, too big or too deep: ${named(note.files)}`;
    case "tree-changed":
      return `the check tree was changed from outside while it was checked, made anew and checked again: ${named(note.files)}`;
  }
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => cleanLine(name, 80));
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
