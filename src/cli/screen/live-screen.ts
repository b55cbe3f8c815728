/**
 * Draws lines at the end of the terminal again and again, in place; what is said for good goes above them.
 * Invariants: one write for a frame and a line is erased only to be written again, so nothing flickers; no other
 * screen is used, so what was said stays in the scroll-back; after a resize the old lines are found where the
 * terminal wrapped them; frames are never drawn twice at once, and take no more than a tenth of the time.
 */
import { lineWidth, painted } from "./line.ts";
import type { Line } from "../../operations/text.ts";
import type { Styled } from "./line.ts";

export interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

interface LiveScreen {
  size(): { readonly columns: number; readonly rows: number };
  /** Says lines for good and draws the others below them. */
  frame(said: readonly string[], drawn: readonly Line[]): void;
}

/** The whole line: a terminal that only had its end erased counts the blanks when it wraps lines anew. */
const ERASE_LINE = "\x1b[2K";
const ERASE_BELOW = "\x1b[J";
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

export function liveScreen(terminal: Terminal, styled: Styled): LiveScreen {
  let before: readonly Line[] = [];
  let shown = "";
  const size = () => ({
    columns: terminal.columns || DEFAULT_COLUMNS,
    rows: terminal.rows || DEFAULT_ROWS,
  });
  return {
    size,
    frame(said, drawn) {
      const { columns, rows } = size();
      const text = drawn.map((line) => painted(line, styled)).join("\n");
      if (said.length === 0 && text === shown && drawn.length === before.length) return;
      const taken = before.reduce(
        (sum, line) => sum + Math.max(1, Math.ceil(lineWidth(line) / columns)),
        0,
      );
      const up = Math.min(taken, rows - 1);
      const lines = [...said, ...drawn.map((line) => painted(line, styled))];
      const body = lines.map((line) => `${ERASE_LINE}${line}\n`).join("");
      terminal.write(`${up === 0 ? "" : `\x1b[${up}A`}\r${body}${ERASE_BELOW}`);
      before = drawn;
      shown = text;
    },
  };
}

const FRAME_MS = 120;
const COST_FACTOR = 10;

interface FrameTimer {
  readonly soon: () => void;
  readonly stop: () => void;
}

export function frameTimer(draw: () => void): FrameTimer {
  let next: NodeJS.Timeout | undefined;
  let delay = FRAME_MS;
  let isOver = false;
  const frame = (): void => {
    next = undefined;
    const began = performance.now();
    draw();
    delay = Math.max(FRAME_MS, COST_FACTOR * (performance.now() - began));
  };
  return {
    soon() {
      if (!isOver) next ??= setTimeout(frame, delay);
    },
    stop() {
      isOver = true;
      clearTimeout(next);
    },
  };
}
