/**
 * A run on a terminal: keeps the tree drawn at the end of the screen and prints noteworthy events permanently above it.
 * Invariants: every event is shown before the end, and nothing is drawn after it; a frame is one write and a line is
 * erased only to be rewritten, so nothing flickers; the alternate screen is not used, so printed lines stay in the
 * scroll-back; after a resize the old lines are found where the terminal wrapped them; at most one frame per FRAME_MS,
 * and drawing takes at most a tenth of the time, however large the run is.
 */
import type { RunHappening } from "../../operations/follow/follow.ts";
import type { RunView } from "../../operations/follow/run-lines.ts";
import { redact } from "../../operations/redaction.ts";
import { styled } from "../io.ts";
import { runQuestions } from "./panel-driver.ts";
import { fitted, lineWidth, painted, type Styled } from "./line.ts";
import { ownsTerminal, readKeys, type Key } from "./keys.ts";
import { logOverlay } from "./log-key.ts";
import { treeLines } from "./tree.ts";
import type { Line } from "../../operations/text.ts";

export interface RunScreen {
  take(happening: RunHappening): void;
  say(words: string): void;
  /** Leaves the tree on the screen if the run continues elsewhere; otherwise the caller shows its card. */
  end(goesOn?: boolean): void;
}

/** Whether lines can be redrawn: not on a dumb terminal, nor for a screen reader, which would read them again. */
export const hasScreen = (): boolean =>
  process.stdout.isTTY &&
  process.env["TERM"] !== "dumb" &&
  (process.env["UNSTUCK_SCREEN_READER"] ?? "") === "";

/** A terminal that reports changes of its size. */
interface ResizingTerminal extends Terminal {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Shown only in the tree: work in progress and waiting. Failures, choices and ends are printed permanently. */
const IN_TREE: ReadonlySet<string> = new Set([
  "attempt-dispatched",
  "checks-dispatched",
  "wait-scheduled",
  "run-ended",
]);

/** With `onLeave`, questions can be answered here; it is called when the user does not want to. */
export function runScreen(
  terminal: ResizingTerminal = process.stdout,
  onLeave?: () => void,
): RunScreen {
  const screen = liveScreen(terminal, styled);
  let view: (() => RunView) | undefined;
  let said: string[] = [];
  const tree = (below: number) => {
    const { columns, rows } = screen.size();
    const size = { columns, rows: rows - below };
    const shown = view?.();
    if (shown === undefined) return [];
    questions?.look(shown);
    return questions?.lines(size) ?? treeLines(shown, size, Date.now(), questions !== undefined);
  };
  const frames = frameTimer(() => {
    if (questions?.isLent() === true || log.isOpen()) return;
    screen.frame(said, hasHint() ? [...tree(2), ...hint()] : tree(1));
    said = [];
  });
  const log = logOverlay(terminal, { run: () => view?.().run, onClose: frames.soon });
  const hasHint = (): boolean =>
    keys !== undefined && view !== undefined && questions?.isOpen() !== true;
  const hint = (): readonly Line[] => [[["  l: what the agent does", "dim"]]];
  const press = (pressed: readonly Key[]): void => {
    const isForLog = ({ name, text }: Key): boolean => log.press(name === "escape" ? "\x1b" : text);
    if (questions?.isOpen() === true && !log.isOpen()) return questions.press(pressed);
    const rest = pressed.filter((key) => !isForLog(key));
    if (rest.length > 0) questions?.press(rest);
  };
  const keys =
    terminal === process.stdout && ownsTerminal() ? readKeys(press, () => onLeave?.()) : undefined;
  terminal.on("resize", frames.soon);
  const onScreen = {
    erase: () => screen.frame([], []),
    redraw: frames.soon,
    say: (lines: readonly Line[]) => void said.push(...lines.map((line) => painted(line, styled))),
    columns: () => screen.size().columns,
  };
  const questions =
    keys === undefined || onLeave === undefined ? undefined : runQuestions(onScreen, keys, onLeave);
  return {
    take(happening) {
      if (happening.kind === "changed") ({ view } = happening);
      else if (happening.kind === "recorded" && !IN_TREE.has(happening.event.kind)) {
        const { line } = happening;
        if (line !== undefined) said.push(painted(fitted(line, screen.size().columns), styled));
      }
      frames.soon();
    },
    say(words) {
      said.push(redact(words));
      frames.soon();
    },
    end(goesOn = false) {
      keys?.stop();
      log.stop();
      frames.stop();
      terminal.off("resize", frames.soon);
      const last = view?.();
      const lines = goesOn && last !== undefined && last.phase !== "ended" ? tree(2) : [];
      screen.frame([...said, ...lines.map((line) => painted(line, styled))], []);
      said = [];
    },
  };
}

interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Erases the whole line: if only its end were erased, the terminal would count the blanks when it rewraps lines. */
const ERASE_LINE = "\x1b[2K";

const ERASE_BELOW = "\x1b[J";

const DEFAULT_COLUMNS = 80;

const DEFAULT_ROWS = 24;

export function liveScreen(terminal: Terminal, styled: Styled) {
  let before: readonly Line[] = [];
  let shown = "";
  const size = () => ({
    columns: terminal.columns || DEFAULT_COLUMNS,
    rows: terminal.rows || DEFAULT_ROWS,
  });
  return {
    size,
    /** Prints lines permanently and draws the others below them. */
    frame(said: readonly string[], drawn: readonly Line[]): void {
      const { columns, rows } = size();
      const paintedLines = drawn.map((line) => painted(line, styled));
      const text = paintedLines.join("\n");
      if (said.length === 0 && text === shown && drawn.length === before.length) return;
      const taken = before.reduce(
        (sum, line) => sum + Math.max(1, Math.ceil(lineWidth(line) / columns)),
        0,
      );
      const up = Math.min(taken, rows - 1);
      const body = [...said, ...paintedLines].map((line) => `${ERASE_LINE}${line}\n`).join("");
      terminal.write(`${up === 0 ? "" : `\x1b[${up}A`}\r${body}${ERASE_BELOW}`);
      before = drawn;
      shown = text;
    },
  };
}

const FRAME_MS = 120;

const COST_FACTOR = 10;

export function frameTimer(draw: () => void) {
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
    soon: (): void => {
      if (!isOver) next ??= setTimeout(frame, delay);
    },
    stop: (): void => {
      isOver = true;
      clearTimeout(next);
    },
  };
}
