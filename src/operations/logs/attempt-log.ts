/**
 * The log of one attempt as entries: its start, what its agent did as far as it is recorded, its checks, and its end.
 * Invariants: bounded memory for any transcript; every text is sanitized and without secrets.
 */
import { join } from "node:path";
import { createTranscriptReader } from "../../agents/output/transcript.ts";
import { OUTPUT_FORMATS } from "../../agents/registry.ts";
import { checkExcerpt } from "../../core/excerpt/check-excerpt.ts";
import { cleanLine, cleanText } from "../../core/foreign-text.ts";
import type { AgentPlan } from "../../core/plan/run-plan.ts";
import type { CheckResult } from "../../core/run/check-result.ts";
import { noteText } from "../../core/run/note.ts";
import { defined } from "../operation.ts";
import { redact } from "../redaction.ts";
import type { LoggedAttempt } from "./attempt-book.ts";
import { createEntries } from "./entries.ts";
import type { PlacedEntry, TranscriptPlace } from "./log-place.ts";
import type { LogEntry } from "./schemas.ts";
import { transcriptFile } from "./transcript-file.ts";

export type AttemptLog = ReturnType<typeof attemptLog>;

export const attemptFolder = (
  runDir: string,
  { subtask, attempt }: Pick<LoggedAttempt, "subtask" | "attempt">,
): string => join(runDir, "attempts", encodeURIComponent(subtask), String(attempt));

/** The format of an agent's output; undefined if its first line decides. */
const formatOf = ({ adapter, format }: Partial<AgentPlan> = {}): string | undefined =>
  format ?? OUTPUT_FORMATS.find((one) => one === adapter);

export function attemptLog(folder: string, attempt: LoggedAttempt, agent: AgentPlan | undefined) {
  const file = transcriptFile(folder);
  const entries = createEntries(attempt);
  let reader = createTranscriptReader(formatOf(agent));
  let isEmpty = true;
  // Entries are counted from a byte after which nothing was held back.
  let from = 0;
  let told = 0;
  let passed = 0;
  const placed = (found: readonly LogEntry[]): readonly PlacedEntry[] =>
    found
      .map((entry): PlacedEntry => ({ entry, at: { bytes: from, entries: (told += 1) } }))
      .slice(Math.max(0, passed - told + found.length));
  const { subtask, attempt: number, startedAt, agent: name, model, recovery } = attempt;
  return {
    start: (): PlacedEntry => ({
      entry: {
        ...{ kind: "attempt-started", subtask, attempt: number, at: startedAt, agent: name },
        ...defined({ model, recovery }),
      },
      at: { bytes: 0, entries: 0 },
    }),
    /** Skips what was reported up to this place. */
    async passOver({ bytes, entries: already }: TranscriptPlace): Promise<void> {
      for await (const piece of file.read(bytes)) {
        isEmpty = false;
        entries.take(reader.push(piece.bytes), piece.at);
      }
      entries.release();
      from = file.place();
      passed = already;
    },
    /** How far it was reported. */
    place: (): TranscriptPlace => ({ bytes: from, entries: told }),
    /** Yields what was added since the last call. */
    async *news(): AsyncGenerator<readonly PlacedEntry[]> {
      for await (const { bytes, at, anew } of file.read()) {
        isEmpty = false;
        if (anew) {
          reader = createTranscriptReader(formatOf(agent));
          const note = entries.entry({ kind: "note", text: REPLACED });
          yield [...entries.release(), note].map((entry) => ({ entry }));
          from = told = passed = 0;
        }
        yield placed(entries.take(reader.push(bytes), at));
      }
      const words = placed(entries.release());
      passed = Math.max(0, passed - told);
      from = file.place();
      told = 0;
      // Entries that follow are counted from here.
      yield words.map(({ entry }) => ({ entry, at: { bytes: from, entries: 0 } }));
    },
    /** The entries of the last line, once no more output comes. */
    rest: (): readonly PlacedEntry[] =>
      placed([
        ...entries.take(reader.end()),
        ...entries.release(),
        ...(isEmpty ? [entries.entry({ kind: "note", text: NOTHING_PRINTED })] : []),
      ]),
    checks: (result: CheckResult, commands: readonly string[]): readonly PlacedEntry[] =>
      placed([entries.entry({ kind: "checks", ...checksTold(result, commands) })]),
    end: (): readonly PlacedEntry[] =>
      attempt.endedAt === undefined
        ? []
        : [
            {
              entry: {
                ...{ kind: "attempt-ended", subtask, attempt: number, at: attempt.endedAt },
                tookMs: Math.max(0, attempt.endedAt - startedAt),
                ...defined({ failure: attempt.failure && redact(attempt.failure) }),
              },
              at: "all",
            },
          ],
  };
}

const REPLACED = "the recorded output was replaced; it is read again from its start";
const NOTHING_PRINTED = "no output is recorded";

const MAX_ITEMS = 20;
const MAX_EXCERPT = 6000;

function checksTold(result: CheckResult, commands: readonly string[]) {
  const line = (text: string, most: number): string => redact(cleanLine(text, most));
  const checks = commands.map((command) => line(command, 400));
  if (result.kind === "passed") {
    const headline = (result.notes ?? []).map(noteText).join("; ");
    return {
      verdict: "passed" as const,
      checks,
      failing: [],
      headline: redact(headline),
      text: "",
    };
  }
  const { evidence } = result;
  const { command, message = "", stdout, stderr } = evidence;
  const excerpt = evidence.excerpt ?? checkExcerpt(defined({ command, stdout, stderr }));
  const failing = result.kind === "failed" ? result.failing : [];
  return {
    verdict: result.kind,
    checks: command === undefined ? checks : [line(command, 400)],
    failing: failing.slice(0, MAX_ITEMS).map((item) => line(item, 300)),
    headline: line(excerpt.headline || message, 300),
    text: redact(cleanText(excerpt.text || message, { maxChars: MAX_EXCERPT })),
  };
}
