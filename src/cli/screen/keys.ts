/**
 * Keys as they are pressed on a terminal. Invariants: the terminal is restored as it was found, even if the process is
 * suspended and continued; in the background nothing is read, so the shell's input stays with the shell; Ctrl-C, Ctrl-Z
 * and Ctrl-\ work as usual.
 */
import { readFileSync } from "node:fs";

export interface Key {
  /** `text`: set if the key types text into a line. */
  readonly name: KeyName;
  readonly text: string;
}

export type KeyName =
  | "text"
  | "enter"
  | "escape"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "backspace"
  | "delete"
  | "erase-line"
  | "erase-word"
  | "end-of-input"
  | "interrupt"
  | "suspend"
  | "quit"
  | "unknown";

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\x1b": "escape",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x01": "home",
  "\x05": "end",
  "\x15": "erase-line",
  "\x17": "erase-word",
  "\x04": "end-of-input",
  "\x03": "interrupt",
  "\x1a": "suspend",
  "\x1c": "quit",
};

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "5~": "page-up",
  "6~": "page-down",
};

const KEY = /\x1b(?:\[|O)([\d;]{0,10}[A-Za-z~])|\x1b[^\x1b[O]?|[^\x1b]/gu;

/** The keys in one read of the terminal: mostly one, more when something is pasted. */
export const keysIn = (chunk: string): readonly Key[] =>
  [...chunk.matchAll(KEY)].map(([text, sequence]) => {
    if (sequence !== undefined) return { name: SEQUENCES[sequence] ?? "unknown", text: "" };
    const name = CONTROLS[text];
    if (name !== undefined) return { name, text: name === "enter" ? "\n" : "" };
    return text.startsWith("\x1b") || /\p{Cc}/u.test(text)
      ? { name: "unknown", text: "" }
      : { name: "text", text };
  });

export interface KeyReader {
  /** Gives the terminal to another program until `body` is done. */
  lend<T>(body: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Whether this process may read the terminal: a background process would be stopped for reading. */
export function ownsTerminal(): boolean {
  if (!process.stdin.isTTY) return false;
  try {
    // pid (name) state ppid pgrp session tty tpgid
    const [, , group, , , front] = readFileSync("/proc/self/stat", "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return group === front;
  } catch {
    return true;
  }
}

/** `onKeys` receives the keys of one read; `onGone` is called when no input can come any more. */
export function readKeys(
  onKeys: (keys: readonly Key[]) => void,
  onGone: () => void = () => undefined,
): KeyReader {
  const { stdin } = process;
  let isLent = false;
  const take = (): void => {
    if (isLent || !ownsTerminal()) return;
    stdin.setRawMode(true);
    stdin.resume();
  };
  const give = (): void => {
    stdin.pause();
    if (ownsTerminal()) stdin.setRawMode(false);
  };
  const onData = (chunk: string): void => {
    const keys = keysIn(chunk);
    const signal = keys.map(({ name }) => SIGNALS[name]).find((each) => each !== undefined);
    if (signal === "SIGINT" && process.listenerCount("SIGINT") > 0)
      process.emit("SIGINT", "SIGINT");
    else if (signal !== undefined) {
      give();
      // Like the terminal does: to the whole job.
      process.kill(signal === "SIGTSTP" ? 0 : process.pid, signal);
    } else onKeys(keys);
  };
  stdin.setEncoding("utf8").on("data", onData).on("end", onGone).on("error", onGone);
  process.on("SIGCONT", take);
  take();
  return {
    async lend(body) {
      isLent = true;
      give();
      try {
        return await body();
      } finally {
        isLent = false;
        take();
      }
    },
    stop() {
      stdin.off("data", onData).off("end", onGone).off("error", onGone);
      process.off("SIGCONT", take);
      give();
    },
  };
}

const SIGNALS: { readonly [name in KeyName]?: NodeJS.Signals } = {
  interrupt: "SIGINT",
  suspend: "SIGTSTP",
  quit: "SIGQUIT",
};
