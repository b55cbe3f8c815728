/** Asks a person at a terminal for a yes; anything else is a no. */
import { createInterface } from "node:readline/promises";

export const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

export async function isAgreed(question: string): Promise<boolean> {
  const reading = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await reading.question(`${question} [y/N] `)).trim());
  } finally {
    reading.close();
  }
}
