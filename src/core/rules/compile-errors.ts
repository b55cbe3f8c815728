/** Code that does not compile or link, as compilers print it, in any locale. */
import type { Rule } from "../classify/rule.ts";

/** A place in a source file at the start of a line, as compilers of any language print it. */
const PLACE =
  String.raw`^(?:\w{1,20}> )?(?:\[\w{1,12}\] )?(?:[A-Za-z]:)?[^\s:()'"]{1,250}` +
  String.raw`\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|cu|swift|zig|java|kt|kts|scala|hs|lhs` +
  String.raw`|ml|mli|f90|f95|d|nim|v|sv|vala|dart|fs|fsx|cs|vb|pas|adb|ads|s|asm|proto|rs|go|cr` +
  String.raw`|groovy|elm|res|rkt|idr|agda|purs|ino|metal|glsl|cl)` +
  String.raw`(?::\d{1,7}(?::\d{1,6}(?:-\d{1,6})?)?:|\(\d{1,7}(?:,\d{1,6}){0,3}\) ?:)\s{0,4}`;

export const COMPILE_ERRORS: readonly Rule[] = [
  {
    id: "typescript-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      ts => \bTS\d{4,5}:\s
      ng => \berror NG\d{4,5}\b
      ng => \bNG\d{4,5}:\s
      ts => \bTS\d{4,5} \[ERROR\]
      ts => \berror\s{1,2}(?:TS|ts)\(?\d{3,5}\b
    `,
    unless: String.raw`
      \bTS(?:5023|5024|5025|5042|5057|5058|5069|5083|6044|6045|6046|6053|6054|6064|6369)\b
    `,
  },
  {
    id: "typescript-count",
    kind: "broken_build",
    level: "typed",
    confidence: 0.92,
    lines: String.raw`
      starting => ^Found [1-9]\d{0,6} errors? in (?:the same file|\d{1,6} files), starting at
      found => ^Found [1-9]\d{0,6} errors?\.?$
      files => ^Found [1-9]\d{0,6} errors? in \d{1,6} files\.$
    `,
  },
  {
    id: "place-and-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
    ignoreCase: true,
    lines: String.raw`
      error => ${PLACE}(?:fatal |internal compiler )?error(?:\s?[:[]|\s\w{1,6}\d{2,5})
      erreur => ${PLACE}(?:erreur )?(?:fatale )?erreur(?: fatale)?\s?:
      fehler => ${PLACE}(?:schwerwiegender )?fehler\s?:
      errore,erro,błąd,fel,chyba,hata => ${PLACE}(?:errore|erro|błąd|fel|chyba|hata)\s?:
      virhe,ошибка,오류 => ${PLACE}(?:virhe|ошибка|오류)\s?:
      错误,錯誤,エラ => ${PLACE}(?:致命)?(?:错误|錯誤|エラー)\s?[:：]
      e,nim,nims,pas,vb => ^\S{1,200}\.(?:nim|nims|pas|e|vb)\(\d{1,6}, ?\d{1,5}\) Error:\s
    `,
  },
  {
    id: "rustc-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      e => ^\s{0,4}error\[E\d{4}\]
      compile => ^error: could not compile \`
    `,
  },
  {
    id: "linker",
    kind: "broken_build",
    level: "typed",
    confidence: 0.96,
    ignoreCase: true,
    lines: String.raw`
      reference => \bundefined reference to\b
      ld => \bld(?:\.\w{1,8})?: (?:cannot find|library not found|symbol\(s\) not found)
      duplicate,multiple => \bld(?:\.\w{1,8})?: (?:.{0,200}multiple definition|duplicate symbol)
      collect2 => ^collect2:\s
      symbols => \bUndefined symbols for architecture
      lnk => \bLNK\d{4}\b
      returned => \bld returned \d{1,3} exit
      clang => \bclang(?:\+\+)?: error: linker command failed
      lld => \b(?:lld|rust-lld): error:
      external => \bunresolved external symbol
      indéfinie => référence indéfinie vers
      sin => referencia a .{1,80} sin definir
      verweis => (?:nicht definierter|undefinierter) Verweis auf
      неопределённая => неопределённая ссылка
      未定 => 未定义的引用
      に対 => に対する定義されていない参照
      linking => error: linking with \`
    `,
  },
  {
    id: "msbuild-errors",
    kind: "broken_build",
    level: "typed",
    confidence: 0.94,
    lines: String.raw`
      avln,bc,c,ca,cs,fs,rz,xa => \berror (?:CS|FS|BC|CA|RZ|XA|AVLN|C)\d{3,5}\b
      build => ^\s{0,4}Build FAILED\.
      fatal => \bfatal error C\d{4}\b
    `,
  },
  {
    id: "go-compile",
    kind: "broken_build",
    level: "typed",
    confidence: 0.95,
    lines: String.raw`
      go => \.go:\d{1,7}:\d{1,5}: (?:undefined: |(?:.{0,120}) (?:declared and not used|
      ... imported and not used|redeclared in this block)|cannot use |not enough arguments|
      ... too many arguments|missing return|invalid operation|assignment mismatch|.{0,
      ... 120}undefined \(type|import cycle|.{0,80} is not a type|cannot convert|non-boolean|
      ... .{0,80} does not implement|undefined method|declared and not used|
      ... imported and not used|multiple-value|unknown field|missing return|invalid recursive|
      ... cannot infer|first argument|mismatched types)
      build,setup => ^FAIL\t\S{1,200} \[(?:build|setup) failed\]
      arguments => ^package command-line-arguments\b
      cycle => \bimport cycle not allowed
    `,
  },
  {
    id: "kotlin-error",
    kind: "broken_build",
    level: "typed",
    confidence: 0.96,
    lines: String.raw`
      e => (?:^|: )e: (?:file:\/\/|[A-Za-z]:|\/)
      kt,kts => ^e: \S{1,200}\.kts?: ?\(
      unresolved => \bUnresolved reference[: '\`]
    `,
  },
  {
    id: "java-compile",
    kind: "broken_build",
    level: "verdict",
    confidence: 0.96,
    lines: String.raw`
      compilation => ^\[ERROR\] COMPILATION ERROR
      compilation => \bCompilation failed; see the compiler
      compilation => \bmaven-compiler-plugin\S{0,40}:(?:test)?[cC]ompile .{0,
      ... 60}Compilation failure
      compiler => \bmaven-compiler-plugin\S{0,40}:(?:test)?[cC]ompile .{0,60}Fatal error
      compilation => ^Compilation failed\b
      compilation => \bCompilation failure\b
      incremental => \[error\] \(.{1,60}compileIncremental\) Compilation failed
    `,
  },
  {
    id: "haskell-elixir-elm",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
    lines: String.raw`
      ghc => \[GHC-\d{5}\]
      compilation => ^== Compilation error in file\s
      compileerror => ^\*\* \(CompileError\)
      undefined => ^\s{0,6}error: undefined (?:function|variable)\s
      mismatch,naming => ^-- (?:TYPE MISMATCH|NAMING ERROR) -
      compile => ^could not compile dependency
      variable => \bVariable not in scope:\s
      unbound => ^Error: Unbound (?:value|module|constructor)
      expression => ^Error: This expression has type
      identifier => \bundeclared identifier\b
      identifier => \bundefined identifier\b
    `,
  },
  {
    id: "missing-header",
    kind: "broken_build",
    level: "typed",
    confidence: 0.94,
    lines: String.raw`
      fatal => \bfatal error: '?[\w./+-]{1,200}'? ?(?:file not found|
      ... : No such file or directory)
      fatal => : fatal error: [\w./+-]{1,200}: \S
    `,
  },
  {
    id: "parser-place",
    kind: "broken_build",
    level: "exact",
    confidence: 0.85,
    ignoreCase: true,
    lines: String.raw`
      error => ^[\w./\\-]{1,200}\.(?:y|l|cob|cbl|f|f90|f95|erl|hrl|pas|adb|ads|vala|nim|zig|hx|
      ... proto|thrift|g4|scss|sass|less|styl):\d{1,6}[.:]?\d{0,6}[-.\d]{0,9}: (?:fatal |syntax )?error\b
    `,
  },
];
