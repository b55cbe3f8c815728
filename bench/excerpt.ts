/**
 * The cost of reading a failed check's output, compared with splitting the same text into lines: for typical check
 * output and for hostile text, 1 MB each. Exits 1 if typical output costs more than 30 splits, or a long hostile text
 * costs more per byte than a short one.
 */
import { checkExcerpt } from "../src/core/excerpt/check-excerpt.ts";

const GOAL = 30;
/** Compared with the same work in the same process; more than noise. */
const GOAL_GROWTH = 2;
const BYTES = 1024 * 1024;
const ROUNDS = 7;

const filled =
  (line: (at: number) => string) =>
  (bytes: number): string => {
    const lines: string[] = [];
    for (let at = 0, length = 0; length < bytes; at += 1) {
      const text = line(at);
      lines.push(text);
      length += text.length + 1;
    }
    // Memory of its own, as if read from a pipe.
    return Buffer.from(lines.join("\n").slice(0, bytes)).toString("utf8");
  };

const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  "passing tests, one failure": filled((at) =>
    at % 900 === 450
      ? `✖ takes the discount off ${at} (0.2ms)\n  AssertionError: expected 90 to be ${at}\n      at t (/repo/test/a.test.js:${at % 90}:3)`
      : `✔ adds row ${at} of the table (0.${at % 90}ms)`,
  ),
  "verbose pytest": filled((at) =>
    at % 500 === 7
      ? `FAILED tests/test_a.py::test_${at} - assert ${at} == 3`
      : `tests/test_a.py::test_cell[${at}] PASSED                  [ ${at % 100}%]`,
  ),
  "log of an application": filled(
    (at) =>
      `2026-11-15T02:37:${10 + (at % 50)}Z INFO worker-${at % 7} took batch ${at} in ${at % 97}ms`,
  ),
};

const repeated =
  (piece: string) =>
  (bytes: number): string =>
    piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

const HOSTILE: Readonly<Record<string, (bytes: number) => string>> = {
  "one endless word": repeated("a"),
  "one endless line of errors": repeated("Error: "),
  "nothing but failures": filled((at) => `✖ test ${at} (1ms)\n  Error: no ${at}`),
  "failures of one name in many files": filled(
    (at) => `FAIL test/f${at}.test.ts > works\nError: ${at}`,
  ),
  "nothing but places": filled((at) => `    at f (src/a${at}.js:${at}:1)`),
  "nothing but rules": repeated("=== - ___ ---\n"),
  spaces: repeated(" "),
  brackets: repeated("[(["),
  colons: repeated("a.b:1:"),
  escapes: repeated("\u001b[31m\u001b]0;"),
  returns: repeated("10% done\r"),
};

/** Processor time, so that other work on the machine does not count; the minimum of several rounds. */
function milliseconds(work: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

let sink = 0;
const reading = (stdout: string): number =>
  milliseconds(() => (sink += checkExcerpt({ stdout }).text.length));
const splitting = (text: string): number =>
  milliseconds(() => {
    for (const line of text.split("\n")) sink += line.length;
  });

let missed = false;
for (const [name, make] of Object.entries(TEXTS)) {
  const text = make(BYTES);
  const [spent, split] = [reading(text), splitting(text)];
  const ratio = spent / Math.max(split, 0.01);
  missed ||= ratio > GOAL;
  console.log(`${name}: ${ratio.toFixed(1)} splits (at most ${GOAL}), ${spent.toFixed(1)} ms a MB`);
}
for (const [name, make] of Object.entries(HOSTILE)) {
  const [short, whole] = [BYTES / 4, BYTES].map((bytes) => reading(make(bytes)) / bytes);
  const growth = (whole ?? 0) / Math.max(short ?? 0, 1e-9);
  missed ||= growth > GOAL_GROWTH;
  console.log(
    `${name}: ${((whole ?? 0) * BYTES).toFixed(1)} ms a MB, per byte ${growth.toFixed(2)} of a quarter's (at most ${GOAL_GROWTH})`,
  );
}
if (sink === 0) console.log("nothing was read");
process.exitCode = missed ? 1 : 0;
