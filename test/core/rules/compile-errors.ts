/** What each rule of `compile-errors` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const COMPILE_ERRORS: Examples = {
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
};
