/**
 * The log of an attempt as a stream: entries arrive in pieces and, while the attempt runs, as they happen. Invariant:
 * however much arrives at once, the page can draw in between.
 */
import { addressOf, ask, ProblemError, type Problem } from "./client.ts";
import type { LogEntry, Reads } from "./operations.ts";

/** Well below what a person notices. */
const SLICE_MS = 12;

/** Ends when no more entries come. */
export async function streamLog(
  input: Reads["logs"]["input"],
  take: (entries: readonly LogEntry[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  const response = await ask(addressOf("logs", input), {
    headers: { accept: "text/event-stream" },
    ...(signal === undefined ? {} : { signal }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let began = performance.now();
  for (;;) {
    const { value = "", done } = (await reader?.read()) ?? { done: true };
    const blocks = `${rest}${value}`.split("\n\n");
    rest = done ? "" : (blocks.pop() ?? "");
    const entries = blocks.flatMap(entryOf);
    if (entries.length > 0) take(entries);
    if (done) return;
    if (performance.now() - began > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
  }
}

function entryOf(block: string): readonly LogEntry[] {
  const event = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (data === undefined) return [];
  if (event === "problem")
    throw new ProblemError((JSON.parse(data) as { readonly problem: Problem }).problem);
  return event === "happening" ? [(JSON.parse(data) as { readonly entry: LogEntry }).entry] : [];
}

/** The whole log at once, for one known to be short. */
export async function readLog(input: Reads["logs"]["input"]): Promise<readonly LogEntry[]> {
  const all: LogEntry[] = [];
  await streamLog(input, (entries) => all.push(...entries));
  return all;
}
