/**
 * The failures in a check's output: lines that belong together, each under what it says failed or what it says is
 * wrong. Invariants: one pass over the lines; every failure has a title or a message; a test that a runner names twice
 * is one failure.
 */
import { shapeOf } from "./output-lines.ts";
import type { OutputLine } from "./output-lines.ts";
import { roleOf } from "./line-role.ts";
import type { Role } from "./line-role.ts";

export interface Failure {
  /** What failed, as the runner names it. */
  readonly title?: string;
  /** What it says is wrong: the error and what was expected and got, in the output's order. */
  readonly message: readonly string[];
  /** In the user's own code, nearest first. */
  readonly places: readonly string[];
  readonly source: readonly string[];
  /** Its first and its last line in the output. */
  readonly from: number;
  readonly to: number;
}

export interface Findings {
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
  /** Lines that count failures. */
  readonly summaries: readonly string[];
  /** What nobody knows the meaning of, in order. */
  readonly rest: readonly { readonly text: string; readonly at: number }[];
}

interface Line extends OutputLine {
  readonly role: Role;
  readonly at: number;
}

interface Block {
  title?: string;
  readonly indent: number;
  readonly byName: boolean;
  readonly message: string[];
  readonly places: string[];
  readonly source: string[];
  blanks: number;
  captured: boolean;
  from: number;
  to: number;
}

/** So many lines that differ in their numbers alone are a log, not a message. */
const LOG_FROM = 6;
const MAX_MESSAGE = 400;
const MAX_PLACES = 6;
const MAX_SOURCE = 12;

export function findFailures(lines: readonly OutputLine[]): Findings {
  const reader = createReader();
  for (const line of withRoles(lines)) reader.read(line);
  return reader.end();
}

function withRoles(lines: readonly OutputLine[]): readonly Line[] {
  const counts = new Map<string, number>();
  const shapes = lines.map(({ text }) => shapeOf(text));
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const roles = new Map<string, Role>();
  const silent = saidByPassing(lines);
  return lines.map((line, index) => {
    const shape = shapes[index] ?? "";
    let role = roles.get(shape);
    if (role === undefined) {
      role = roleOf(line.text);
      if (role === "text" && (counts.get(shape) ?? 0) >= LOG_FROM) role = "noise";
      roles.set(shape, role);
    }
    return { ...line, at: index, role: silent.has(index) ? "noise" : role };
  });
}

const GO_RUN = /^=== (?:RUN|CONT|NAME) {1,4}(\S{1,300})$/;
const GO_PASS = /^\s{0,40}--- (?:PASS|SKIP): (\S{1,300}) \(/;

/** Lines that `go test -v` prints for tests that pass: their result stands below them. */
function saidByPassing(lines: readonly OutputLine[]): ReadonlySet<number> {
  const said = new Map<string, number[]>();
  const silent = new Set<number>();
  let running: string | undefined;
  for (const [index, { text }] of lines.entries()) {
    const begun = GO_RUN.exec(text)?.[1];
    if (begun !== undefined) running = begun;
    else if (text.startsWith("--- ") || text.startsWith("FAIL")) running = undefined;
    else if (running !== undefined) {
      const own = said.get(running);
      if (own === undefined) said.set(running, [index]);
      else own.push(index);
    }
    const passed = GO_PASS.exec(text)?.[1];
    for (const one of passed === undefined ? [] : (said.get(passed) ?? [])) silent.add(one);
  }
  return silent;
}

function createReader(): { read(line: Line): void; end(): Findings } {
  const blocks: Block[] = [];
  const warnings: string[] = [];
  const summaries: string[] = [];
  const rest: { readonly text: string; readonly at: number }[] = [];
  let current: Block | undefined;
  /** Places and source just above an error, as node prints them. */
  let lead: Line[] = [];

  const open = (line: Line, byName: boolean): Block => {
    const block: Block = {
      ...(byName ? { title: undecorated(line.text) } : {}),
      indent: line.indent,
      byName,
      message: byName ? [] : [line.text],
      places: [],
      source: [],
      blanks: 0,
      captured: false,
      from: lead[0]?.at ?? line.at,
      to: line.at,
    };
    for (const { role, text } of byName ? [] : lead)
      (role === "place" ? block.places : block.source).push(text);
    lead = [];
    blocks.push(block);
    return block;
  };

  const read = (line: Line): void => {
    const { role, text, indent } = line;
    switch (role) {
      case "blank":
        if (current !== undefined) current.blanks += 1;
        return;
      case "rule":
        if (current !== undefined && (text.includes("=") || !isOnlyTitle(current)) && !text.includes("_"))
          current = undefined;
        return;
      case "section":
        if (text.includes("Captured")) {
          if (current !== undefined) current.captured = true;
        } else current = undefined;
        return;
      case "summary":
        summaries.push(text.trim());
        if (!(current?.byName === true && indent > current.indent)) current = undefined;
        return;
      case "noise":
        if (current !== undefined && indent <= current.indent) current = undefined;
        lead = [];
        return;
      case "frame":
        return;
      case "failed":
        if (current !== undefined && !current.byName && indent > current.indent) break;
        current = open(line, true);
        return;
      case "warning":
        if (current?.byName === true && indent > current.indent) break;
        warnings.push(text);
        current = undefined;
        return;
      case "error":
        if (current === undefined || isNewError(current, line)) {
          current = open(line, false);
          return;
        }
        break;
      default:
    }
    if (current !== undefined && !belongs(current, line)) current = undefined;
    if (current === undefined) {
      const leads = role === "place" || role === "source" || lead.length > 0;
      lead = leads ? [...lead.slice(-7), line] : [];
      rest.push({ text, at: line.at });
      return;
    }
    add(current, line);
  };

  return {
    read,
    end: () => ({ failures: together(blocks), warnings, summaries, rest }),
  };
}

const undecorated = (text: string): string =>
  text.replace(/^[-_=─━⎯*!\s]{2,}/, "").replace(/[-_=─━⎯*!\s]{3,}$/, "").trim();

const isOnlyTitle = ({ byName, message, places }: Block): boolean =>
  byName && message.length === 0 && places.length === 0;

const NPM = /^npm (?:error|ERR!)/;
const CONTINUES = /^\s{0,40}(?:Caused by|\[?cause\]?:|During handling|The above exception|reason:|E {1,8})/;
const OPEN_ENDED = /(?::|,|\bin \S{1,200}(?: \d[\d:-]{0,20})?)$/;

/** Whether an error line begins a failure of its own. */
function isNewError(block: Block, { text, indent }: Line): boolean {
  if (block.byName) return false;
  if (CONTINUES.test(text)) return false;
  const [head = ""] = block.message;
  if (NPM.test(head)) return !NPM.test(text);
  if (block.message.length === 1 && block.blanks === 0 && OPEN_ENDED.test(head)) return false;
  return indent <= block.indent;
}

function belongs(block: Block, { role, indent }: Line): boolean {
  if (block.byName) return true;
  if (role === "detail" || role === "place" || role === "source" || role === "error") return true;
  return indent > block.indent || (block.blanks === 0 && block.message.length < 12);
}

function add(block: Block, { role, text, at }: Line): void {
  if (block.captured) return;
  block.blanks = 0;
  block.to = at;
  if (role === "place") {
    if (block.places.length < MAX_PLACES) block.places.push(text);
  } else if (role === "source") {
    if (block.source.length < MAX_SOURCE) block.source.push(text);
  } else if (block.message.length < MAX_MESSAGE) block.message.push(text);
}

const MARKS =
  /^(?:[✖✗✘✕×❌●⨯]|not ok \d{1,7}(?: -)?|--- FAIL:|FAIL(?:ED)?:?|ERROR(?: (?:at (?:setup|teardown) of|collecting))?:?|\d{1,5}\)|\d{1,5} |test |thread|[-_=─━⎯]{2,})\s{0,4}/;
