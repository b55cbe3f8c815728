/** The names of stuck patterns for people, in lines and reasons. Invariant: no screen shows a pattern's id. */
import type { Pattern } from "./verdict.ts";

const NAMES: { readonly [pattern in Pattern]: string } = {
  same_call: "the same call again and again",
  cycle: "the same calls in turn",
  poll: "asking again without any new output",
  same_failure: "the same error again and again",
  failures_in_a_row: "one failed call after the other",
  unknown_tool: "calling a tool that does not exist",
  same_failing_tests: "the same checks fail after every edit",
  edit_revert: "edits undone and made again",
  repeated_message: "the same message without any work between",
  chanting: "the same words over and over",
  repeated_output: "the same output over and over",
  nothing_new: "reading what it has read already",
  grinding: "many steps without any progress",
  compaction: "its context cut again and again without progress",
  call_cap: "more calls than the limit allows",
  agent_reported: "its own guard reports a loop",
};

/** Any other text is returned unchanged. */
export const patternName = (pattern: string): string =>
  Object.hasOwn(NAMES, pattern) ? NAMES[pattern as Pattern] : pattern;
