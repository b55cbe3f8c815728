/** What each rule of `compilers-and-builds` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const COMPILERS_AND_BUILDS: Examples = {
  "typescript-error": {
    example: "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    nearMiss: "error TS6053: File 'cart.ts' not found.",
  },
  "typescript-count": {
    example: "Found 2 errors in the same file, starting at: cart.ts:4",
    nearMiss: "Found 2 warnings.",
  },
  "place-and-error": {
    example: "main.c:3:9: error: expected ';' before 'return'",
    nearMiss: "main.c:3:9: warning: unused variable 'n'",
  },
  "rustc-error": {
    example: 'error: could not compile `cart` (bin "cart") due to 2 previous errors',
    nearMiss: "error: could not find `Cargo.toml`",
  },
  linker: {
    example: "/usr/bin/ld: cart.o: undefined reference to `total'",
    nearMiss: "follow the link to an undefined page",
  },
  "msbuild-errors": {
    example: "Cart.cs(9,13): error CS0103: The name 'total' does not exist in the current context",
    nearMiss: "warning CS0168: The variable 'n' is declared but never used",
  },
  "go-compile": {
    example: "./cart.go:7:2: undefined: total",
    nearMiss: "see cart.go:7:2 for the total",
  },
  "kotlin-error": {
    example: "e: file:///srv/Cart.kt:12:5 Unresolved reference 'total'.",
    nearMiss: "see Cart.kt: the reference was resolved",
  },
  "java-compile": { example: "[ERROR] COMPILATION ERROR :", nearMiss: "compilation of songs" },
  "haskell-elixir-elm": {
    example: "== Compilation error in file lib/cart.ex ==",
    nearMiss: "no compilation was needed",
  },
  "missing-header": {
    example: "cart.c:1:10: fatal error: openssl/ssl.h: No such file or directory",
    nearMiss: "fatal: cart.h is not tracked",
  },
  "parser-place": {
    example: "grammar.y:12.4: error: invalid character: '+'",
    nearMiss: "notes.txt:12: error: see below",
  },
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
  "rustc-place": {
    example: " --> src/main.rs:2:5",
    before: "error: expected one of `!` or `;`, found `x`",
    nearMiss: "see --> src/main.rs",
  },
  "style-sheet": {
    example: "NameError: .cart-mixin is undefined in /srv/carts/main.less on line 4, column 3:",
    nearMiss: "NameError: name 'cart' is not defined",
  },
};
