/**
 * Summarises a failed check for the agent that has to fix it and the person who is asked: a headline, and a text within
 * a budget with the first failure in full and as much of the others as fits. Invariants: pure and linear; the same
 * output gives the same text; every line is from the output, except those that say what was left out.
 */
import { cleanLine } from "../foreign-text.ts";
import { findFailures } from "./failures.ts";
import type { Failure, Findings } from "./failures.ts";
import { comparisonIn, messageLines } from "./failing-items.ts";
import { roleOf } from "./line-role.ts";
import { mergedByTest } from "./named-tests.ts";
import { groupedFailures, sortedFailures } from "./order.ts";
import type { Group } from "./order.ts";
import { outputLines } from "./output-lines.ts";

export interface Excerpt {
  /** What failed and how, in one line. */
  readonly headline: string;
  readonly text: string;
  /** Causes first. */
  readonly failures: readonly Failure[];
}

const DEFAULT_BUDGET = 1500;
const HEADLINE_CHARS = 200;

export function excerptOf(
  { stdout = "", stderr = "" }: { readonly stdout?: string; readonly stderr?: string },
  { budget = DEFAULT_BUDGET }: { readonly budget?: number } = {},
): Excerpt {
  const streams = [stderr, stdout].map((text) => findFailures(outputLines(text)));
  // A runner may name a test on one stream, and say on the other what is wrong.
  const failures = sortedFailures(
    mergedByTest(streams.flatMap((found) => bothEnds(found.failures))),
  );
  const unread = streams.reduce((sum, found) => sum + Math.max(0, found.failures.length - MOST), 0);
  const told = buildExcerpt(groupedFailures(failures), budget, unread);
  const counts = streams
    .flatMap(({ summaries }) => summaries)
    .findLast((line) => COUNTS.test(line));
  const tellCounts = (): void => {
    if (counts !== undefined && told.chars + counts.length < budget) told.add([counts]);
  };
  // Without a failure before it, a count says less than unclassified lines.
  if (failures.length > 0) tellCounts();
  for (const stream of streams)
    told.add(linesAround(stream, told.text(), Math.min(budget, ENOUGH) - told.chars));
  if (failures.length === 0) tellCounts();
  if (told.chars === 0) told.add(lastLines(`${stdout}\n${stderr}`, budget));
  const text = told.text();
  return { headline: headlineOf(failures[0], text), text, failures };
}

/** The last lines, if nothing says what failed. */
function lastLines(output: string, budget: number): readonly string[] {
  const all = outputLines(output).filter((line) => line.trim() !== "");
  const telling = all.filter((line) => roleOf(line) !== "noise");
  const lines = telling.length > 0 ? telling : all;
  let left = Math.min(budget, ENOUGH);
  const from = lines.findLastIndex((line) => (left -= line.slice(0, LINE_CHARS).length + 1) < 0);
  return lines
    .slice(Math.max(from + 1, lines.length - MOST_LINES))
    .map((line) => line.slice(0, LINE_CHARS));
}

/** How many failures of one stream are read; further ones are only counted. */
const MOST = 1000;

const bothEnds = (failures: readonly Failure[]): readonly Failure[] =>
  failures.length <= MOST
    ? failures
    : [...failures.slice(0, MOST / 2), ...failures.slice(-MOST / 2)];

const COUNTS =
  /[1-9]\d{0,6} (?:\w{1,20} ){0,2}(?:fail|error|problem)|fail(?:ed|ures?|ing)?\W{1,3}[1-9]|errors?=[1-9]/i;

/** What every failed assertion begins with, under Node and in pytest. */
const FIRST_WORDS = /^(?:AssertionError \[ERR_ASSERTION\]: |E {1,8})/;
/** The line drawn to the end of the screen. */
const DRAWN = / {0,4}[━─⎯]{3,}$/;
/** How long a test took. */
const DURATION = / [([]\d[\d.,]{0,12} ?m?s[)\]]$/;

function headlineOf(first: Failure | undefined, text: string): string {
  const parts =
    first === undefined
      ? [text.split("\n", 1)[0]]
      : [first.title?.trim().replace(DURATION, ""), ...saysWhy(messageLines(first))];
  const [head = "", ...more] = parts
    .map((part) => part?.trim().replace(FIRST_WORDS, "").replace(DRAWN, "") ?? "")
    .filter((part) => part !== "");
  const said = [withoutWhy(head, more[0]), ...more];
  const line = said.reduce((all, part) => `${all}${all.endsWith(":") ? " " : " | "}${part}`, "");
  const why = line.replace(/^ \| /, "");
  const values = valuesBeside(why, first);
  const end = values === "" ? "" : `${why.endsWith(":") ? " " : " | "}${values}`;
  return cleanLine(why + end, HEADLINE_CHARS);
}

const OF_PYTEST = /^(?:FAILED|ERROR) \S/;

/** pytest repeats the message, as far as it fits, after the name of the test. */
function withoutWhy(head: string, why = ""): string {
  const at = head.lastIndexOf(" - ");
  if (at < 0 || !OF_PYTEST.test(head)) return head;
  const said = head.slice(at + 3).replace(/\.{3}$/, "");
  return said !== "" && why.startsWith(said) ? head.slice(0, at) : head;
}

