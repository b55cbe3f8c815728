/**
 * pytest: the short test summary, else the result lines of a verbose run. Captured output of a test stands before
 * the summary and is not read.
 */

// =========================== short test summary info ============================
const SUMMARY = /^=+ short test summary info =+$/;
const SESSION = /^=+ test session starts =+$/;
const SUMMARY_ENTRY = /^(?:FAILED|ERROR) (?=\S)/;
// test_sum.py::test_each[a b] FAILED      [ 66%]
const VERBOSE_END = / (?:FAILED|ERROR) {1,200}\[ {0,2}\d{1,3}%\]$/;
// [gw1] [ 33%] FAILED test_sum.py::test_adds
const PARALLEL_START = /^\[gw\d{1,4}\] \[ {0,2}\d{1,3}%\] (?:FAILED|ERROR) /;

export function* readPytest(lines: readonly string[]): Iterable<string> {
  const summarised = lines.some((line) => SUMMARY.test(line));
  if (!summarised && !lines.some((line) => SESSION.test(line))) return;
  let inSummary = false;
  for (const line of lines) {
    if (SESSION.test(line)) inSummary = false;
    else if (SUMMARY.test(line)) inSummary = true;
    else if (summarised) {
      if (inSummary && SUMMARY_ENTRY.test(line)) yield nodeId(line.replace(SUMMARY_ENTRY, ""));
    } else if (line.includes("::")) {
      if (PARALLEL_START.test(line)) yield line.replace(PARALLEL_START, "");
      else if (VERBOSE_END.test(line)) yield line.replace(VERBOSE_END, "");
    }
  }
}

/** Up to the ` - message`; parameters in brackets may have the same characters. */
function nodeId(text: string): string {
  const bracket = text.indexOf("[");
  const dash = text.indexOf(" - ");
  if (dash < 0) return text;
  if (bracket < 0 || dash < bracket) return text.slice(0, dash);
  const end = text.indexOf("] - ", bracket);
  return end < 0 ? text : text.slice(0, end + 1);
}
