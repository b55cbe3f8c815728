/**
 * Undoes hard wrapping: logs written through a narrow console break words in two, so no line holds a whole
 * message. Invariant: output is never longer than the input.
 */

const WIDEST = 132;
const FEWEST_LINES = 5;

/** The text with its wrapped lines joined again, or nothing if it does not look wrapped. */
export function unwrapped(text: string): string | undefined {
  const lines = text.split("\n");
  if (lines.length < FEWEST_LINES) return undefined;
  const width = commonWidth(lines);
  if (width === undefined) return undefined;
  let joined = "";
  for (const line of lines) {
    joined += line;
    if (line.trim() === "" || line.length < width * 0.55) joined += "\n";
  }
  return joined;
}

/** The longest line, if many lines come close to it and none is wider than a console. */
function commonWidth(lines: readonly string[]): number | undefined {
  let longest = 0;
  for (const line of lines) longest = Math.max(longest, line.length);
  if (longest > WIDEST || longest < 16) return undefined;
  const filled = lines.filter((line) => line.trim() !== "");
  const full = filled.filter((line) => line.length > longest * 0.7).length;
  return full >= 3 && full >= filled.length * 0.3 ? longest : undefined;
}
