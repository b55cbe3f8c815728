/**
 * The order and grouping of failures. Causes precede their consequences: an import or syntax error comes before the
 * hundred tests that need the file; lines that only say that something failed come last. Failures that differ only in
 * their numbers form a group. Invariant: within a rank, the order of the output is kept.
 */
import type { Failure } from "./failures.ts";
import { roleOf } from "./line-role.ts";
import { shapeOf } from "./output-lines.ts";

export interface Group {
  readonly first: Failure;
  readonly others: readonly Failure[];
}

/** One alternative per line. */
export const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"));

const CAUSE = anyOf(
  "SyntaxError|IndentationError|ImportError|ModuleNotFound|LoadError|Transform failed|collecting ",
  "[Cc]annot find (?:module|package|symbol)|Can't resolve|[Cc]ould not resolve|cannot load such file",
  "[Ff]ailed to (?:resolve|parse|compile|load|import)|unexpected end of|undefined reference",
  "error TS\\d|error\\[E\\d|: (?:fatal )?error: |^e: ",
);

/** Says that something failed, but not why. */
const AFTERMATH = anyOf(
  "^(?:make|gmake|ninja)(?:\\[\\d{1,3}\\])?: |ELIFECYCLE|Process completed|[Cc]ommand (?:failed|finished)",
  "^error: (?:[Tt]est failed|could not compile|process|script|[Rr]ecipe)|did not complete successfully",
  "^npm (?:error|ERR!) (?:Lifecycle|workspace|Test failed|code [1-9]\\d{0,2}$)|run failed|FAIL code \\d",
  "FAILURE: Build failed|Failed to (?:execute goal|compile\\.$)|B(?:uild|UILD) FAILED|COMPILATION ERROR",
  "Some tests (?:did not pass|failed)|TestsFailedException|Failed tests:|^\\d{1,6} TESTS? FAILED",
  "linker command failed|Compilation failed|aborting due|CMAKE_GENERATE step failed",
);

/** How many lines of a message are read to determine its kind. */
const TELLING = 3;

const telling = ({ title, message }: Failure): string =>
  [...(title === undefined ? [] : [title]), ...message.slice(0, TELLING)].join("\n");

/** Whether it says only that something failed. */
export const isGenericFailure = (failure: Failure): boolean => AFTERMATH.test(telling(failure));

/** A file with failing tests, which name themselves below it. */
const FILE_ALONE = /^FAIL {1,3}\S{1,300}$/;

function rankOf(failure: Failure): number {
  const { title, message } = failure;
  const text = telling(failure);
  if (AFTERMATH.test(text)) return 4;
  if (CAUSE.test(text)) return 0;
  if (title === undefined) return 2;
  if (FILE_ALONE.test(title) && !message.some((line) => roleOf(line) !== "text")) return 5;
  return message.length > 0 ? 1 : 5;
}

/** Sorts by rank and removes duplicates. */
export function sortedFailures(failures: readonly Failure[]): readonly Failure[] {
  const once = new Map<string, Failure>();
  for (const failure of failures) {
    const said = [failure.title, ...failure.message].join("\n");
    if (!once.has(said)) once.set(said, failure);
  }
  return [...once.values()]
    .map((failure) => ({ failure, rank: rankOf(failure) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ failure }) => failure);
}

/** Smaller groups are printed one by one. */
const ALIKE = 5;
/** A group larger than this comes after failures of other kinds. */
const MANY = 10;

const CODE = /\b(?:[A-Z]{1,5}\d{2,6}|TS\d{1,6})\b/;

export function groupedFailures(failures: readonly Failure[]): readonly Group[] {
  const alike = new Map<string | number, Failure[]>();
  for (const failure of failures) {
    const kind = kindOf(failure);
    const known = alike.get(kind);
    if (known === undefined) alike.set(kind, [failure]);
    else known.push(failure);
  }
  const groups = [...alike.values()].flatMap((members): readonly Group[] =>
    members.length < ALIKE
      ? members.map((first) => ({ first, others: [] }))
      : members.slice(0, 1).map((first) => ({ first, others: members.slice(1) })),
  );
  const isMany = ({ others }: Group): boolean => others.length + 1 > MANY;
  return [...groups.filter((group) => !isMany(group)), ...groups.filter(isMany)];
}

function kindOf({ title, message }: Failure): string | number {
  if (message.length === 0) return shapeOf(`title ${title ?? ""}`);
  const code = title === undefined ? CODE.exec(message[0] ?? "")?.[0] : undefined;
  return code ?? shapeOf(message.slice(0, TELLING).join("\n"));
}
