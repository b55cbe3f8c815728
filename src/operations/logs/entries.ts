/**
 * Builds the entries of one attempt's log from the pieces of its transcript: steps as the agent's own reader parses
 * them, and plain text. Invariants: every text is sanitized, bounded and free of secrets, including those that only
 * show once a line is decoded; memory is bounded; a result is joined to its call if that is known.
 */
import type { TranscriptPiece } from "../../agents/output/transcript.ts";
import { isRecord } from "../../core/defined.ts";
import { cleanLine, cleanText } from "../../core/foreign-text.ts";
import { DEFAULT_STUCK_CONFIG } from "../../core/stuck/config.ts";
import type { Step, ToolCallStep, ToolResultStep } from "../../core/stuck/step.ts";
import { factsOf } from "../../core/stuck/tools.ts";
import { defined } from "../operation.ts";
import { redact } from "../redaction.ts";
import { argumentText } from "../follow/follow.ts";
import type { LogEntry } from "./schemas.ts";

export interface AttemptName {
  readonly subtask: string;
  readonly attempt: number;
}

const MAX_TEXT = 1_000_000;
const MAX_TITLE = 400;
const MAX_TOOL = 80;
const MAX_FILES = 50;
/** Calls whose results may still come. */
const MAX_OPEN = 1000;
/** Parts of a streamed message are joined up to this size. */
const MAX_HELD = 64 * 1024;

const clean = (text: string, maxChars = MAX_TEXT): string => redact(cleanText(text, { maxChars }));

type Told = LogEntry extends infer Entry
  ? Entry extends LogEntry
    ? Omit<Entry, "subtask" | "attempt" | "at" | "inner">
    : never
  : never;

interface OpenCall extends Pick<ToolCallStep, "tool"> {
  readonly title: string;
  readonly at: number | undefined;
}

export function createEntries({ subtask, attempt }: AttemptName) {
  const open = new Map<string, OpenCall>();
  let unnamed = 0;
  let held: { kind: "message" | "thinking"; text: string; step: Step } | undefined;
  let at: number | undefined;

  const entry = (told: Told, { runId }: Pick<Step, "runId"> = {}): LogEntry => ({
    ...{ kind: told.kind, subtask, attempt },
    ...defined({ at, inner: runId === undefined ? undefined : (true as const) }),
    ...told,
  });

  const release = (): LogEntry[] => {
    if (held === undefined) return [];
    const { kind, text, step } = held;
    held = undefined;
    return text.trim() === "" ? [] : [entry({ kind, text: clean(text) }, step)];
  };
  const say = (kind: "message" | "thinking", step: Step, text: string): LogEntry[] => {
    const isSame = held?.kind === kind && held.step.runId === step.runId;
    const before = isSame ? [] : release();
    held = isSame && held ? { ...held, text: held.text + text } : { kind, text, step };
    return held.text.length > MAX_HELD ? [...before, ...release()] : before;
  };

  const call = (step: ToolCallStep): LogEntry => {
    const tool = clean(cleanLine(step.tool, MAX_TOOL));
    const title = clean(cleanLine(argumentText(step.args), MAX_TITLE));
    const [oldest] = open.keys();
    if (open.size >= MAX_OPEN && oldest !== undefined) open.delete(oldest);
    open.set(step.id ?? ` ${(unnamed += 1)}`, { tool, title, at });
    const told = { tool, title, input: clean(jsonOf(step.args)), ...idOf(step) };
    if (factsOf(step.tool, DEFAULT_STUCK_CONFIG).kind !== "write")
      return entry({ kind: "tool-call", ...told }, step);
    return entry({ kind: "file-change", ...told, files: filesOf(step.args) }, step);
  };
  /** By id; without one, the oldest open call of the same tool, or of any tool. */
  const callOf = ({ id, tool, running }: ToolResultStep): OpenCall | undefined => {
    const names = [...open.keys()];
    const name =
      id ?? names.find((key) => tool !== undefined && open.get(key)?.tool === tool) ?? names[0];
    const found = name === undefined ? undefined : open.get(name);
    if (name !== undefined && running !== true) open.delete(name);
    return found;
  };
  const result = (step: ToolResultStep): LogEntry => {
    const found = callOf(step);
    const text = clean(step.output);
    const took = at === undefined || found?.at === undefined ? undefined : at - found.at;
    const exitCode = exitCodeOf(step.output);
    return entry(
      {
        kind: "tool-result",
        ...idOf(step),
        ...(found && { tool: found.tool, title: found.title }),
        text,
        bytes: Buffer.byteLength(step.output),
        lines: linesIn(text),
        failed: step.isError === true || (exitCode ?? 0) > 0,
        ...defined({ exitCode, tookMs: took }),
      },
      step,
    );
  };
  const other = (step: Step): LogEntry[] => {
    switch (step.kind) {
      case "tool_call":
        return [call(step)];
      case "tool_result":
        return [result(step)];
      case "error":
        return step.text.trim() === ""
          ? []
          : [entry({ kind: "error", text: clean(step.text) }, step)];
      case "loop_report":
        return [
          entry({ kind: "note", text: `the agent says it is looping: ${clean(step.text, 400)}` }),
        ];
      default: {
        const text = NOTES[step.kind];
        return text === undefined ? [] : [entry({ kind: "note", text }, step)];
      }
    }
  };
  const take = (piece: TranscriptPiece): LogEntry[] => {
    if (piece.kind === "words")
      return [...release(), entry({ kind: "output", text: clean(lastShown(piece.text)) })];
    if (piece.kind === "lost")
      return [...release(), entry({ kind: "note", text: LOST[piece.why] })];
    return piece.steps.flatMap((step) => {
      if (step.kind !== "message") return [...release(), ...other(step)];
      const told = say(step.channel === "thought" ? "thinking" : "message", step, step.text);
      return step.partial === true ? told : [...told, ...release()];
    });
  };
  return {
    /** `when`: the time these pieces were printed. */
    take(pieces: readonly TranscriptPiece[], when?: number): readonly LogEntry[] {
      at = when;
      return pieces.flatMap(take);
    },
    /** Returns text that was held back because it might continue. */
    release,
    entry,
  };
}

