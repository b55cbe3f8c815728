/** What each rule of `linters` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const LINTERS: Examples = {
  "eslint-problems": {
    example: "✖ 4 problems (3 errors, 1 warning)",
    nearMiss: "there were 4 problems with the order",
  },
  "eslint-row": {
    example: "  12:7   error  'total' is assigned a value but never used  no-unused-vars",
    nearMiss: "  12:7 error in clock setting",
  },
  "formatter-differs": {
    example: "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.",
    nearMiss: "the style issues of the magazine",
  },
  "python-linters": {
    example: "Found 3 errors in 2 files (checked 9 source files)",
    nearMiss: "Found 3 files",
  },
  "other-linters": {
    example: "7 files inspected, 2 offenses detected",
    nearMiss: "7 files inspected, no offenses detected",
  },
  "lint-codes": {
    example: "shop/cart.py:3:1: F401 [*] `os` imported but unused",
    nearMiss: "src/cart.ts:3:1 - error TS2304: Cannot find name 'total'.",
  },
  "lint-places": {
    example: "README.md:4 error MD012/no-multiple-blanks Multiple consecutive blank lines",
    nearMiss: "main.c:4: error: expected ';'",
  },
};
