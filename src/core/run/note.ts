/**
 * What a person has to know beside "verified": everything that makes a verdict weaker than it sounds, as data,
 * with its words. Invariants: one list for every face (table, status, report, explain, JSON, apply); every text is
 * cleaned; a note that takes "verified" away says so by its kind, never by its words.
 */
import { count } from "../amounts.ts";
import { cleanLine } from "../foreign-text.ts";

export type Note =
  /** The checks pass only with the files that judge the work as the agent changed them (U13). */
  | { readonly kind: "own-tests"; readonly files: readonly string[]; readonly allowed?: boolean }
  /** Fewer tests ran than on the base. */
  | {
      readonly kind: "fewer-tests";
      readonly check: string;
      readonly before: number;
      readonly now: number;
      readonly allowed?: boolean;
    }
  /** What failed on the base and still fails; none of it is new (U11). */
  | {
      readonly kind: "failed-before";
      readonly fixed: number;
      readonly items: readonly string[];
      /** The checks ask for no more than that (`expect: no-worse`). */
      readonly allowed?: boolean;
    }
  /** Checks that a person let go of, because they cannot run here. */
  | { readonly kind: "dropped-checks"; readonly checks: readonly string[] }
  /** The checks passed on the base already: passing again proves nothing new. */
  | { readonly kind: "passed-before"; readonly checks: readonly string[] }
  /** The agent itself ended badly; its work passes. */
  | { readonly kind: "agent-failed"; readonly how: string }
  | { readonly kind: "flaky"; readonly items: readonly string[] }
  /** Files of the commit that a check wrote to; nothing of it is published. */
  | { readonly kind: "check-wrote"; readonly files: readonly string[] }
  /** What the attempt made and its commit does not hold: work inside submodules, files that are too big or too deep. */
  | { readonly kind: "left-out"; readonly files: readonly string[] }
  /** The check tree did not hold what it should when the checks were done; it was made anew and checked again. */
  | { readonly kind: "tree-changed"; readonly files: readonly string[] };

/** Whether the result may not be called verified because of it. */
export const unverifies = (note: Note): boolean =>
  note.kind === "dropped-checks" || leavesFailing(note) || needsConsent(note);

/** What was left failing though the checks ask for more. */
export const leavesFailing = (note: Note): boolean =>
  note.kind === "failed-before" && note.allowed !== true;

/** Whether a person has to say yes before the result is applied. */
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
