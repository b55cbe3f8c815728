/** The input and output of judging a change to the files that judge the work. */

/**
 * A tree as the judge reads it: every path of the commit, and the text of a file (undefined if missing, too big or
 * binary).
 */
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
  /** Whether the plan's `workspace.protect` globs match a path. */
  readonly isProtected: (path: string) => boolean;
  /** The commit the subtask started from. */
  readonly base: TreeFiles;
  /** The commit being judged. */
  readonly now: TreeFiles;
  /** From base to now. */
  readonly changed: readonly ChangedPath[];
}

/**
 * test: tests by convention; steering: configuration that steers a runner; script: what the checks run, directly or
 * indirectly; manifest: a shared manifest, of which only the steering keys count.
 */
export type JudgeRole = "test" | "steering" | "script" | "manifest" | "protected";

export interface JudgedChange extends ChangedPath {
  readonly role: JudgeRole;
  /** Also part of the work (main, bin, exports, source folders, a build file): listed, never restored. */
  readonly source: boolean;
}

export type RestoreTo = "base" | "remove" | { readonly text: string };

export interface Restored {
  readonly path: string;
  readonly to: RestoreTo;
}

export interface Judgement {
  /** All changes to files that judge the work, for display. */
  readonly changes: readonly JudgedChange[];
  /**
   * Whether the checks must run again with the base's judging files: a judging file was edited or deleted, new steering
   * configuration appeared, or a new file shadows something the checks run. False if only new tests were added.
   */
  readonly again: boolean;
  /**
   * Turns the judged tree into one with exactly the base's judging files. Apply in this order. "base" brings the base's
   * version back byte for byte, "remove" deletes the file, and a text is the manifest with only its steering keys
   * restored.
   */
  readonly restore: readonly Restored[];
}
