/**
 * Finds the failures in one stream of a check's output by grouping lines under the item that failed or the error they
 * report. Invariants: one pass over the lines; every failure has a title or a message; lines of a failure keep their
 * order, except what pytest prints before its error.
 */
import { indentOf, shapeOf } from "./output-lines.ts";
import { roleOf } from "./line-role.ts";
import type { Role } from "./line-role.ts";

export interface Failure {
  /** What failed, as named by the runner. */
  readonly title?: string;
  /** What is wrong: the error, the expected and the actual value. */
  readonly message: readonly string[];
  /** Positions in the user's own code. */
  readonly places: readonly string[];
  readonly source: readonly string[];
  /** Its first and its last line in the output. */
  readonly from: number;
  readonly to: number;
}

interface NumberedLine {
  readonly text: string;
  readonly at: number;
}

export interface Findings {
  readonly failures: readonly Failure[];
  /** Lines that count failures or announce them. */
  readonly summaries: readonly string[];
  /** Unclassified lines, in order. */
  readonly rest: readonly NumberedLine[];
}

interface Line extends NumberedLine {
  readonly role: Role;
  readonly indent: number;
}

interface Block {
  readonly title?: string;
  readonly indent: number;
  readonly message: string[];
  readonly places: string[];
  readonly source: string[];
  readonly from: number;
  to: number;
  /** A blank line precedes the next line. */
  parted: boolean;
  /** The lines that follow are the test's own output. */
  captured: boolean;
}

const MAX_MESSAGE = 400;
const MAX_PLACES = 6;
const MAX_SOURCE = 12;
const MAX_LEAD = 8;
const MAX_TITLE = 300;

export function findFailures(lines: readonly string[]): Findings {
  const roles = rolesOf(lines);
  const blocks: Block[] = [];
  const summaries: string[] = [];
  const rest: NumberedLine[] = [];
  let open: Block | undefined;
  /** A position and its source just above an error, as printed by node. */
  let lead: Line[] = [];

  const begin = (line: Line, title?: string): Block => {
    const above = title === undefined ? lead : [];
    const block: Block = {
      ...(title === undefined ? {} : { title }),
      indent: line.indent,
      message: title === undefined ? [line.text] : [],
      places: above.filter(({ role }) => role === "place").map(({ text }) => text),
      source: above.filter(({ role }) => role !== "place").map(({ text }) => text),
      from: above[0]?.at ?? line.at,
      to: line.at,
      parted: false,
      captured: false,
    };
    lead = [];
    blocks.push(block);
    return block;
  };

  for (const [at, text] of lines.entries()) {
    const role = roles[at] ?? "text";
    if (role === "blank") {
      if (open !== undefined) open.parted = true;
      continue;
    }
    if (role === "frame" || (role === "noise" && open === undefined && lead.length === 0)) continue;
    const line: Line = { text, at, role, indent: indentOf(text) };
    if (role === "noise") {
      if (open !== undefined && line.indent <= open.indent) open = undefined;
      lead = [];
    } else if (role === "rule") {
      if (open !== undefined && endsBlock(open, text)) open = undefined;
    } else if (role === "section") {
      if (text.includes("Captured") && open !== undefined) open.captured = true;
      else open = undefined;
    } else if (role === "summary") {
      summaries.push(text.trim());
      if (open?.title === undefined || line.indent <= open.indent) open = undefined;
    } else if (role === "warning" && !(open?.title !== undefined && line.indent > open.indent)) {
      open = undefined;
    } else if (role === "failed" && !(open?.title === undefined && isWithin(open, line))) {
      open = begin(line, undecorated(text));
    } else if (role === "error" && (open === undefined || isNewError(open, line))) {
      open = begin(line);
    } else if (open !== undefined && belongs(open, line)) {
      add(open, line);
    } else {
      open = undefined;
      const leads = role === "place" || role === "source" || lead.length > 0;
      lead = leads ? [...lead.slice(1 - MAX_LEAD), line] : [];
      rest.push({ text, at });
    }
  }
  return { failures: blocks.map(failureOf), summaries, rest };
}

/** This many lines that differ only in their numbers are a log, not a message. */
const LOG_FROM = 6;

