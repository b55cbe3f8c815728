/** What each rule of `build-tools` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const BUILD_TOOLS: Examples = {
  "bundler-resolve": {
    example: "Module not found: Error: Can't resolve './total' in '/app/src'",
    nearMiss: "Could not resolve host: example.org",
  },
  "bundler-failed": {
    example: "Transform failed with 1 error:",
    nearMiss: "ERROR within the ledger",
  },
  "build-error-line": {
    example: "ERROR in ./src/cart.js 12:4",
    nearMiss: "ERROR within the ledger",
  },
  "next-type-error": {
    example: "Type error: Property 'total' does not exist on type 'Cart'.",
    nearMiss: "TypeError: cart.total is not a function",
  },
  "gradle-task": {
    example: "Execution failed for task ':shop:compileCartKotlin'.",
    nearMiss: "Execution failed for task ':shop:publish'.",
  },
  "build-failed": { example: "BUILD FAILED in 12s", nearMiss: "the builder failed to appear" },
  "make-error": {
    example: "make: *** [Makefile:4: cart.o] Error 1",
    nearMiss: "make: *** No rule to make target 'cart'.  Stop.",
  },
  "python-build-backend": {
    example: "ERROR: Failed building wheel for cartlib",
    nearMiss: "the wheel of the cart failed",
  },
  "cmake-error": {
    example: "CMake Error at CMakeLists.txt:7 (target_link_libraries):",
    nearMiss: "CMake Warning at CMakeLists.txt:7",
  },
  "own-module-missing": {
    example: "Error: Cannot find module './total' imported from /app/cart.js",
    nearMiss: "Error: Cannot find module 'left-pad'",
  },
  "collection-errors": {
    example: "!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!",
    nearMiss: "collecting errors from the fleet",
  },
  "node-test-file-died": { example: "  'test failed'", nearMiss: "the test failed" },
  "no-tests-ran-suite": { example: "⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯", nearMiss: "Test Suites: 1 passed" },
  "style-sheet": {
    example: "NameError: .cart-mixin is undefined in /srv/carts/main.less on line 4, column 3:",
    nearMiss: "NameError: name 'cart' is not defined",
  },
};
