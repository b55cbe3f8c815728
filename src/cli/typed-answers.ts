/** What a person types at a terminal: a yes or no, or lines of their own. */
import { createInterface } from "node:readline";

export const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** Anything but a yes is a no. */
export async function isAgreed(question: string): Promise<boolean> {
  const reading = typedLines();
  try {
    return /^y(?:es)?$/i.test((await reading.ask(`${question} [y/N] `))?.trim() ?? "");
  } finally {
    reading.close();
  }
}

/** Enter is a yes; the end of input is a no. */
export async function isWanted(question: string): Promise<boolean> {
  const reading = typedLines();
  try {
    return /^(?:y(?:es)?)?$/i.test((await reading.ask(`${question} [Y/n] `))?.trim() ?? "no");
  } finally {
    reading.close();
  }
}

/** A pasted text comes as lines in one go: they are one answer, not several. */
const PASTE_MS = 40;

/** Answers as they are typed; what is typed before it is asked for is passed over; nothing once input has ended. */
export function typedLines() {
  const reading = createInterface({ input: process.stdin, output: process.stdout });
  let closed = false;
  let lines: string[] | undefined;
  let settle = (): void => {};
  reading.on("line", (line) => {
    lines?.push(line);
    if (lines?.length === 1) setTimeout(settle, PASTE_MS);
  });
  reading.on("close", () => {
    closed = true;
    settle();
  });
  return {
    ask: async (prompt: string): Promise<string | undefined> => {
      if (closed) return undefined;
      lines = [];
      reading.setPrompt(prompt);
      reading.prompt();
      await new Promise<void>((resolve) => (settle = resolve));
      const typed = lines;
      lines = undefined;
      return typed.length === 0 ? undefined : typed.join("\n");
    },
    close: () => reading.close(),
  };
}
