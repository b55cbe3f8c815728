/** What each rule of `python-and-js-packages` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const PYTHON_AND_JS_PACKAGES: Examples = {
  "uv-no-solution": {
    example: "  × No solution found when resolving dependencies:",
    nearMiss: "no solution was found to the puzzle",
  },
  "pip-no-match": {
    example: "ERROR: Could not find a version that satisfies the requirement cartlib==9",
    nearMiss: "a version that satisfies everyone",
  },
  "python-module-missing": {
    example: "ModuleNotFoundError: No module named 'cartlib'",
    nearMiss: "the module named 'cartlib' was loaded",
  },
  "python-import-broken": {
    example: "ImportError: libcart.so.2: cannot open shared object file: No such file or directory",
    nearMiss: "handled ImportError",
  },
  "uv-lock-state": {
    example: "error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.",
    nearMiss: "the lock needs to be oiled",
  },
  "python-version-range": {
    example: "ERROR: Package 'cartlib' requires a different Python: 3.8.2 not in '>=3.10'",
    nearMiss: "a different python was seen in the zoo",
  },
  "conda-unsatisfied": {
    example:
      "PackagesNotFoundError: The following packages are not available from current channels:",
    nearMiss: "all channels are available",
  },
  "pip-managed": {
    example: "error: externally-managed-environment",
    nearMiss: "managed by an external agency",
  },
  "uv-extras": {
    example: "error: dependency `cartlib` could not be resolved",
    nearMiss: "we depend on a package of goods",
  },
  "npm-resolve": {
    example: "npm error code ERESOLVE",
    nearMiss: "npm warn EBADENGINE Unsupported engine { package: 'cart' }",
  },
  "npm-registry-404": {
    example: "npm error 404 'cartlib@*' is not in this registry.",
    nearMiss: "404 is a number in the registry office",
  },
  "npm-lock-state": {
    example: "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
    nearMiss: "npm found a frozen river",
  },
  "npm-peer": {
    example: "npm error ERESOLVE unable to resolve dependency tree",
    nearMiss: "the peer said the engine was fine",
  },
  "node-package-missing": {
    example: "Error: Cannot find module 'express'",
    nearMiss: "Error: Cannot find module './express'",
  },
  "js-plugin-missing": {
    example: 'ESLint couldn\'t find the plugin "eslint-plugin-cart".',
    nearMiss: "the plugin for the cart is here",
  },
  "deno-bun-missing": {
    example: 'error: No version matching "^9.0.0" found for specifier "cartlib"',
    nearMiss: "the import of cars",
  },
};
