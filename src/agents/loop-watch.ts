/**
 * The stuck watch on a running agent's output. Imports the transcript watch and the stuck watch.
 * Standard output is read in the agent's own format where the plan names one; else its first line tells whether it is steps;
 * plain words are taken as one long message. Speaks only when the verdict gets worse.
 */
import { createStuckWatch } from "../core/stuck/stuck-watch.ts";
import type { LoopWatch } from "../runtime/loop-watch.ts";
import type { TranscriptFormat } from "./transcripts/transcript.ts";
import { createTranscriptWatch } from "./transcripts/transcript-watch.ts";

export function outputWatch(format: TranscriptFormat | undefined): LoopWatch {
  let watch = format === undefined ? undefined : createTranscriptWatch(format);
  return (output) => {
    if (output.stream !== "stdout" || output.text === "") return undefined;
    watch ??= isSteps(output.text) ? createTranscriptWatch("steps") : wordsWatch();
    return watch(output);
  };
}

function wordsWatch(): LoopWatch {
  const watch = createStuckWatch();
  let told = false;
  return ({ text }) => {
    const { level, pattern, reason, nudge } = watch.step({ kind: "message", text, partial: true });
    if (told || level === "none") return undefined;
    told = level === "stuck";
    return { level, pattern: reason ?? pattern ?? "chanting", words: nudge ?? "" };
  };
}

/** Steps of our own are known by their `kind`; other agents' formats have to be named in the plan. */
function isSteps(text: string): boolean {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  if (!line.startsWith("{")) return false;
  try {
    return typeof (JSON.parse(line) as { kind?: unknown }).kind === "string";
  } catch {
    return false;
  }
}
