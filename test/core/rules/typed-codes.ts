/** The rules of `typed-codes` are made from two tables, and so are their examples. */
import { KNOWN_STATUSES } from "../../../src/core/classify/structured-evidence.ts";
import { PROVIDER_CODES } from "../../../src/core/classify/provider-codes.ts";
import type { Example, Examples } from "./example.ts";

const ofCode = (name: string): Example => ({
  example: `{"error":{"type":"${name}"}}`,
  nearMiss: `the constant X_${name}_seen`,
});

const ofStatus = (status: number): Example => ({
  example: `request failed with status code ${status}`,
  nearMiss: `cart.js:${status}: total is ${status}`,
});

export const TYPED_CODES: Examples = {
  ...Object.fromEntries([...PROVIDER_CODES.keys()].map((name) => [`code-${name}`, ofCode(name)])),
  ...Object.fromEntries(
    KNOWN_STATUSES.flatMap((status) =>
      ["model", "shell"].map((source) => [`status-${status}-${source}`, ofStatus(status)]),
    ),
  ),
};
