/** What each rule of `call-grammar` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const CALL_GRAMMAR: Examples = {
  "dashed-option-refused": {
    example: 'The "--dry" option does not exist.',
    nearMiss: "The file --dry.txt does not exist.",
  },
  "argument-counts": {
    example: "Option '--output' expects a single argument but 2 were provided.",
    nearMiss: "src/a.ts(3,5): error TS2554: Expected 2 arguments, but got 1.",
  },
  "compiler-option-grammar": {
    example: "flag needs an argument: -file",
    nearMiss: "the flag needs a wider pole",
  },
  "nothing-to-work-on": {
    example: "gcc: fatal error: no input files",
    nearMiss: "no input files were harmed",
  },
  "edit-finds-no-place": {
    example: "Error: No match found for old_string in src/a.ts",
    nearMiss: "no match found in the league",
  },
  "model-argument": {
    example: "No such model: large-9. Available models: small-1",
    nearMiss: "no such module: large",
  },
};
