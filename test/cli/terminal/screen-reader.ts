/**
 * Reads what a program writes to a terminal as a person sees it: lines, a cursor, what was erased, where the terminal had to
 * wrap. Knows what the commands and Node's line editor write, and throws on anything else, so that nothing is missed.
 */
import { textWidth } from "../../../src/cli/screen/line.ts";

export interface ScreenReader {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** All lines from the first on, scrolled away or not. */
  lines(): readonly string[];
  /** The lines that were too wide for the terminal when they were written. */
  wrapped(): readonly string[];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const TOKEN = /\x1b\[(\??[\d;]*)([A-Za-z])|\x1b[=>]|\x1b|\r\n|[\r\n\x07\x08]|[^\x1b\r\n\x07\x08]+/g;

interface Line {
  cells: string[];
}

export function screenReader(columns: number, rows: number): ScreenReader {
  const lines: Line[] = [{ cells: [] }];
  const wrapped: string[] = [];
  const size = { columns, rows };
  let row = 0;
  let column = 0;
  const current = (): Line => (lines[row] ??= { cells: [] });
  const down = (): void => {
    row += 1;
    current();
  };
  const print = (text: string): void => {
    for (const { segment } of graphemes.segment(text)) {
      const width = textWidth(segment);
      if (column + width > size.columns) {
        wrapped.push(shown(current()) + text);
        down();
        column = 0;
      }
      const { cells } = current();
      while (cells.length < column) cells.push(" ");
      cells.splice(column, width, segment, ...Array<string>(Math.max(0, width - 1)).fill(""));
      column += width;
    }
  };
  let main: { readonly lines: Line[]; readonly row: number; readonly column: number } | undefined;
  const otherScreen = (isOn: boolean): void => {
    if (isOn) main ??= { lines: lines.splice(0), row, column };
    else if (main !== undefined) lines.splice(0, lines.length, ...main.lines);
    [row, column] = isOn || main === undefined ? [0, 0] : [main.row, main.column];
    if (!isOn) main = undefined;
    current();
  };
  const obey = (code: string, argument: string): void => {
    const number = Number(argument || 1);
    const top = Math.max(0, lines.length - size.rows);
    if (code === "m") return;
    // Modes of the keyboard and of pasting, as pagers set them; the other screen is begun anew and taken away again.
    if (code === "h" || code === "l") {
      if (argument === "?1049") otherScreen(code === "h");
      return;
    }
    if (code === "A") row = Math.max(top, row - number);
    else if (code === "B") row = Math.min(lines.length - 1, row + number);
    else if (code === "C") column += number;
    else if (code === "D") column = Math.max(0, column - number);
    else if (code === "G") column = number - 1;
    else if (code === "H") [row, column] = [top, 0];
    else if (code === "K" && argument === "2") current().cells = [];
    else if (code === "K" || code === "J") {
      current().cells.splice(column);
      if (code === "J") lines.splice(row + 1);
    } else throw new Error(`the screen reader does not know ESC[${argument}${code}`);
  };
  return {
    write(text) {
      for (const [token, argument = "", code] of text.matchAll(TOKEN)) {
        if (code !== undefined) obey(code, argument);
        else if (token === "\x1b") throw new Error("an escape code in parts");
        else if (token === "\r\n") {
          down();
          column = 0;
        } else if (token === "\n") down();
        else if (token === "\r") column = 0;
        else if (token === "\x08") column = Math.max(0, column - 1);
        else if (token !== "\x07" && !token.startsWith("\x1b")) print(token);
      }
    },
    resize(columns, rows) {
      Object.assign(size, { columns, rows });
    },
    lines: () => lines.map(shown),
    wrapped: () => wrapped,
  };
}

const shown = ({ cells }: Line): string => cells.join("").trimEnd();
