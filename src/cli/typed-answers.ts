/** What a user types at a terminal: a yes or no, or lines of text. */
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

/** Pasted text arrives as several lines at once: they are one answer, not several. */
const PASTE_MS = 40;

/** Reads typed answers; lines typed before a prompt are ignored; undefined once input has ended. */
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
