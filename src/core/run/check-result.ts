/** What checks say of a tree: passed, failed with what, or that they could not run. */
import type { Evidence } from "../evidence.ts";
import type { Note } from "./note.ts";

export type CheckResult =
  | { readonly kind: "passed"; readonly notes?: readonly Note[] }
  | {
      readonly kind: "failed";
      readonly failing: readonly string[];
      readonly evidence: Evidence;
      /** It failed on the base as well, and nothing can be told that does not fail there. */
      readonly onBase?: boolean;
      /** The same tree has failed more than once: it is not flaky. */
      readonly confirmed?: boolean;
      /** Every failing item is one of the base's, and these of the base's pass now (U11). */
      readonly fixed?: readonly string[];
      readonly notes?: readonly Note[];
    }
  | {
      readonly kind: "could-not-run";
      readonly evidence: Evidence;
      /** It could not run on the base either: nothing an agent does will help. */
      readonly onBase?: boolean;
      /** Only a person can mend it, and how. */
      readonly ask?: string;
    };

export type FailedChecks = Exclude<CheckResult, { readonly kind: "passed" }>;

/** A check that cannot judge anybody: it could not run, timed out or lacks the network on the base. */
export interface BaseProblem {
  readonly check: string;
  readonly why: string;
  /** What would mend it. */
  readonly mend: string;
  /** It is no check but what every check needs: nothing can go on without. */
  readonly needed?: boolean;
  /** What it printed, as far as it tells the cause. */
  readonly excerpt?: string;
}
