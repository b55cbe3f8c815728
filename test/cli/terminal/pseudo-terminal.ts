/**
 * Runs a command on a real pseudo-terminal, types keys and reads its screen. The terminal is made by `script` of util-linux
 * (every Debian has it); that of macOS and the BSDs takes other options, so these tests are for Linux.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { LAUNCHER, QUICK } from "../command.ts";
import { screenReader } from "./screen-reader.ts";

/** Why there can be no pseudo-terminal here; false where there can. */
export const WITHOUT_TERMINAL: string | false = missing();

function missing(): string | false {
  if (process.platform !== "linux") return "the options of `script` are those of Linux";
  const { stdout } = spawnSync("script", ["--version"], { encoding: "utf8" });
  return /util-linux/.test(stdout ?? "") ? false : "there is no `script` of util-linux here";
}

export interface PseudoTerminal {
  /** Types these keys as a person would. */
  type(keys: string): void;
  /** Waits until the screen shows this, and answers with its text. */
  shows(words: RegExp): Promise<string>;
  /** Waits until it has written nothing for a while, or has ended. */
  settled(): Promise<void>;
  /** The lines on the screen and above it. */
  text(): string;
  /** As it came, escape codes and all. */
  raw(): string;
  /** Lines that did not fit. */
  wrapped(): readonly string[];
  resize(columns: number, rows: number): void;
  /** Waits until the command has ended by itself, and answers with its exit code. */
  ended(): Promise<number | null>;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Those that are open; a test that fails leaves its terminal here. */
const open = new Set<ChildProcess>();
after(() => {
  for (const child of open) child.kill("SIGKILL");
});

const PATIENCE_MS = 300_000;
const QUIET_MS = 300;
const LOOK_MS = 25;
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** `unstuck` with these arguments, on a terminal of this size. */
export function onTerminal(args: readonly string[], options: TerminalOptions): PseudoTerminal {
  const { cwd, columns = 80, rows = 24 } = options;
  // Where tests run unattended, Node takes every terminal for one without colours.
  const { CI: _, ...withoutCi } = process.env;
  const folder = mkdtempSync(join(tmpdir(), "unstuck-terminal-"));
  const device = join(folder, "device");
  const command = [process.execPath, ...QUICK, LAUNCHER, ...args].map(quoted).join(" ");
  const setUp = `stty rows ${rows} cols ${columns} echo sane && tty > ${quoted(device)}`;
  const child = spawn("script", ["-qfec", `${setUp} && exec ${command}`, "/dev/null"], {
    cwd,
    env: {
      ...withoutCi,
      TERM: "xterm-256color",
      NODE_OPTIONS: "",
      ...options.env,
      SHELL: "/bin/sh",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  open.add(child);
  const screen = screenReader(columns, rows);
  let raw = "";
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    raw += chunk;
    // An escape code may come in two parts.
    const text = rest + chunk;
    const cut = /\x1b(\[[\d;?]*)?$|\r$/.exec(text)?.index ?? text.length;
    rest = text.slice(cut);
    screen.write(text.slice(0, cut));
  });
  let isOver = false;
  const over = new Promise<number | null>((resolve) => child.on("close", resolve)).then((code) => {
    isOver = true;
    open.delete(child);
    rmSync(folder, { recursive: true, force: true });
    return code;
  });
  const inTime = async (isSo: () => boolean, what: string): Promise<void> => {
    for (const start = Date.now(); Date.now() - start < PATIENCE_MS;) {
      if (isSo()) return;
      if (isOver) break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    if (isSo()) return;
    child.kill("SIGKILL");
    assert.fail(`the screen never ${what}:\n${text()}`);
  };
  const text = (): string => screen.lines().join("\n");
  return {
    type: (keys) => void child.stdin.write(keys),
    async shows(words) {
      await inTime(() => words.test(text()), `showed ${String(words)}`);
      return text();
    },
    async settled() {
      for (let length = -1; length !== raw.length && !isOver;) {
        length = raw.length;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      }
    },
    text,
    raw: () => raw,
    wrapped: () => screen.wrapped(),
    resize(width, height) {
      screen.resize(width, height);
      const path = readFileSync(device, "utf8").trim();
      execFileSync("stty", ["-F", path, "rows", String(height), "cols", String(width)]);
    },
    async ended() {
      await inTime(() => isOver, "ended");
      return over;
    },
  };
}
