/**
 * Code that does not compile or link, as compilers print it, in any locale. Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const COMPILE_ERRORS: readonly Rule[] = [
  {
    id: "typescript-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.95,
    words: ["ng", "ts"],
    pattern: /\berror\s{0,2}(?:TS|ts)\(?\d{3,5}\b|\bTS\d{4,5}: |\bTS\d{4,5}\x1b?\[?0?m?: |\berror NG\d{4,5}\b|\bNG\d{4,5}: /,
    except: /\bTS(?:5023|5024|5025|5042|5057|5058|5069|5083|6044|6045|6046|6053|6054|6064|6369)\b/,
    example: "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    nearMiss: "error TS6053: File 'cart.ts' not found.",
  },
  {
    id: "typescript-count",
    kind: "broken_build",
    level: "typed",
    confidence: 0.92,
    words: ["found"],
    pattern:
      /^Found [1-9]\d{0,6} errors?(?: in (?:the same file|\d{1,6} files), starting at|\.?$| in \d{1,6} files\.$)/,
    example: "Found 2 errors in the same file, starting at: cart.ts:4",
    nearMiss: "Found 2 warnings.",
  },
  {
    id: "place-and-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
    words: ["błąd", "chyba", "compiler", "erreur", "erro", "error", "errore", "fatal", "fatale", "fehler", "fel", "hata", "schwerwiegender", "virhe", "ошибка", "エラ", "致命", "錯誤", "错误", "오류"],
    pattern:
      /^(?:\w{1,20}> )?(?:\[\w{1,12}\] )?(?:[A-Za-z]:)?[^\s:()'"]{1,250}\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|cu|swift|zig|java|kt|kts|scala|hs|lhs|ml|mli|f90|f95|d|nim|v|sv|vala|dart|fs|fsx|cs|vb|pas|adb|ads|S|s|asm|proto|rs|go|cr|groovy|elm|res|rkt|idr|agda|purs|ino|metal|glsl|cl)(?::\d{1,7}(?::\d{1,6}(?:-\d{1,6})?)?:|\(\d{1,7}(?:,\d{1,6}){0,3}\) ?:)\s{0,4}(?:fatal |internal compiler |schwerwiegender |fatale |erreur |致命)?(?:error|fehler|erreur|errore|erro|ошибка|错误|錯誤|エラー|오류|błąd|fel|chyba|hata|virhe)(?:\s?(?:[:：]|\w{1,6}\d{2,5}|\[))/i,
    example: "main.c:3:9: error: expected ';' before 'return'",
    nearMiss: "main.c:3:9: warning: unused variable 'n'",
  },
  {
    id: "rustc-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.95,
    words: ["compile", "e"],
    pattern:
      /^\s{0,4}error\[E\d{4}\]|^error: could not compile `/,
    example: 'error: could not compile `cart` (bin "cart") due to 2 previous errors',
    nearMiss: "error: could not find `Cargo.toml`",
  },
  {
    id: "linker",
    kind: "broken_build",
    level: "typed",
    confidence: 0.96,
    words: ["clang", "collect2", "external", "indéfinie", "ld", "linking", "lld", "lnk", "reference", "returned", "sin", "symbols", "verweis", "неопределённая", "に対", "未定"],
    pattern:
      /\bundefined reference to\b|\bld(?:\.\w{1,8})?: (?:cannot find|library not found|symbol\(s\) not found|.{0,200}multiple definition|duplicate symbol)|^collect2: |\bUndefined symbols for architecture|\bLNK\d{4}\b|\bld returned \d{1,3} exit|\bclang(?:\+\+)?: error: linker command failed|\b(?:lld|rust-lld): error:|\bunresolved external symbol|référence indéfinie vers|referencia a .{1,80} sin definir|(?:nicht definierter|undefinierter) Verweis auf|неопределённая ссылка|未定义的引用|に対する定義されていない参照|error: linking with `/i,
    example: "/usr/bin/ld: cart.o: undefined reference to `total'",
    nearMiss: "follow the link to an undefined page",
  },
  {
    id: "msbuild-errors",
    kind: "broken_build",
    level: "typed",
    confidence: 0.94,
    words: ["avln", "bc", "build", "c", "ca", "cs", "fatal", "fs", "rz", "xa"],
    pattern:
      /\berror (?:CS|FS|BC|CA|RZ|XA|AVLN|C)\d{3,5}\b|^\s{0,4}Build FAILED\.|\bfatal error C\d{4}\b/,
    example: "Cart.cs(9,13): error CS0103: The name 'total' does not exist in the current context",
    nearMiss: "warning CS0168: The variable 'n' is declared but never used",
  },
  {
    id: "go-compile",
    kind: "broken_build",
    level: "typed",
    confidence: 0.95,
    words: ["arguments", "build", "cycle", "go", "setup"],
    pattern:
      /\.go:\d{1,7}:\d{1,5}: (?:undefined: |(?:.{0,120}) (?:declared and not used|imported and not used|redeclared in this block)|cannot use |not enough arguments|too many arguments|missing return|invalid operation|assignment mismatch|.{0,120}undefined \(type|import cycle|.{0,80} is not a type|cannot convert|non-boolean|.{0,80} does not implement|undefined method|declared and not used|imported and not used|multiple-value|unknown field|missing return|invalid recursive|cannot infer|first argument|mismatched types)|^FAIL\t\S{1,200} \[(?:build|setup) failed\]|^package command-line-arguments\b|\bimport cycle not allowed/,
    example: "./cart.go:7:2: undefined: total",
    nearMiss: "see cart.go:7:2 for the total",
  },
  {
    id: "kotlin-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.96,
    words: ["e", "kt", "kts", "unresolved"],
    pattern:
      /(?:^|: )e: (?:file:\/\/|[A-Za-z]:|\/)|^e: \S{1,200}\.kts?: ?\(|\bUnresolved reference[: '`]/,
    example: "e: file:///work/Cart.kt:12:5 Unresolved reference 'total'.",
    nearMiss: "see Cart.kt: the reference was resolved",
  },
  {
    id: "java-compile",
    kind: "broken_build",
    level: "verdict",
    confidence: 0.96,
    words: ["compilation", "compiler", "incremental"],
    pattern:
      /^\[ERROR\] COMPILATION ERROR|\bCompilation failed; see the compiler|\bmaven-compiler-plugin\S{0,40}:(?:test)?[cC]ompile .{0,60}(?:Compilation failure|Fatal error)|^Compilation failed\b|\bCompilation failure\b|\[error\] \(.{1,60}compileIncremental\) Compilation failed/,
    example: "[ERROR] COMPILATION ERROR :",
    nearMiss: "compilation of songs",
  },
  {
    id: "haskell-elixir-elm",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
    words: ["compilation", "compile", "compileerror", "expression", "ghc", "mismatch", "naming", "unbound", "undefined", "variable"],
    pattern:
      /\[GHC-\d{5}\]|^== Compilation error in file |^\*\* \(CompileError\)|^\s{0,6}error: undefined (?:function|variable) |^-- (?:TYPE MISMATCH|NAMING ERROR) -|^could not compile dependency|\bVariable not in scope: |^Error: Unbound (?:value|module|constructor)|^Error: This expression has type/,
    example: "== Compilation error in file lib/cart.ex ==",
    nearMiss: "no compilation was needed",
  },
  {
    id: "missing-header",
    kind: "broken_build",
    level: "typed",
    confidence: 0.94,
    words: ["fatal"],
    pattern:
      /\bfatal error: '?[\w./+-]{1,200}'? ?(?:file not found|: No such file or directory)|: fatal error: [\w./+-]{1,200}: \S/,
    example: "cart.c:1:10: fatal error: openssl/ssl.h: No such file or directory",
    nearMiss: "fatal: cart.h is not tracked",
  },
];
