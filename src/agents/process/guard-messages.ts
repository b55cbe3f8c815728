/** The messages between owner and guard over the control pipe, one JSON object per line; anything else is dropped. */
import type { ProcessTrace } from "../../runtime/agent-result.ts";
import { parseFields } from "../output/json.ts";

export type ToGuard =
  | {
      readonly say: "start";
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      /** Named pipes for stdout and stderr, if several commands follow each other: the guard stays for the next one. */
      readonly pipes?: readonly [stdout: string, stderr: string];
    }
  | { readonly say: "signal"; readonly signal: "SIGINT" | "SIGTERM" | "SIGKILL" }
  | { readonly say: "sample" };

export type FromGuard =
  /** The first message: the guard runs and listens. */
  | { readonly say: "up" }
  /** It has opened the named pipes. */
  | { readonly say: "opened" }
  | { readonly say: "refused"; readonly errno: string; readonly detail: string }
  | { readonly say: "sampled"; readonly cpuMs: number }
  | {
      readonly say: "ended";
      readonly code: number | null;
      readonly signal: string | null;
      readonly leftBehind: number;
      readonly survivors: readonly ProcessTrace[];
    };

export const writeMessage = <Word extends object>(word: Word): string =>
  `${JSON.stringify(word)}\n`;

export function messageReader<Word>(onWord: (word: Word) => void): (chunk: string) => void {
  let parts: string[] = [];
  return (chunk) => {
    const lines = chunk.split("\n");
    parts.push(lines[0] ?? "");
    for (const line of lines.slice(1)) {
      const word = parseFields(parts.join(""));
      parts = [line];
      if (word !== undefined) onWord(word as Word);
    }
  };
}
