/**
 * What a failed check says, for the agent that has to mend it and the person who is asked: a headline, and a text
 * within a budget that has the first failure whole and of the others as much as fits. Invariants: pure, linear; the
 * same output gives the same text; only lines of the output, never invented words, but for what says what was left out.
 */
import { findFailures } from "./failures.ts";
import type { Failure, Findings } from "./failures.ts";
import { oneForEachTest } from "./named-tests.ts";
import { outputLines, shapeOf } from "./output-lines.ts";

export interface CheckText {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Excerpt {
  readonly headline: string;
  readonly text: string;
  readonly failures: readonly Failure[];
}

const DEFAULT_BUDGET = 1500;
const HEADLINE_CHARS = 200;

export function excerptOf(
  { stdout, stderr }: CheckText,
  { budget = DEFAULT_BUDGET }: { readonly budget?: number } = {},
): Excerpt {
  const streams = [stderr, stdout].map((text) => findFailures(outputLines(text)));
  const failures = ranked(streams.flatMap((found) => oneForEachTest(found.failures)));
  const parts: string[] = [];
  let room = budget;
  const put = (lines: readonly string[], always = false): boolean => {
    const text = lines.join("\n");
    if (text === "" || (!always && text.length > room)) return false;
    parts.push(text);
    room -= text.length + 1;
    return true;
  };
  const groups = grouped(failures);
  let leftOut = 0;
  for (const [index, { first, others }] of groups.entries()) {
    const whole = rendered(first, index === 0 ? Infinity : 12);
    const more =
      others.length === 0 ? [] : [`… and ${others.length} more like this${namesOf(others)}`];
    if (!put([...whole, ...more], index === 0) && !put([...rendered(first, 2), ...more]))
      leftOut += 1 + others.length;
  }
  if (leftOut > 0) put([`… and ${leftOut} more failures`]);
  put(counted(streams));
  for (const stream of streams) {
    const told = parts.join("\n");
    put(around(stream, told, Math.min(room, FILL - told.length)));
  }
  const text = parts.join("\n");
  const [headline = ""] = headlines(groups[0]?.first, text);
  return { headline, text, failures };
}

function headlines(first: Failure | undefined, text: string): readonly string[] {
  const words = first === undefined ? [text.split("\n")[0] ?? ""] : [first.title, first.message[0]];
  return [
    words
      .filter((part) => part !== undefined && part.trim() !== "")
      .join(": ")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, HEADLINE_CHARS),
  ];
}

const ROOT =
  /SyntaxError|IndentationError|ImportError|ModuleNotFound|Cannot find (?:module|package)|Can't resolve|[Cc]ould not resolve|cannot find (?:package|symbol|module)|LoadError|cannot load such file|Transform failed|[Ff]ailed to (?:resolve|parse|compile|load|import)|unexpected end of|error TS\d|error\[E\d|: (?:fatal )?error: |undefined reference|collecting |failed to run/;
/** Says that something failed, and nothing of why. */
const AFTERMATH =
  /^(?:make|gmake|ninja)(?:\[\d{1,3}\])?: |^error: (?:[Tt]est failed|could not compile|process|script|[Rr]ecipe)|Process completed|ELIFECYCLE|^npm (?:error|ERR!) (?:Lifecycle|workspace|Test failed|code [1-9]\d{0,2}$)|FAILURE: Build failed|Failed to (?:execute goal|compile\.$)|Some tests (?:did not pass|failed)|TestsFailedException|command (?:failed|finished)|[Cc]ommand failed|did not complete successfully|linker command failed|Compilation failed|aborting due|FAIL code \d|^\d{1,6} TESTS? FAILED|Failed tests:|COMPILATION ERROR|run failed|Build FAILED|BUILD FAILED/;

function rankOf({ title, message }: Failure): number {
  const text = [title, ...message.slice(0, 3)].join("\n");
  if (AFTERMATH.test(text)) return 4;
  if (ROOT.test(text)) return 0;
  if (title !== undefined) return message.length > 0 ? 1 : 5;
  return 2;
}

/** Causes before what they break; within a rank as the output has them. */
function ranked(failures: readonly Failure[]): readonly Failure[] {
  const said = new Set<string>();
  return failures
    .map((failure) => ({ failure, rank: rankOf(failure) }))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ failure }) => {
      const key = [failure.title, ...failure.message].join("\n");
      if (said.has(key)) return [];
      said.add(key);
      return [failure];
    });
}

interface Group {
  readonly first: Failure;
  readonly others: readonly Failure[];
}