function rolesOf(lines: readonly string[]): readonly Role[] {
  const counts = new Map<number, number>();
  const shapes = new Float64Array(lines.length);
  for (const [at, text] of lines.entries()) {
    const shape = shapeOf(text);
    shapes[at] = shape;
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const known = new Map<number, Role>();
  const silent = linesOfPassingTests(lines);
  const roles = lines.map((text, at): Role => {
    if (silent.has(at)) return "noise";
    const shape = shapes[at] ?? 0;
    let role = known.get(shape);
    if (role === undefined) {
      role = roleOf(text);
      if (role === "text" && (counts.get(shape) ?? 0) >= LOG_FROM) role = "noise";
      known.set(shape, role);
    }
    return role;
  });
  let isInTable = false;
  for (const [at, text] of lines.entries()) {
    if (at === 0) continue;
    if (roles[at - 1] === "text" && POINTER.test(text)) roles[at - 1] = "error";
    const above = lines[at - 1] ?? "";
    if (TABLE_OF_FILE.test(text)) {
      roles[at] = "place";
      isInTable = true;
    } else if (roles[at] === "blank") isInTable = false;
    else if (isInTable && FINDING.test(text)) roles[at] = "error";
    if (roles[at] === "text" && PYTHON_PLACE.test(above) && indentOf(text) > indentOf(above))
      roles[at] = "source";
  }
  return roles;
}

/** A line above an arrow to its position is an error: `F821 Undefined name`, then ` --> app/cart.py:14:12`. */
const POINTER = /^\s{0,12}(?:-->|[╭┌]─+\[) {0,2}\S{1,250}:\d{1,7}/;

/** phpstan prints a table for each file, with the file in its head: the number of the line, then what is wrong. */
const TABLE_OF_FILE = /^\s{1,4}Line\s{2,8}\S{1,250}\.php$/;
const FINDING = /^\s{1,4}\d{1,6}\s{2,8}\S/;

/** The line of code follows below, indented. */
const PYTHON_PLACE = /^\s{0,12}File "[^"]{1,300}", line \d/;

const GO_RUN = /^=== (?:RUN|CONT|NAME) {1,4}(\S{1,300})$/;
const GO_PASS = /^\s{0,40}--- (?:PASS|SKIP): (\S{1,300}) \(/;

/** Lines printed under `go test -v` by passing tests, whose result follows below them. */
function linesOfPassingTests(lines: readonly string[]): ReadonlySet<number> {
  const silent = new Set<number>();
  if (!lines.some((text) => text.startsWith("=== RUN"))) return silent;
  const said = new Map<string, number[]>();
  let running: string | undefined;
  for (const [at, text] of lines.entries()) {
    const begun = text.startsWith("===") ? GO_RUN.exec(text)?.[1] : undefined;
    if (begun !== undefined) running = begun;
    else if (text.startsWith("--- ") || text.startsWith("FAIL")) running = undefined;
    else if (running !== undefined) {
      const own = said.get(running);
      if (own === undefined) said.set(running, [at]);
      else own.push(at);
    }
    const passed = text.includes("--- ") ? GO_PASS.exec(text)?.[1] : undefined;
    for (const one of passed === undefined ? [] : (said.get(passed) ?? [])) silent.add(one);
  }
  return silent;
}

/** Removes the rule around a title. */
const undecorated = (line: string): string => {
  const text = line.slice(0, MAX_TITLE);
  return (
    /^([-_=─━⎯!])\1/.test(text) && /([-_=─━⎯!])\1$/.test(text)
      ? text.replace(/^[-_=─━⎯!\s]{2,}/, "")
      : text
  )
    .replace(/[-_=─━⎯!\s]{2,}$/, "")
    .trim();
};

/**
 * A rule of `=` always ends a failure, a rule of dashes only after its content has begun; `_ _ _` occurs inside
 * pytest's failures.
 */
function endsBlock({ title, message, places }: Block, rule: string): boolean {
  if (rule.includes("_")) return false;
  return rule.includes("=") || title === undefined || message.length + places.length > 0;
}

const isWithin = (block: Block | undefined, { indent }: Line): boolean =>
  block !== undefined && indent > block.indent;

const NPM = /^npm (?:error|ERR!)/;
const CONTINUES =
  /^\s{0,40}(?:Caused by|\[?cause\]?:|During handling|The above exception|reason:|E {1,8}|\[(?:error|ERROR)\]\s{2,12}\S)/;
const OPEN_ENDED = /(?::|,|\bin \S{1,200}(?: \d[\d:-]{0,20})?)$/;

/** Whether an error line starts a new failure. */
function isNewError(block: Block, { text, indent }: Line): boolean {
  if (block.title !== undefined || CONTINUES.test(text)) return false;
  const [head = ""] = block.message;
  if (NPM.test(head)) return !NPM.test(text);
  if (block.message.length === 1 && !block.parted && OPEN_ENDED.test(head)) return false;
  return indent <= block.indent;
}

const NEAR = 12;

function belongs(block: Block, { role, indent }: Line): boolean {
  if (block.title !== undefined || indent > block.indent) return true;
  return role !== "text" || (!block.parted && block.message.length < NEAR);
}

function add(block: Block, { role, text, at }: Line): void {
  if (block.captured) return;
  block.parted = false;
  block.to = at;
  const [part, most] =
    role === "place"
      ? ([block.places, MAX_PLACES] as const)
      : role === "source"
        ? ([block.source, MAX_SOURCE] as const)
        : ([block.message, MAX_MESSAGE] as const);
  if (part.length < most) part.push(text);
}

const PYTEST_ERROR = /^E {1,8}/;
const PYTEST_PLACE = /^[\w./-]{1,250}\.py:\d{1,7}: /;

/** For pytest, which prints the test's code first, only the error and its position. */
function failureOf({ title, message, places, source, from, to }: Block): Failure {
  const errors = message.filter((line) => PYTEST_ERROR.test(line));
  return {
    ...(title === undefined ? {} : { title }),
    message: errors.length > 0 ? errors : message,
    places:
      errors.length > 0
        ? [...places, ...message.filter((line) => PYTEST_PLACE.test(line))]
        : places,
    source,
    from,
    to,
  };
}
