/**
 * Jest: `FAIL file` and, two spaces in, `● suite › test`. Console output of a test is deeper indented and so is
 * never taken for a name.
 */

// Test Suites: 2 failed, 2 total
const SUMMARY = /^Test Suites: .{1,80} total$/;
// FAIL src/sum.test.js (5.2 s)
const DURATION = / \(\d{1,6}(?:\.\d{1,4})? m?s\)$/;

export function* readJest(lines: readonly string[]): Iterable<string> {
  if (!lines.some((line) => SUMMARY.test(line))) return;
  let file: string | undefined;
  for (const line of lines) {
    if (line.startsWith("FAIL ")) file = line.slice(5).trim().replace(DURATION, "");
    else if (line.startsWith("PASS ")) file = undefined;
    else if (file !== undefined && line.startsWith("  ● ")) {
      const name = line.slice(4).trim();
      if (name === "Test suite failed to run") yield file;
      else if (name !== "Console") yield `${file} › ${name}`;
    }
  }
}