/** What a terminal finally shows of a line that was overwritten, as progress bars do. */
const lastShown = (line: string): string =>
  line.split("\r").findLast((part) => part.trim() !== "") ?? "";

const NOTES: { readonly [kind in Step["kind"]]?: string } = {
  compaction: "the agent compacted its context",
  stream_retry: "the answer broke off and is asked for again",
  wait: "the agent waits before it tries again",
};

const LOST = {
  "too long": "a line was too long to show: see --raw",
  "cut off": "the last line was cut off",
} as const;

const idOf = ({ id }: { readonly id?: string }): { id?: string } =>
  id === undefined || id === "" ? {} : { id: clean(cleanLine(id, MAX_TOOL)) };

function jsonOf(args: unknown): string {
  if (args === undefined) return "";
  return typeof args === "string" ? args : (JSON.stringify(args, null, 2) ?? "");
}

const PATHS = ["file_path", "path", "filePath", "file", "notebook_path", "filename", "target_file"];

/** The files a call writes, if its arguments name them. */
function filesOf(args: unknown): readonly string[] {
  const changes = isRecord(args) && Array.isArray(args["changes"]) ? args["changes"] : [];
  const named = [args, ...(changes as readonly unknown[])].flatMap((of) => {
    const path = isRecord(of) ? PATHS.map((name) => of[name]).find(isNamed) : undefined;
    return path ?? [];
  });
  return [...new Set(named)].slice(0, MAX_FILES).map((path) => clean(cleanLine(path, MAX_TITLE)));
}

const isNamed = (path: unknown): path is string => typeof path === "string" && path !== "";

const EXIT_CODE = /^\s{0,4}(?:error: )?(?:exit code:? |(?:process )?exited with code )(\d{1,3})\b/i;
const LATE_EXIT_CODE = /^exit code: (\d{1,3})$/im;

/** The exit code as most agents write it: in the first line, or in a later line of its own. */
function exitCodeOf(output: string): number | undefined {
  const found = EXIT_CODE.exec(output.slice(0, 200)) ?? LATE_EXIT_CODE.exec(output.slice(-2000));
  return found === null ? undefined : Number(found[1]);
}

function linesIn(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let from = text.indexOf("\n"); from >= 0; from = text.indexOf("\n", from + 1)) lines += 1;
  return lines;
}