const TAIL =
  /(?:\s{0,4}(?:\([\d.]{1,12} ?m?s\)|\[[\d.]{1,12} ?m?s\]|[\d.]{1,12} ?ms|\(retry #\d{1,3}\)|\.{3} FAILED|stdout|:|[-_=─━⎯]{2,}|\([\w.]{1,200}\)| - .{1,300}))$/;

/** A test's own name, without marks, times and the names of what it is in. */
function nameOf(title: string): { readonly whole: string; readonly last: string } {
  let whole = title.replace(/^[-_=─━⎯]{2,}\s{0,4}/, "");
  for (let times = 0; times < 4; times += 1) whole = whole.replace(MARKS, "").replace(TAIL, "").trim();
  const parts = whole.split(whole.includes(" ") ? / › | > |::/ : / › | > |::|\./);
  return { whole, last: parts.at(-1)?.trim() ?? whole };
}

/** One failure for each test, however often it is named; what says the most of it is kept. */
function together(blocks: readonly Block[]): readonly Failure[] {
  const byName = new Map<string, { failure: Failure; block: Block }[]>();
  const failures: { failure: Failure; block: Block }[] = [];
  for (const block of blocks) {
    const entry = { failure: failureOf(block), block };
    if (block.title === undefined) {
      failures.push(entry);
      continue;
    }
    const { last } = nameOf(block.title);
    const known = byName.get(last);
    const same = known?.[0];
    if (same === undefined) {
      byName.set(last, [entry]);
      failures.push(entry);
    } else same.failure = merged(same.failure, entry.failure);
  }
  return failures.map(({ failure }) => failure);
}

const weight = ({ message, places, source }: Failure): number =>
  message.length * 2 + places.length + source.length / 2;

/** Whether a title says where the test is. */
const namesFile = (title = ""): boolean => title.length < 200 && /::|[\w-]\/[\w-]/.test(title);

function merged(a: Failure, b: Failure): Failure {
  const [more, less] = weight(b) > weight(a) ? [b, a] : [a, b];
  const title = namesFile(less.title) && !namesFile(more.title) ? less.title : more.title;
  const places = more.places.length > 0 ? more.places : less.places;
  return { ...more, ...(title === undefined ? {} : { title }), places };
}

const PYTEST_PLACE = /^[\w./-]{1,250}\.py:\d{1,7}: /;
const PYTEST_ERROR = /^E {1,8}/;

function failureOf({ title, message, places, source, from, to }: Block): Failure {
  const ofPytest = message.filter((line) => PYTEST_ERROR.test(line));
  const located = message.filter((line) => PYTEST_PLACE.test(line));
  return {
    ...(title === undefined ? {} : { title }),
    message: ofPytest.length > 0 ? ofPytest : message,
    places: ofPytest.length > 0 ? [...places, ...located] : places,
    source,
    from,
    to,
  };
}
