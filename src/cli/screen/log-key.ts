/**
 * One key that opens the log of a run: after a command's output, and over the live tree of a run, where another key
 * leads back. Invariants: scripts never wait for a key, and a terminal waits only for a while; the log uses the
 * terminal's alternate screen, so the previous content comes back; meanwhile the tree is not drawn and the run is not
 * affected.
 */
import { styled, textColumns } from "../io.ts";
import { mayPage } from "../pager.ts";
import { showLog } from "./carry-out.ts";
import { ownsTerminal, readKeys } from "./keys.ts";
import { fitted, painted, type Styled } from "./line.ts";
import { readLogs, type LogHappening } from "../../operations/logs/read-logs.ts";
import { transcriptScreen } from "./transcript.ts";

/** Long enough to read a card; an unattended terminal gets its prompt back. */
const WAIT_MS = 30_000;

export async function offerLog(run: string): Promise<void> {
  if (!mayPage() || !ownsTerminal()) return;
  const { stdout } = process;
  const words = fitted([["l log · any other key quits", "dim"]], textColumns());
  // Start reading first: keys typed earlier would be echoed by the terminal.
  const pressed = nextKey();
  stdout.write(`\n${painted(words, styled)}`);
  const key = await pressed;
  stdout.write("\r\x1b[K\x1b[A");
  if (key === "l") await showLog(run, "");
}

/** The typed text; undefined for a key without text or after the time-out. */
async function nextKey(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const leave = (): void => resolve(undefined);
  const keys = readKeys(([key]) => resolve(key?.text), leave);
  const late = setTimeout(leave, WAIT_MS);
  process.on("SIGINT", leave).on("SIGTERM", leave);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    process.off("SIGINT", leave).off("SIGTERM", leave);
    keys.stop();
  }
}

interface LogOverlay {
  isOpen(): boolean;
  /** Returns whether the key was for the log. */
  press(key: string): boolean;
  stop(): void;
}

interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

interface Around {
  /** The run that is shown; undefined before it has begun. */
  readonly run: () => string | undefined;
  /** The tree may be drawn again. */
  readonly onClose: () => void;
  readonly paint?: Styled;
}

const OPEN = "\x1b[?1049h\x1b[H\x1b[J";
const CLOSE = "\x1b[?1049l";
const BACK: ReadonlySet<string> = new Set(["q", "l", "\x1b"]);
const DEFAULT_ROWS = 24;
const DEFAULT_COLUMNS = 80;

export function logOverlay(
  terminal: Terminal,
  { run, onClose, paint = styled }: Around,
): LogOverlay {
  let reading: AbortController | undefined;
  const say = (words: string): void => {
    terminal.write(`${painted([[words, "dim"]], paint)}\n`);
  };
  const open = (id: string): void => {
    const ending = new AbortController();
    const { signal } = ending;
    const { columns = DEFAULT_COLUMNS, rows = DEFAULT_ROWS } = terminal;
    const screen = transcriptScreen({ columns, styled: paint, full: false });
    const on = (happening: LogHappening): void => {
      if (!signal.aborted && happening.kind === "entry")
        terminal.write(screen.take(happening.entry));
    };
    reading = ending;
    terminal.write(OPEN);
    say("q: back to the run");
    const input = { run: id, follow: true, tail: rows };
    void readLogs.run({ cwd: process.cwd(), signal }, input, on).then((result) => {
      if (signal.aborted) return;
      terminal.write(screen.end());
      say(result.ok ? "q: back to the run" : result.problem.message);
    });
  };
  const close = (): void => {
    reading?.abort();
    reading = undefined;
    terminal.write(CLOSE);
  };
  return {
    isOpen: () => reading !== undefined,
    press(key) {
      if (reading !== undefined) {
        if (BACK.has(key)) {
          close();
          onClose();
        }
        return true;
      }
      const id = key === "l" ? run() : undefined;
      if (id !== undefined) open(id);
      return id !== undefined;
    },
    stop() {
      if (reading !== undefined) close();
    },
  };
}
