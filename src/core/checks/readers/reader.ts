/** What a reader of test runner output is, and what readers share. All are linear in the lines they are given. */

/** One test runner (or compiler): reads its failing tests, and how many tests it ran. */
export interface TestRunner {
  readonly name: string;
  readonly failing?: Reader;
  readonly count?: Counter;
}

/** The failing items in the lines of one stream without terminal escapes; none if the lines are not in its format. */
export type Reader = (lines: readonly string[]) => Iterable<string>;

/** How many tests ran, from the lines of one stream; undefined if the lines are not in its format. */
export type Counter = (lines: readonly string[]) => number | undefined;

/**
 * Sums what `ran` reads from each matching line (by default all captured numbers); undefined if nothing can be read.
 */
export const sumOf =
  (
    pattern: RegExp,
    ran: (
      found: RegExpExecArray,
      lines: readonly string[],
      at: number,
    ) => number | undefined = sumOfGroups,
  ): Counter =>
  (lines) => {
    let sum: number | undefined;
    for (const [at, line] of lines.entries()) {
      const found = pattern.exec(line);
      const said = found === null ? undefined : ran(found, lines, at);
      if (said !== undefined) sum = (sum ?? 0) + said;
    }
    return sum;
  };

export function sumOfGroups(found: RegExpExecArray | null): number {
  const [, ...numbers] = found ?? [];
  return numbers.reduce((sum, number = "0") => sum + Number(number), 0);
}

/** The first number minus the others: `5 examples, 1 failure, 2 pending` ran 3. */
export const firstMinusOthers = (found: RegExpExecArray): number =>
  2 * Number(found[1]) - sumOfGroups(found);

/** `1 failed, 11 passed, 2 skipped`: the sum of passed and failed; undefined if the text has any other form. */
export function passedAndFailed(
  text: string,
  separator: string,
  ran = /^(?:passed|failed)$/,
  known = /^/,
): number | undefined {
  let sum = 0;
  for (const part of text.split(separator)) {
    const [, amount, word = ""] = /^(\d{1,9}) ([a-z][a-z ]{0,30})$/.exec(part) ?? [];
    if (amount === undefined || !known.test(word)) return undefined;
    if (ran.test(word)) sum += Number(amount);
  }
  return sum;
}

/** The first match within the next `within` lines after `from`. */
export function nextMatch(
  lines: readonly string[],
  from: number,
  within: number,
  pattern: RegExp,
): RegExpExecArray | null {
  const line = lines.slice(from + 1, from + 1 + within).find((one) => pattern.test(one));
  return line === undefined ? null : pattern.exec(line);
}
