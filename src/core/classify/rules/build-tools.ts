/**
 * Bundlers and build drivers that say the build is broken, and modules of one's own that are missing.
 * Imports rule types only.
 */
import type { Rule } from "../rule.ts";

export const BUILD_TOOLS: readonly Rule[] = [
  {
    id: "bundler-resolve",
    kind: "broken_build",
    level: "typed",
    confidence: 0.92,
    words: ["import", "resolve", "rollup", "unable"],
    pattern:
      /\bModule not found: (?:Error: )?Can't resolve |\bfailed to resolve import\b|\bCould not resolve (?:entry module )?["'].{1,200}["'](?: from|$|\s{1,4}\()|\[ERROR\] Could not resolve |\bUnable to resolve module |\bCould not resolve import |\bRollup failed to resolve import/i,
    except: /\bCould not resolve (?:dependenc|host)/,
    example: "Module not found: Error: Can't resolve './total' in '/app/src'",
    nearMiss: "Could not resolve host: example.org",
  },
  {
    id: "bundler-failed",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
    words: ["build", "compile", "compiled", "custom", "during", "error", "exit", "in", "linker", "occurred", "parse", "rollup", "syntax", "transform", "vite", "webpack", "✘"],
    pattern:
      /^\s{0,4}(?:⨯ )?Failed to compile\b|\bTransform failed with \d|\bBuild failed with \d{1,5} errors?|\bModule (?:parse|build) failed\b|^ERROR in \.{0,2}[/\w]|\bCompiled with (?:\d{1,5} |some )?(?:errors?|problems)|\bwebpack \d.{0,30} compiled with \d{1,5} errors?|^error during build:|^\[!\] (?:\(.{1,60}\) )?(?:Error|RollupError|SyntaxError|ParseError)|^✘ \[ERROR\] (?!Invalid|Must|Expected "-)|^x Build failed in|🚨 Build failed|^\s{0,4}> Build failed because of webpack errors|\[vite:[\w-]{1,40}\] |\bBuild error occurred\b|^Error: .{0,60}Command failed with exit code \d{1,3}: (?:vite|webpack|next|tsc) |^error: failed to run custom build command for|^error: linker `|^ERROR: \S{1,200}BUILD:\d{1,6}:\d{1,5}: |\bfailed to build$/i,
    example: "ERROR in ./src/cart.js 12:4",
    nearMiss: "ERROR within the ledger",
  },
  {
    id: "next-type-error",
    kind: "broken_build",
    level: "exact",
    confidence: 0.88,
    words: ["type"],
    pattern: /^\s{0,4}Type error: \S/,
    example: "Type error: Property 'total' does not exist on type 'Cart'.",
    nearMiss: "TypeError: cart.total is not a function",
  },
  {
    id: "gradle-task",
    kind: "broken_build",
    level: "exact",
    confidence: 0.85,
    words: ["compilation", "compile", "execution", "failed", "problem", "task"],
    pattern:
      /\bExecution failed for task '[^']{0,120}(?:compile|kapt|ksp|assemble|bundle|merge|process|dex|link|javac|minify|lint)\w{0,80}'|> Task :\S{0,160}(?:compile|kapt|ksp)\S{0,80} FAILED|\bCompilation error\. See log|\bA problem occurred (?:evaluating|configuring) (?:root )?project|\bCould not compile (?:build|settings) file|^\S{0,40}BUILD FAILED in \d/i,
    example: "Execution failed for task ':app:compileDebugKotlin'.",
    nearMiss: "Execution failed for task ':app:publish'.",
  },
  {
    id: "build-failed",
    kind: "broken_build",
    level: "phrase",
    confidence: 0.8,
    words: ["build", "compilation", "compile", "ninja", "successfully"],
    pattern:
      /\bBUILD FAIL(?:ED|URE)\b|\*\* BUILD FAILED \*\*|^(?:error: )?(?:the )?build failed\b|\bcompilation (?:has )?(?:failed|terminated|aborted)\b|^ninja: build stopped|\bfailed to compile\b|\bFailed to build\b|\bdid not complete successfully: exit code: [1-9]/i,
    example: "BUILD FAILED in 12s",
    nearMiss: "the builder failed to appear",
  },
  {
    id: "make-error",
    kind: "broken_build",
    level: "hint",
    confidence: 0.7,
    words: ["make"],
    pattern:
      /^(?:g|ming\w{2,5}32-)?make(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] (?:Error|Fehler|Erreur|Ошибка|错误|エラー|오류|Errore|Erro) \d/,
    example: "make: *** [Makefile:4: cart.o] Error 1",
    nearMiss: "make: *** No rule to make target 'cart'.  Stop.",
  },
  {
    id: "python-build-backend",
    kind: "broken_build",
    level: "typed",
    confidence: 0.88,
    words: ["backend", "bdist", "building", "egg", "exited", "gem", "gyp", "installable", "metadata", "visual", "wheels"],
    pattern:
      /\bFailed (?:building wheel|to build installable wheels) for\b|\bThe build backend returned an error|^error: metadata-generation-failed|\bsubprocess-exited-with-error|\bCould not build wheels for\b|\bFailed to build gem native extension|\bMicrosoft Visual C\+\+ \d.{0,30} is required|\bpython setup\.py (?:egg_info|bdist_wheel) did not run|\bnode-pre-gyp ERR! build error|\bgyp ERR! (?:build|configure) error|\bBackend(?:Unavailable| subprocess exited)/i,
    example: "ERROR: Failed building wheel for cartlib",
    nearMiss: "the wheel of the cart failed",
  },
  {
    id: "cmake-error",
    kind: "broken_build",
    level: "exact",
    confidence: 0.8,
    words: ["cmake", "incomplete"],
    pattern:
      /^CMake Error (?:at|in|:)|^-- Configuring incomplete, errors occurred|^CMake Error: (?!The source directory|Unknown argument|Could not find CMAKE_ROOT)/,
    example: "CMake Error at CMakeLists.txt:7 (target_link_libraries):",
    nearMiss: "CMake Warning at CMakeLists.txt:7",
  },
  {
    id: "own-module-missing",
    kind: "broken_build",
    level: "typed",
    confidence: 0.9,
    words: ["attempted", "find", "import", "importerror", "outside", "provide", "require", "suite"],
    pattern:
      /\bCannot find module '(?:\.{1,2}[/\\]|\/|[A-Za-z]:\\|file:|@\/|~\/)[^']{0,300}'|\bdoes not provide an export named\b|\bcannot import name '[^']{1,120}' from '(?!\w{1,60}'\s?\(unknown)|\battempted relative import\b|^ImportError while (?:importing|loading)|\bFailed to import test module|\bTest suite failed to run|\bCannot use import statement outside a module|\bRequire stack:$/,
    example: "Error: Cannot find module './total' imported from /app/cart.js",
    nearMiss: "Error: Cannot find module 'left-pad'",
  },
  {
    id: "collection-errors",
    kind: "broken_build",
    level: "verdict",
    confidence: 0.92,
    words: ["collecting", "during", "interrupted", "loading", "py"],
    pattern:
      /\bInterrupted: \d{1,5} errors? during collection|\b[1-9]\d{0,4} errors? during collection|^_+ ERROR collecting \S|^ERROR [\w./\\-]{1,200}\.py(?: - |$)|^ImportError while loading conftest/,
    example: "!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!",
    nearMiss: "collecting errors from the fleet",
  },
  {
    id: "node-test-file-died",
    kind: "broken_build",
    level: "summary",
    confidence: 0.75,
    words: ["test"],
    pattern: /^\s{0,12}'test failed'$/,
    example: "  'test failed'",
    nearMiss: "the test failed",
  },
  {
    id: "no-tests-ran-suite",
    kind: "broken_build",
    level: "typed",
    confidence: 0.85,
    words: ["load", "suite", "suites", "tests"],
    pattern:
      /⎯ Failed Suites \d|\bFailed to load (?:url|PostCSS config)|^\s{0,6}● Test suite failed to run|^Tests:\s{1,12}0 total|^\s{1,8}Tests\s{1,4}no tests$/,
    example: "⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯",
    nearMiss: "Test Suites: 1 passed",
  },
];
