import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { liveScreen } from "../../../src/cli/screen/run-screen.ts";
import type { Line } from "../../../src/operations/text.ts";

/** Understands just what the screen writes; wraps at its width and never scrolls away. */
function emulator(columns: number) {
  const lines: string[] = [""];
  let row = 0;
  let writes = 0;
  return {
    columns,
    rows: 1000,
    lines: () => lines.slice(0, -1),
    writes: () => writes,
    write(text: string) {
      writes += 1;
      for (const [token] of text.matchAll(/\x1b\[(\d*)([AKJ])|\r|\n|[^\x1b\r\n]+/g)) {
        const [, count, code] = /\x1b\[(\d*)([AKJ])/.exec(token) ?? [];
        if (code === "A") row = Math.max(0, row - Number(count));
        else if (code === "K") lines[row] = "";
        else if (code === "J") lines.splice(row, lines.length, "");
        else if (token === "\n") lines[(row += 1)] ??= "";
        else if (token !== "\r")
          for (const char of token) {
            if ((lines[row] ?? "").length === columns) lines[(row += 1)] = "";
            lines[row] += char;
          }
      }
    },
  };
}

const asDrawn = (lines: readonly string[]): readonly Line[] => lines.map((line) => [[line]]);
const word = fc.stringMatching(/^[a-z]{0,10}$/);
const frames = fc.array(fc.record({ said: fc.array(word), drawn: fc.array(word) }));

test("after any frames: everything said once and in order, then the last drawing, and nothing else", () => {
  fc.assert(
    fc.property(frames, (all) => {
      const terminal = emulator(10);
      const screen = liveScreen(terminal, (_, text) => text);
      for (const { said, drawn } of all) screen.frame(said, asDrawn(drawn));
      const expected = [...all.flatMap(({ said }) => said), ...(all.at(-1)?.drawn ?? [])];
      assert.deepEqual(terminal.lines(), expected);
    }),
  );
});

test("one write for a frame, none where nothing changed", () => {
  const terminal = emulator(80);
  const screen = liveScreen(terminal, (_, text) => text);
  screen.frame([], asDrawn(["a", "b"]));
  screen.frame([], asDrawn(["a", "b"]));
  assert.equal(terminal.writes(), 1);
  screen.frame([], asDrawn(["a", "c"]));
  assert.equal(terminal.writes(), 2);
});

test("after a resize the old lines are found where the terminal wrapped them", () => {
  const written: string[] = [];
  const terminal = { columns: 20, rows: 10, write: (text: string) => written.push(text) };
  const screen = liveScreen(terminal, (_, text) => text);
  screen.frame([], asDrawn(["x".repeat(20), "y"]));
  terminal.columns = 9;
  screen.frame([], asDrawn(["z"]));
  assert.match(written.at(-1) ?? "", /^\x1b\[4A/, "three rows of x, one of y");
  terminal.rows = 1;
  terminal.columns = 1;
  screen.frame([], asDrawn(["z", "z"]));
  assert.doesNotMatch(written.at(-1) ?? "", /\x1b\[\d+A/, "never above the screen");
});
