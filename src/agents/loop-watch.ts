/**
 * The stuck watch on a running agent's output. Standard output is read in the agent's own format where it is
 * known; else its first line tells whether it is steps or other JSON lines; plain words are taken as one long
 * message. Speaks only when the verdict gets worse.
 */
import { createStuckWatch } from "../core/stuck/stuck-watch.ts";
import type { LoopWatch } from "../runtime/loop-watch.ts";
import { createSniffer } from "./transcripts/sniff.ts";
import type { SniffedFormat } from "./transcripts/sniff.ts";
import { createTranscriptWatch } from "./transcripts/transcript-watch.ts";

export function outputWatch(format: SniffedFormat | undefined): LoopWatch {
  const sniffer = createSniffer();
  let watch = format === undefined ? undefined : createTranscriptWatch(format);
  return (output) => {
    if (output.stream !== "stdout" || output.text === "") return undefined;
    if (watch !== undefined) return watch(output);
    const told = sniffer.push(output.text);
    if (told === undefined) return undefined;
    watch = told.format === undefined ? wordsWatch() : createTranscriptWatch(told.format);
    return watch({ ...output, text: told.held });
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
