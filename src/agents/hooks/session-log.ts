/**
 * What a session's hooks remember between calls: one small file of lines for each session, only ever appended to,
 * so that two hooks at a time lose nothing. Invariants: bounded in lines, bytes and files; a broken or foreign
 * line is skipped; no secret is kept; equal arguments and results stay equal, and different ones stay different,
 * however much of them is left out.
 */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { cutMiddle } from "../../core/foreign-text.ts";
import { hashText } from "../../core/hash.ts";
import { secretsOf } from "../../core/redact/known-values.ts";
import { redactionOf } from "../../core/redact/redaction.ts";
import type { Redaction } from "../../core/redact/redaction.ts";
import { readStep } from "../../core/stuck/step.ts";
import type { Step } from "../../core/stuck/step.ts";
import { parseFields } from "../output/json.ts";
import type { BeforeTool, HookEvent } from "./hook-event.ts";

/** A step, or what the hook itself did. */
export type Remembered =
  | { readonly step: Step }
  /** The signature of a failure that a hint was given for. */
  | { readonly hinted: string }
  /** A stop was sent back. */
  | { readonly sentBack: true };

const MAX_LINES = 80;
const MAX_BYTES = 192 * 1024;
const MAX_FILES = 200;

export interface SessionLog {
  readonly lines: readonly Remembered[];
  add(lines: readonly Remembered[]): void;
}

export function openSessionLog(folder: string, agent: string, session: string): SessionLog {
  const file = join(folder, `${agent}-${hashText(session)}.jsonl`);
  const text = textOf(file);
  const lines = (text ?? "").split("\n").flatMap(read).slice(-MAX_LINES);
  return {
    lines,
    add(more) {
      if (more.length === 0) return;
      if (text === undefined) makeRoom(folder);
      const added = more.map((line) => `${JSON.stringify(line)}\n`).join("");
      if ((text ?? "").length + added.length <= MAX_BYTES) appendFileSync(file, added, OWN);
      else shorten(file, [...lines, ...more]);
    },
  };
}

const OWN = { mode: 0o600 } as const;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Half of what there may be, so that this is rare. */
function shorten(file: string, lines: readonly Remembered[]): void {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    const text = `${JSON.stringify(line)}\n`;
    bytes += text.length;
    if (bytes > MAX_BYTES / 2) break;
    kept.unshift(text);
  }
  writeFileSync(`${file}.${process.pid}`, kept.join(""), OWN);
  renameSync(`${file}.${process.pid}`, file);
}

function read(line: string): Remembered[] {
  const { hinted, sentBack, step } = parseFields(line) ?? {};
  if (typeof hinted === "string") return [{ hinted }];
  if (sentBack === true) return [{ sentBack }];
  const reading = readStep(step);
  return reading.ok ? [{ step: reading.step }] : [];
}

/** A new session begins: the oldest make room. */
function makeRoom(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length < MAX_FILES) return;
  const age = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldest = files.map((file) => [age(file), file] as const).sort(([a], [b]) => a - b);
  for (const [, file] of oldest.slice(0, files.length - MAX_FILES / 2))
    rmSync(file, { force: true });
}

/** Appends a line to a file that is never longer than this; the older half goes when it is full. */
export function appendBounded(file: string, line: object, maxBytes: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(file, `${file}.old`);
  appendFileSync(file, `${JSON.stringify(line)}\n`, OWN);
}

const MAX_OUTPUT = 1500;
const MAX_ARGS = 1500;
const MAX_VALUE = 200;

/** An event as a step small enough to keep; undefined for events that are no steps. */
export function stepOf(event: HookEvent, automated: boolean): Step | undefined {
  const run = event.runId === undefined ? {} : { runId: event.runId };
  switch (event.kind) {
    case "before-tool":
      return { kind: "tool_call", ...callOf(event), args: smallArgs(event.args), ...run };
    case "after-tool": {
      const failed = event.outcome === "failed" ? { isError: true } : {};
      const output = small(event.output, MAX_OUTPUT);
      return { kind: "tool_result", ...callOf(event), output, ...failed, ...run };
    }
    case "prompt":
      return { kind: "user_message", ...(automated ? { automated: true } : {}) };
    case "compaction":
      return { kind: "compaction", ...run };
    case "stop":
      return { kind: "turn_end" };
    case "model-failure":
      return undefined;
  }
}

const callOf = ({ tool, id }: Pick<BeforeTool, "tool" | "id">): { tool: string; id?: string } => ({
  tool: small(tool, MAX_VALUE),
  ...(id === undefined ? {} : { id }),
});

function small(text: string, max: number, name = ""): string {
  const clean = withoutSecrets(text, name);
  return text.length <= max ? clean : `${cutMiddle(clean, max)} ${wordOf(text)}`;
}

/** In letters only: what compares results takes hexadecimal digits for noise. */
const wordOf = (text: string): string =>
  hashText(text).replace(/[0-9]/g, (digit) => "ghijklmnop".charAt(Number(digit)));

function smallArgs(args: unknown): unknown {
  const text = JSON.stringify(args) ?? "";
  if (text === "") return args;
  const max = text.length <= MAX_ARGS ? MAX_ARGS : MAX_VALUE;
  const kept: unknown = JSON.parse(text, (name, value: unknown) =>
    typeof value === "string" ? small(value, max, name) : value,
  );
  const isSmall = max === MAX_ARGS || (JSON.stringify(kept) ?? "").length <= MAX_ARGS;
  return isSmall ? kept : { all: wordOf(text) };
}

/** More than any secret is long, so that none is cut in two where something of it is kept. */
const WINDOW = 26_000;

let redaction: Redaction | undefined;

/**
 * Takes secrets out of what a session remembers (U12), with bounded work, however long the text. The same secret always
 * leaves the same word, so that equal calls and results stay equal, and nearly always another one than a different
 * secret; of the secret itself the word tells fifteen bits. `name`: what the text is the value of, where that is known.
 */
export function withoutSecrets(text: string, name = ""): string {
  if (text.length > 2 * WINDOW)
    return `${withoutSecrets(text.slice(0, WINDOW), name)}\n${withoutSecrets(text.slice(-WINDOW))}`;
  redaction ??= redactionOf(secretsOf(process.env), wordFor);
  const start = `${name}=`;
  const assigned = name === "" ? "" : redaction.text(start + text);
  return assigned.startsWith(start) ? assigned.slice(start.length) : redaction.text(text);
}

/** Letters and digits in turn: what compares results takes it for noise, as it does most secrets. */
function wordFor(secret: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = Array.from(hashText(secret), (digit) => parseInt(digit, 16));
  const letter = (place: number): string => "ghijklmnopqrstuv".charAt(place);
  return `[secret ${`${letter(a)}${b % 10}${letter(c)}${d % 10}`.repeat(3)}]`;
}
