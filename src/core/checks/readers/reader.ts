/** What a reader of a test runner's output is, and what readers share. Linear in the lines it is given. */
/** How many tests ran, from the lines of one stream; undefined if the lines are not in its format. */
export type Counter = (lines: readonly string[]) => number | undefined;

/** Counts what each matching line says together; undefined where no line matches, or what it says cannot be read. */
export const sumOf =
  (pattern: RegExp, ran: (found: RegExpExecArray) => number | undefined): Counter =>
  (lines) => {
    let sum: number | undefined;
    for (const line of lines) {
      const found = pattern.exec(line);
      const said = found === null ? undefined : ran(found);
      if (said !== undefined) sum = (sum ?? 0) + said;
    }
    return sum;
  };

export const numberAt = (found: RegExpExecArray | null, group: number): number =>
  Number(found?.[group] ?? 0);

/** `2 failed, 21 passed`: the amounts by their words; undefined if a part is anything else. */
export function amounts(
  text: string,
  separator: string,
): Readonly<Record<string, number>> | undefined {
  const found: Record<string, number> = {};
  for (const part of text.split(separator)) {
    const [, amount, word = ""] = /^(\d{1,9}) ([a-z][a-z ]{0,30})$/.exec(part) ?? [];
    if (amount === undefined) return undefined;
    found[word] = (found[word] ?? 0) + Number(amount);
  }
  return found;
}

export const together = (
  found: Readonly<Record<string, number>>,
  words: readonly string[],
): number => words.reduce((sum, word) => sum + (found[word] ?? 0), 0);

/** `1 failed, 11 passed, 2 skipped`: what passed and failed of it. */
export function passedAndFailed(text: string, separator: string): number | undefined {
  const found = amounts(text, separator);
  return found === undefined ? undefined : together(found, ["passed", "failed"]);
}

/** The first of the lines that follow `from`, at most `within`, that matches. */
export function nextMatch(
  lines: readonly string[],
  from: number,
  within: number,
  pattern: RegExp,
): RegExpExecArray | null {
  for (let at = from + 1; at <= from + within && at < lines.length; at += 1) {
    const found = pattern.exec(lines[at] ?? "");
    if (found !== null) return found;
  }
  return null;
}

/**
 * Names of the failing items in the lines of one stream, terminal escapes already removed; none if
 * the lines are not in its format. A generator, so that a caller with enough names stops the work.
 */
export type Reader = (lines: readonly string[]) => Iterable<string>;

/** One test runner (or compiler): what it prints of failing tests, and of how many it ran. */
export interface TestRunner {
  readonly name: string;
  readonly failing?: Reader;
  readonly count?: Counter;
  /** It says how many ran only where something failed, so two of its runs cannot be compared. */
  readonly onlyCountsFailures?: true;
}