const ALIKE = 4;
const CODE = /\b(?:[A-Z]{1,5}\d{2,6}|error TS\d{1,6})\b/;

/** Failures that say the same but for their numbers are told once. */
function grouped(failures: readonly Failure[]): readonly Group[] {
  const groups = new Map<
    string | number,
    { readonly first: Failure; readonly others: Failure[] }
  >();
  for (const failure of failures) {
    const [message = ""] = failure.message;
    const code = failure.title === undefined ? CODE.exec(message)?.[0] : undefined;
    const key =
      failure.message.length === 0
        ? shapeOf(`title ${failure.title ?? ""}`)
        : (code ?? shapeOf(failure.message.slice(0, 3).join("\n")));
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { first: failure, others: [] });
    else known.others.push(failure);
  }
  const all = [...groups.values()];
  const many = all.filter(({ others }) => others.length >= 10);
  const told = all.flatMap(({ first, others }) =>
    others.length >= ALIKE
      ? [{ first, others }]
      : [first, ...others].map((one) => ({ first: one, others: [] })),
  );
  return many.length > 0 && many.length < all.length
    ? [...told.filter(({ others }) => others.length < 10), ...many]
    : told;
}

const MAX_NAMES = 3;

function namesOf(failures: readonly Failure[]): string {
  const names = failures
    .slice(0, MAX_NAMES)
    .map(({ title, message: [message = ""] }) => (title ?? message).trim().slice(0, 100));
  return names.length === 0
    ? ""
    : `: ${names.join("; ")}${failures.length > MAX_NAMES ? "; …" : ""}`;
}

const DIFF = /^\s{0,30}[-+] /;
const LONG_MESSAGE = 24;

/** A failure's own lines: title, message, where, source; `most` bounds the lines of its message. */
function rendered({ title, message, places, source }: Failure, most: number): readonly string[] {
  const compared = message.length > LONG_MESSAGE && message.some((line) => DIFF.test(line));
  const lines = compared ? onlyChanges(message) : message;
  const kept = lines.length > Math.min(most, 40) ? lines.slice(0, Math.min(most, 40)) : lines;
  const marked = source.filter((line) => /^\s*>|[\^~╵]/.test(line));
  return [
    ...(title === undefined ? [] : [title]),
    ...kept,
    ...(kept.length < lines.length ? [`… ${lines.length - kept.length} more lines`] : []),
    ...places.slice(0, most < 3 ? 1 : 4),
    ...(most < 3 ? [] : (marked.length > 0 ? withCode(source) : source).slice(0, 5)),
  ].map((line) => line.slice(0, 400));
}

/** The marked line, what stands under it, and the line before. */
function withCode(source: readonly string[]): readonly string[] {
  return source.filter((line, index) => {
    const near = [line, source[index + 1] ?? ""];
    return near.some((one) => /^\s*>|[\^~╵]/.test(one));
  });
}

function onlyChanges(message: readonly string[]): readonly string[] {
  const kept = message.filter(
    (line, index) => DIFF.test(line) || index < 3 || DIFF.test(message[index + 1] ?? ""),
  );
  return kept.slice(0, 20);
}

const COUNTS =
  /[1-9]\d{0,6} (?:\w{1,20} ){0,2}(?:fail|error|problem)|fail(?:ed|ures?|ing)?\W{1,3}[1-9]|errors?=[1-9]/i;

/** What counts the failures. */
const counted = (streams: readonly Findings[]): readonly string[] =>
  streams
    .flatMap(({ summaries }) => summaries)
    .filter((line) => COUNTS.test(line))
    .slice(-1);

const FILL = 900;

/** Lines that nobody knows, nearest to a failure first, as many as leave the whole short; in the output's order. */
function around({ rest, failures }: Findings, told: string, room: number): readonly string[] {
  const distance = (at: number): number =>
    failures.reduce(
      (least, { from, to }) => Math.min(least, at < from ? from - at : at > to ? at - to : 0),
      failures.length === 0 ? (rest.at(-1)?.at ?? 0) - at : Infinity,
    );
  const near = rest
    .filter(({ text }) => !told.includes(text.trim()))
    .map((line) => ({ ...line, distance: distance(line.at) }))
    .sort((a, b) => a.distance - b.distance || b.at - a.at);
  let left = room;
  const kept = near.filter(({ text }) => (left -= text.length + 1) > 0);
  return kept.sort((a, b) => a.at - b.at).map(({ text }) => text);
}
