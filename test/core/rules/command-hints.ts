/** What each rule of `command-hints` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const COMMAND_HINTS: Examples = {
  "hint-arguments": {
    example: "cartctl: unknown predicate `-heavy'",
    nearMiss: "cartctl: unknown error",
  },
  "hint-file": { example: "the ledger page 12 was not found", nearMiss: "the ledger was found" },
  "hint-permission": {
    example: "You don't have access to the cart database.",
    nearMiss: "a permission slip",
  },
  "hint-network": {
    example: "cartctl: error fetching the list: download failed",
    nearMiss: "the network of carts",
  },
  "hint-dependency": {
    example: "CartRequirement unsatisfied! You can install it by hand",
    nearMiss: "a package of goods arrived",
  },
  "hint-syntax": {
    example: "awk: line 2: missing } near end of file",
    nearMiss: "the end of the file",
  },
  "hint-timeout": { example: "gave up: timeout", nearMiss: "the timeout option is set" },
  "hint-tests": { example: "total of the cart: 2 failed", nearMiss: "5 passed, 0 failed" },
};
