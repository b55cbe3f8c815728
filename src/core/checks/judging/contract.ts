/**
 * What goes into a judgement of the changed judging files, and what comes out (U13).
 */

/** The tree as the judge reads it: every path of the commit, and the text of a file (undefined: not there, too big or binary). */
export interface TreeFiles {
  readonly paths: readonly string[];
  readonly read: (path: string) => string | undefined;
}

export interface ChangedPath {
  readonly path: string;
  readonly how: "added" | "edited" | "deleted";
}

export interface JudgeInput {
  /** Check commands as the plan has them (shell text). */
  readonly checks: readonly string[];
  /** Globs of the plan's `workspace.protect` as a predicate. */
  readonly isProtected: (path: string) => boolean;
  /** The commit the subtask started from. */
  readonly base: TreeFiles;
  /** The commit that is judged. */
  readonly now: TreeFiles;
  /** From base to now. */
  readonly changed: readonly ChangedPath[];
}

/**
 * test: tests by convention; steering: configuration that steers a runner; script: what the checks run, directly or not;
 * manifest: a shared manifest of which only steering keys count.
 */
export type JudgeRole = "test" | "steering" | "script" | "manifest" | "protected";

export interface JudgedChange extends ChangedPath {
  readonly role: JudgeRole;
  /** Part of the work too (main, bin, exports, source folders, a build file): listed, never restored. */
  readonly source: boolean;
}

export type RestoreTo = "base" | "remove" | { readonly text: string };

export interface Restored {
  readonly path: string;
  readonly to: RestoreTo;
}

export interface Judgement {
  /** All changes to files that judge, for people. */
  readonly changes: readonly JudgedChange[];
  /**
   * Whether the checks have to run once more with the base's judging files: one was edited or deleted, or new steering
   * configuration appeared, or a new file that shadows what the checks run. New tests beside untouched old ones: false.
   */
  readonly again: boolean;
  /**
   * Turns the judged tree into one with exactly the base's judging files, in this order: "base" brings the base's version
   * back byte for byte, "remove" leaves the file out, a text is the manifest with only its steering keys restored.
   */
  readonly restore: readonly Restored[];
}
