/**
 * The log of what runs now, over the live tree of a run: one key opens it, one leads back. It follows the run on the
 * terminal's other screen, so the tree and what was said above it stand there again afterwards. Invariants: the tree is
 * not drawn while it is open; the run is left alone; a key that it does not know changes nothing.
 */
import { readLogs, type LogHappening } from "../../operations/logs/read-logs.ts";
import { styled } from "../io.ts";
import { painted, type Styled } from "./line.ts";
import { transcriptScreen } from "./transcript.ts";

export interface LogOverlay {
  isOpen(): boolean;
  /** Whether this key was for the log. */
  press(key: string): boolean;
  stop(): void;
}

interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

interface Around {
  /** The run that is shown; nothing before it has begun. */
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
