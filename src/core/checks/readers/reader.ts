/** What a reader of one output format is. */

/**
 * Names of the failing items in the lines of one stream, terminal escapes already removed; none if
 * the lines are not in its format. A generator, so that a caller with enough names stops the work.
 */
export type Reader = (lines: readonly string[]) => Iterable<string>;
