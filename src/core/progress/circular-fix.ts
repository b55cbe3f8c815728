/**
 * Circular fix: whether the last attempt returned to a state in which an earlier one had failed. Invariants: pure; only
 * the newest attempt is judged; one pass over the attempts; a decreasing number of failures is not a circle, however
 * similar they are. The input has to be the counted attempts since a person last spoke, because infrastructure failures
 * and earlier attempts are not part of a circle.
 */

export interface FixAttempt {
  readonly attempt: number;
  readonly failed: boolean;
  /**
   * Tree hashes before and after the attempt. A tree restored by a rollback appears only as the next `startTree`, never
   * as an `endTree`.
   */
  readonly startTree: string;
  readonly endTree: string;
  readonly signature?: string;
  readonly approach?: string;
  /** The names of the items left failing, and their number if the checks count more than they name. */
  readonly failing?: readonly string[];
  readonly failures?: number;
}

export interface CircularVerdict {
  readonly circular: boolean;
  /** The reasons, one line for each rule that applied. */
  readonly because: readonly string[];
}

const TIMES = 3;

export function circularFix(history: readonly FixAttempt[]): CircularVerdict {
  const last = history.at(-1);
  if (last === undefined || !last.failed) return { circular: false, because: [] };
  const failed = history.filter((one) => one.failed);
  const because = [
    ...sameTreeAgain(history.slice(0, -1), last),
    ...repeated("failure signature", failed, ({ signature }) => signature ?? ""),
    ...repeated("approach", failed, ({ approach }) => approachKey(approach ?? "")),
  ];
  return { circular: because.length > 0, because };
}

/** A-B-A: the last attempt produced the tree of a failed attempt again, after another attempt had led elsewhere. */
function sameTreeAgain(earlier: readonly FixAttempt[], last: FixAttempt): readonly string[] {
  if (!changed(last)) return [];
  const before = earlier.findIndex(
    (one) => one.failed && changed(one) && one.endTree === last.endTree,
  );
  if (before < 0) return [];
  const between = earlier
    .slice(before + 1)
    .find((one) => changed(one) && one.endTree !== last.endTree);
  return between === undefined
    ? []
    : [
        `attempt ${last.attempt} ends with the tree of failed attempt ${earlier[before]?.attempt}, after attempt ${between.attempt} had left it`,
      ];
}

const changed = ({ startTree, endTree }: FixAttempt): boolean => startTree !== endTree;

function repeated(
  what: string,
  failed: readonly FixAttempt[],
  keyOf: (attempt: FixAttempt) => string,
): readonly string[] {
  const last = failed.at(-1);
  const key = last === undefined ? "" : keyOf(last);
  const alike = failed.filter((one) => keyOf(one) === key);
  const first = alike.at(-TIMES);
  if (key === "" || last === undefined || first === undefined || getsOn(first, last)) return [];
  return [`the same ${what} in attempts ${alike.map(({ attempt }) => attempt).join(", ")}`];
}

/** Fewer failures than at the first occurrence, or entirely different ones, are progress and not a circle. */
function getsOn(first: FixAttempt, last: FixAttempt): boolean {
  if (failureCount(last) === 0 || failureCount(first) === 0) return false;
  const still = new Set(first.failing);
  const names = last.failing ?? [];
  const areOthers = names.length > 0 && still.size > 0 && !names.some((name) => still.has(name));
  return failureCount(last) < failureCount(first) || areOthers;
}

/** How many failures an attempt left, whether named or only counted; 0 if unknown. */
export const failureCount = ({
  failing = [],
  failures = 0,
}: Pick<FixAttempt, "failing" | "failures">): number => Math.max(failing.length, failures);

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the with using use by and or but in on at to for of again once more trying try tried now then".split(
    " ",
  ),
);
const MAX_CHARS = 2000;

/** The meaningful words of a text in order, as a key: equal for approaches (or error texts) that are the same. */
export function approachKey(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .join(" ");
}