/** What was expected and what came, unless the line says it already. */
function valuesBeside(line: string, first: Failure | undefined): string {
  const { expected, got } = first === undefined ? {} : comparisonIn(first.message);
  if (expected === undefined || got === undefined) return "";
  const isSaid = (value: string): boolean => line.includes(value.replace(/^(["'])(.*)\1$/, "$2"));
  if (isSaid(expected) && isSaid(got)) return "";
  return `expected ${cleanLine(expected, VALUE_CHARS)}, got ${cleanLine(got, VALUE_CHARS)}`;
}

const VALUE_CHARS = 60;

/** Ends with a colon or a line drawn, or has neither lower-case letters nor digits: the actual message follows below. */
const ANNOUNCES = /:$|[━─⎯]{3}$|: Failure$|\berror: \[[\w-]{1,30}\]$|^[^a-z\d]*$/;
const MOST_ANNOUNCED = 3;

/** The beginning of a message, up to the first line that does more than announce the next, without any comparison. */
function saysWhy(message: readonly string[]): readonly string[] {
  const end = message.findIndex((line) => !ANNOUNCES.test(line.trim()));
  const said = message.slice(0, Math.min(end < 0 ? 1 : end + 1, MOST_ANNOUNCED));
  const differs = said.findIndex((line, index) => index > 0 && DIFFERS.test(line));
  return differs < 0 ? said : said.slice(0, differs);
}

interface ExcerptBuilder {
  readonly chars: number;
  text(): string;
  add(lines: readonly string[]): void;
}

/** Prints failures in full while they fit, then in short, then only their number. */
function buildExcerpt(groups: readonly Group[], budget: number, unread: number): ExcerptBuilder {
  const parts: string[] = [];
  let chars = 0;
  const add = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    parts.push(lines.join("\n"));
    chars += lines.reduce((sum, line) => sum + line.length + 1, 0);
  };
  const fits = (lines: readonly string[]): boolean =>
    chars + lines.reduce((sum, line) => sum + line.length + 1, 0) <= budget;
  let leftOut = unread;
  let onlyNamed = 0;
  for (const [index, { first, others }] of groups.entries()) {
    if (first.message.length === 0) onlyNamed += 1;
    if (chars > budget || onlyNamed > MOST_NAMES) {
      leftOut += 1 + others.length;
      continue;
    }
    const alike = othersAlike(others);
    const whole = [...tellFailure(first, index === 0 ? MOST_LINES : SOME_LINES), ...alike];
    const short = [...tellFailure(first, 2), ...alike];
    if (index === 0 || fits(whole)) add(whole);
    else if (fits(short)) add(short);
    else leftOut += 1 + others.length;
  }
  if (leftOut > 0) add([`… and ${leftOut} more failures`]);
  return {
    add,
    text: () => parts.join("\n"),
    get chars() {
      return chars;
    },
  };
}

/** The limit for failed tests without a message. */
const MOST_NAMES = 8;
const NAMED = 3;

function othersAlike(others: readonly Failure[]): readonly string[] {
  if (others.length === 0) return [];
  const names = others
    .slice(0, NAMED)
    .map(({ title, message: [message = ""] }) => cleanLine(title ?? message, 100));
  const more = others.length > NAMED ? "; …" : "";
  return [`… and ${others.length} more like this: ${names.join("; ")}${more}`];
}

const MOST_LINES = 40;
const SOME_LINES = 12;
const LINE_CHARS = 400;
const PLACES = 4;
const SOURCE_LINES = 5;

const DIFFERS = /^\s{0,30}[-+] /;
/** Beyond this length, only the differences of a comparison are shown. */
const LONG_COMPARISON = 24;
const CHANGES = 20;

function tellFailure(failure: Failure, most: number): readonly string[] {
  const { title, places, source } = failure;
  const message = withoutSameLines(failure.message);
  const kept = message.slice(0, most);
  const inShort = most < SOME_LINES;
  return [
    ...(title === undefined ? [] : [title]),
    ...kept,
    ...(kept.length < message.length ? [`… ${message.length - kept.length} more lines`] : []),
    ...places.slice(0, inShort ? 1 : PLACES),
    ...(inShort ? [] : markedSource(source).slice(0, SOURCE_LINES)),
  ].map((line) => line.slice(0, LINE_CHARS));
}

/** Reduces a long comparison to the differing lines, each with the line before it. */
function withoutSameLines(message: readonly string[]): readonly string[] {
  if (message.length <= LONG_COMPARISON || !message.some((line) => DIFFERS.test(line)))
    return message;
  return message
    .filter(
      (line, index) => index < 3 || DIFFERS.test(line) || DIFFERS.test(message[index + 1] ?? ""),
    )
    .slice(0, CHANGES);
}

const MARKED = /^\s{0,40}>|[\^~╵]/;

/** The marked lines, each with the line above; all lines if none is marked. */
function markedSource(source: readonly string[]): readonly string[] {
  const marked = source.filter(
    (line, index) => MARKED.test(line) || MARKED.test(source[index + 1] ?? ""),
  );
  return marked.length > 0 ? marked : source;
}

/** An excerpt of this length needs no unclassified lines. */
const ENOUGH = 900;
/** Lines further from every failure are about something else. */
const NEAR = 40;

/** Unclassified lines, selected by closeness to a failure, in output order. */
function linesAround({ rest, failures }: Findings, told: string, room: number): readonly string[] {
  if (room <= 0) return [];
  const last = rest.at(-1)?.at ?? 0;
  const edges = failures.length === 0 ? [last] : failures.flatMap(({ from, to }) => [from, to]);
  let next = 0;
  const near = rest.flatMap(({ text, at }) => {
    while (next < edges.length - 1 && (edges[next] ?? 0) < at) next += 1;
    const away = Math.min(
      Math.abs(at - (edges[next] ?? 0)),
      Math.abs(at - (edges[next - 1] ?? Infinity)),
    );
    return away > NEAR ? [] : [{ text, at, away }];
  });
  let left = room;
  return near
    .sort((a, b) => a.away - b.away || b.at - a.at)
    .slice(0, MOST_LINES * 2)
    .filter(({ text }) => !told.includes(text.trim()) && (left -= text.length + 1) > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text);
}
