/**
 * The stuck detector on a running agent's output. Imports the transcript readers, the detector and the port.
 * Standard output is read in the agent's own format where the plan names one; else its first line tells whether it is JSON of
 * a known kind; plain words are taken as one long message. Speaks only when the verdict gets worse.
 */
import { createStuckDetector } from "../core/stuck/detector.ts";
import type { Step } from "../core/stuck/step.ts";
import type { Level, Verdict } from "../core/stuck/verdict.ts";
import type { LoopVerdict, LoopWatch } from "../runtime/loop-watch.ts";
import { createTranscriptReader } from "./transcripts/transcript.ts";
import type { TranscriptFormat } from "./transcripts/transcript.ts";

const WORSE: Readonly<Record<Level, number>> = { none: 0, nudge: 1, stuck: 2 };

export function outputWatch(format: TranscriptFormat | undefined): LoopWatch {
  const detector = createStuckDetector();
  let read: ((text: string) => readonly Step[]) | undefined;
  let told: Level = "none";
  return ({ stream, text }) => {
    if (stream !== "stdout" || text === "") return undefined;
    read ??= readerFor(format ?? formatOf(text));
    let found: LoopVerdict | undefined;
    for (const step of read(text)) {
      const verdict = detector.step(step);
      if (WORSE[verdict.level] <= WORSE[told]) continue;
      told = verdict.level;
      found = wordsOf(verdict) ?? found;
    }
    return found;
  };
}

function wordsOf({ level, pattern, reason, nudge }: Verdict): LoopVerdict | undefined {
  if (level === "none") return undefined;
  return { level, pattern: reason ?? pattern ?? "loop", words: nudge ?? reason ?? "" };
}

function readerFor(format: TranscriptFormat | undefined): (text: string) => readonly Step[] {
  if (format === undefined) return (text) => [{ kind: "message", text, partial: true }];
  const reader = createTranscriptReader(format);
  return (text) => reader.push(text).steps.map(({ step }) => step);
}

/** Steps of our own are known by their `kind`; other agents' formats have to be named in the plan. */
function formatOf(text: string): TranscriptFormat | undefined {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  if (!line.startsWith("{")) return undefined;
  try {
    const { kind } = JSON.parse(line) as { kind?: unknown };
    return typeof kind === "string" ? "steps" : undefined;
  } catch {
    return undefined;
  }
}
