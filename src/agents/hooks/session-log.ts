/**
 * What a session's hooks remember between calls: a small file of lines that is only appended to, so that concurrent
 * hooks lose nothing. Invariants: bounded in lines, bytes and files; a broken or foreign line is skipped; contains no
 * secrets; equal arguments and results stay equal, and different ones different, however much is left out.
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
import { hashText } from "../../core/hash.ts";
import { readStep } from "../../core/stuck/read-step.ts";
import type { Step } from "../../core/stuck/step.ts";
import { parseFields } from "../output/json.ts";

/** A step, or something the hook itself did. */
export type Remembered =
  | { readonly step: Step }
  /** The signature of a failure for which a hint was given. */
  | { readonly hinted: string }
  /** A stop was rejected. */
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

/** Shortens to half the maximum, so that this is rare. */
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

/** For a new session: removes the oldest files if there are too many. */
function makeRoom(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length < MAX_FILES) return;
  const age = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldest = files.map((file) => [age(file), file] as const).sort(([a], [b]) => a - b);
  for (const [, file] of oldest.slice(0, files.length - MAX_FILES / 2))
    rmSync(file, { force: true });
}

/** Appends a line to a file of bounded size; a full file becomes `.old`, replacing the previous one. */
export function appendBounded(file: string, line: object, maxBytes: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(file, `${file}.old`);
  appendFileSync(file, `${JSON.stringify(line)}\n`, OWN);
}
