/**
 * Code that does not compile or link, as compilers report it in any locale; bundlers and build drivers that report a
 * broken build; missing modules of the project itself.
 */
import { rule, type Rule } from "../classify/rule.ts";

/** A source position at the start of a line, as printed by compilers of any language. */
const PLACE =
  String.raw`^(?:\w{1,20}> )?(?:\[\w{1,12}\] )?(?:[A-Za-z]:)?[^\s:()'"]{1,250}` +
  String.raw`\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|m|mm|cu|swift|zig|java|kt|kts|scala|hs|lhs` +
  String.raw`|ml|mli|f90|f95|d|nim|v|sv|vala|dart|fs|fsx|cs|vb|pas|adb|ads|s|asm|proto|rs|go|cr` +
  String.raw`|groovy|elm|res|rkt|idr|agda|purs|ino|metal|glsl|cl)` +
  String.raw`(?::\d{1,7}(?::\d{1,6}(?:-\d{1,6})?)?:|\(\d{1,7}(?:,\d{1,6}){0,3}\) ?:)\s{0,4}`;

export const COMPILERS_AND_BUILDS: readonly Rule[] = [
  rule("typescript-error", "broken_build", "typed", 0.95, {
    lines: String.raw`
      ts => \bTS\d{4,5}:\s
      ng => \berror NG\d{4,5}\b
      ng => \bNG\d{4,5}:\s
      ts => \bTS\d{4,5} \[ERROR\]
      ts => \berror\s{1,2}(?:TS|ts)\(?\d{3,5}\b
    `,
    unless: String.raw`\bTS(?:5023|5024|5025|5042|5057|5058|5069|5083|6044|6045|6046|6053|6054|6064|6369)\b`,
  }),
  rule("typescript-count", "broken_build", "typed", 0.92, {
    lines: String.raw`
      starting => ^Found [1-9]\d{0,6} errors? in (?:the same file|\d{1,6} files), starting at
      files => ^Found [1-9]\d{0,6} errors? in \d{1,6} files\.$
    `,
  }),
  rule("place-and-error", "broken_build", "typed", 0.93, {
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
  }),
  rule("rustc-error", "broken_build", "typed", 0.95, {
    lines: String.raw`
      e => ^\s{0,4}error\[E\d{4}\]
      compile => ^error: could not compile \`
    `,
  }),
  rule("linker", "broken_build", "typed", 0.96, {
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
  }),
  rule("msbuild-errors", "broken_build", "typed", 0.94, {
    lines: String.raw`
      avln,bc,c,ca,cs,fs,rz,xa => \berror (?:CS|FS|BC|CA|RZ|XA|AVLN|C)\d{3,5}\b
      build => ^\s{0,4}Build FAILED\.
      fatal => \bfatal error C\d{4}\b
    `,
  }),
  rule("go-compile", "broken_build", "typed", 0.95, {
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
  }),
  rule("kotlin-error", "broken_build", "typed", 0.96, {
    lines: String.raw`
      e => (?:^|: )e: (?:file:\/\/|[A-Za-z]:|\/)
      kt,kts => ^e: \S{1,200}\.kts?: ?\(
      unresolved => \bUnresolved reference[: '\`]
    `,
  }),
  rule("java-compile", "broken_build", "verdict", 0.96, {
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
  }),
  rule("haskell-elixir-elm", "broken_build", "typed", 0.93, {
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
  }),
  rule("missing-header", "broken_build", "typed", 0.94, {
    lines: String.raw`
      fatal => \bfatal error: '?[\w./+-]{1,200}'? ?(?:file not found|
      ... : No such file or directory)
      fatal => : fatal error: [\w./+-]{1,200}: \S
    `,
  }),
  rule("parser-place", "broken_build", "exact", 0.85, {
    ignoreCase: true,
    lines: String.raw`
      error => ^[\w./\\-]{1,200}\.(?:y|l|cob|cbl|f|f90|f95|erl|hrl|pas|adb|ads|vala|nim|zig|hx|
      ... proto|thrift|g4|scss|sass|less|styl):\d{1,6}[.:]?\d{0,6}[-.\d]{0,9}: (?:fatal |syntax )?error\b
    `,
  }),
  rule("bundler-resolve", "broken_build", "typed", 0.92, {
    ignoreCase: true,
    lines: String.raw`
      resolve => \bModule not found: (?:Error: )?Can't resolve\s
      import => \bfailed to resolve import\b
      resolve => \bCould not resolve (?:entry module )?["'](?!(?:[\w-]{1,60}\.){2,6}[a-z]{2,12}["']).{1,
      ... 200}["'](?: from|$|\s{1,4}\()
      resolve => \[ERROR\] Could not resolve\s
      unable => \bUnable to resolve module\s
      import => \bCould not resolve import\s
      rollup => \bRollup failed to resolve import
    `,
    unless: String.raw`\bCould not resolve (?:dependenc|host)`,
  }),
  rule("bundler-failed", "broken_build", "typed", 0.93, {
    ignoreCase: true,
    lines: String.raw`
      compile => ^\s{0,4}(?:⨯ )?Failed to compile\b
      transform => \bTransform failed with \d
      build => \bBuild failed with \d{1,5} errors?
      build,parse => \bModule (?:parse|build) failed\b
      compiled => \bCompiled with (?:\d{1,5} |some )?(?:errors?|problems)
      compiled => \bwebpack \d.{0,30} compiled with \d{1,5} errors?
      ✘ => ^✘ \[ERROR\] (?!Invalid|Must|Expected "-)
      build => ^x Build failed in
      build => 🚨 Build failed
      webpack => ^\s{0,4}> Build failed because of webpack errors
      vite => \[vite:[\w-]{1,40}\]\s
      occurred => \bBuild error occurred\b
      build => \bfailed to build$
      build => ^ERROR: \S{0,200}/BUILD:\d{1,6}:\d{1,5}:\s
      parseerror,rolluperror,syntaxerror => ^\[!\] (?:\(.{1,60}\) )?(?:RollupError|SyntaxError|
      ... ParseError)\b
      could => ^\[!\] Could not \w
    `,
  }),
  rule("build-error-line", "broken_build", "typed", 0.93, {
    lines: String.raw`
      during,in => ^(?:ERROR in \.{0,2}[/\w]|error during build:)
      custom => ^error: failed to run custom build command for
      linker => ^error: linker \`
      exit => ^Error: .{0,60}Command failed with exit code \d{1,3}: (?:vite|webpack|next|tsc)\s
    `,
  }),
  rule("next-type-error", "broken_build", "exact", 0.88, {
    lines: String.raw`type => ^\s{0,4}Type error: \S`,
  }),
  rule("gradle-task", "broken_build", "exact", 0.85, {
    ignoreCase: true,
    lines: String.raw`
      execution => \bExecution failed for task '[^']{0,120}(?:compile|kapt|ksp)\w{0,80}'
      execution => \bExecution failed for task '[^']{0,120}(?:assemble|bundle|merge)\w{0,80}'
      execution => \bExecution failed for task '[^']{0,120}(?:process|dex|link)\w{0,80}'
      execution => \bExecution failed for task '[^']{0,120}(?:javac|minify|lint)\w{0,80}'
      task => > Task :\S{0,160}(?:compile|kapt|ksp)\S{0,80} FAILED
      compilation => \bCompilation error\. See log
      problem => \bA problem occurred (?:evaluating|configuring) (?:root )?project
      compile => \bCould not compile (?:build|settings) file
      failed => ^\S{0,40}BUILD FAILED in \d
    `,
  }),
  rule("build-failed", "broken_build", "phrase", 0.8, {
    ignoreCase: true,
    lines: String.raw`
      build => \bBUILD FAIL(?:ED|URE)\b
      build => \*\* BUILD FAILED \*\*
      build => ^(?:error: )?(?:the )?build failed\b
      compilation => \bcompilation (?:has )?(?:failed|terminated|aborted)\b
      ninja => ^ninja: build stopped
      compile => \bfailed to compile\b
      build => \bFailed to build\b
      successfully => \bdid not complete successfully: exit code: [1-9]
      rule => \bmissing and no known rule to make it\b
    `,
  }),
  rule("make-error", "broken_build", "hint", 0.7, {
    lines: String.raw`

      make => ^make(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] \S{2,8} \d
      gmake => ^gmake(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] \S{2,8} \d
      mingw => ^mingw32-make(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] \S{2,8} \d
    `,
  }),
  rule("python-build-backend", "broken_build", "typed", 0.88, {
    ignoreCase: true,
    lines: String.raw`
      building,installable => \bFailed (?:building wheel|to build installable wheels) for\b
      backend => \bThe build backend returned an error
      metadata => ^error: metadata-generation-failed
      exited => \bsubprocess-exited-with-error
      wheels => \bCould not build wheels for\b
      gem => \bFailed to build gem native extension
      visual => \bMicrosoft Visual C\+\+ \d.{0,30} is required
      bdist,egg => \bpython setup\.py (?:egg_info|bdist_wheel) did not run
      gyp => \bnode-pre-gyp ERR! build error
      gyp => \bgyp ERR! (?:build|configure) error
      backend => \bBackend(?:Unavailable| subprocess exited)
    `,
  }),
  rule("rustc-place", "broken_build", "exact", 0.92, {
    lines: String.raw`rs => ^\s{1,8}--> \S{1,300}\.rs:\d{1,6}:\d{1,6}$`,
    after: String.raw`^error(?:\[E\d{4}\])?: \S`,
  }),
  rule("cmake-error", "broken_build", "exact", 0.8, {
    lines: String.raw`
      cmake => ^CMake Error (?:at|in|:)
      incomplete => ^-- Configuring incomplete, errors occurred
      cmake => ^CMake Error: (?!The source directory|Unknown argument|Run '|Could not find CMAKE_ROOT)
    `,
  }),
  rule("own-module-missing", "broken_build", "typed", 0.9, {
    lines: String.raw`
      find => \bCannot find module '(?:\.{1,2}[/\\]|\/|[A-Za-z]:\\|file:|@\/|~\/)[^']{0,300}'
      provide => \bdoes not provide an export named\b
      import => \bcannot import name '[^']{1,120}' from '(?!\w{1,60}'\s?\(unknown)
      attempted => \battempted relative import\b
      importerror => ^ImportError while (?:importing|loading)
      import => \bFailed to import test module
      suite => \bTest suite failed to run
      outside => \bCannot use import statement outside a module
      require => \bRequire stack:$
    `,
  }),
  rule("collection-errors", "broken_build", "verdict", 0.92, {
    lines: String.raw`
      interrupted => \bInterrupted: \d{1,5} errors? during collection
      during => \b[1-9]\d{0,4} errors? during collection
      collecting => ^_{1,120} ERROR collecting \S
      py => ^ERROR [\w./\\-]{1,200}\.py(?: - |$)
      loading => ^ImportError while loading conftest
    `,
  }),
  rule("node-test-file-died", "broken_build", "summary", 0.75, {
    lines: String.raw`test => ^\s{0,12}'test failed'$`,
  }),
  rule("no-tests-ran-suite", "broken_build", "typed", 0.85, {
    lines: String.raw`
      suites => ⎯ Failed Suites \d
      load => \bFailed to load (?:url|PostCSS config)
      suite => ^\s{0,6}● Test suite failed to run
      tests => ^Tests:\s{1,12}0 total
      tests => ^\s{1,8}Tests\s{1,4}no tests$
    `,
  }),
  rule("style-sheet", "broken_build", "exact", 0.85, {
    lines: String.raw`
      nameerror,parseerror,syntaxerror,error => ^\w{0,20}Error: .{1,200} in \S{1,200}\.(?:less|
      ... scss|sass|styl) on line \d
      stylesheet => ^\s{0,4}\S{1,200}\.(?:scss|sass) \d{1,6}:\d{1,6}\s{1,4}root stylesheet
    `,
  }),
];
