/** The result of the checks on a tree: passed, failed and with what, or could not run. */
import type { Evidence } from "../evidence.ts";
import type { Note } from "./note.ts";

export type CheckResult =
  | { readonly kind: "passed"; readonly notes?: readonly Note[] }
  | {
      readonly kind: "failed";
      readonly failing: readonly string[];
      readonly evidence: Evidence;
      /** It failed on the base as well, and no new failure can be identified. */
      readonly onBase?: boolean;
      /** The same tree failed more than once, so it is not flaky. */
      readonly confirmed?: boolean;
      /** Every failing item also failed on the base, and these items of the base now pass. */
      readonly fixed?: readonly string[];
      readonly notes?: readonly Note[];
    }
  | {
      readonly kind: "could-not-run";
      readonly evidence: Evidence;
      /** It could not run on the base either, so no agent can fix it. */
      readonly onBase?: boolean;
      /** How a person can fix it, if only a person can. */
      readonly ask?: string;
    };

export type FailedChecks = Exclude<CheckResult, { readonly kind: "passed" }>;

/** A check that is unsuitable for judging: on the base it could not run, timed out or lacked the network. */
export interface BaseProblem {
  readonly check: string;
  readonly why: string;
  /** How to fix it. */
  readonly mend: string;
  /** It is not a check but a prerequisite of every check, so the run cannot go on without it. */
  readonly needed?: boolean;
  /** The part of its output that shows the cause. */
  readonly excerpt?: string;
}
