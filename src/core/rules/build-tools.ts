/** Bundlers and build drivers that say the build is broken, and modules of one's own that are missing. */
import type { Rule } from "../classify/rule.ts";

export const BUILD_TOOLS: readonly Rule[] = [
  {
    id: "bundler-resolve",
    kind: "broken_build",
    level: "typed",
    confidence: 0.92,
    ignoreCase: true,
    lines: String.raw`
      resolve => \bModule not found: (?:Error: )?Can't resolve\s
      import => \bfailed to resolve import\b
      resolve => \bCould not resolve (?:entry module )?["'].{1,200}["'](?: from|$|\s{1,4}\()
      resolve => \[ERROR\] Could not resolve\s
      unable => \bUnable to resolve module\s
      import => \bCould not resolve import\s
      rollup => \bRollup failed to resolve import
    `,
    unless: String.raw`
      \bCould not resolve (?:dependenc|host)
    `,
  },
  {
    id: "bundler-failed",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
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
  },
  {
    id: "build-error-line",
    kind: "broken_build",
    level: "typed",
    confidence: 0.93,
    lines: String.raw`
      during,in => ^(?:ERROR in \.{0,2}[/\w]|error during build:)
      custom => ^error: failed to run custom build command for
      linker => ^error: linker \`
      exit => ^Error: .{0,60}Command failed with exit code \d{1,3}: (?:vite|webpack|next|tsc)\s
    `,
  },
  {
    id: "next-type-error",
    kind: "broken_build",
    level: "exact",
    confidence: 0.88,
    lines: String.raw`
      type => ^\s{0,4}Type error: \S
    `,
  },
  {
    id: "gradle-task",
    kind: "broken_build",
    level: "exact",
    confidence: 0.85,
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
  },
  {
    id: "build-failed",
    kind: "broken_build",
    level: "phrase",
    confidence: 0.8,
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
  },
  {
    id: "make-error",
    kind: "broken_build",
    level: "hint",
    confidence: 0.7,
    lines: String.raw`

      make => ^make(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] \S{2,8} \d
      gmake => ^gmake(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] \S{2,8} \d
      mingw => ^mingw32-make(?:\[\d{1,2}\])?: \*\*\* \[.{1,200}\] \S{2,8} \d
    `,
  },
  {
    id: "python-build-backend",
    kind: "broken_build",
    level: "typed",
    confidence: 0.88,
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
  },
  {
    id: "cmake-error",
    kind: "broken_build",
    level: "exact",
    confidence: 0.8,
    lines: String.raw`
      cmake => ^CMake Error (?:at|in|:)
      incomplete => ^-- Configuring incomplete, errors occurred
      cmake => ^CMake Error: (?!The source directory|Unknown argument|Could not find CMAKE_ROOT)
    `,
  },
  {
    id: "own-module-missing",
    kind: "broken_build",
    level: "typed",
    confidence: 0.9,
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
  },
  {
    id: "collection-errors",
    kind: "broken_build",
    level: "verdict",
    confidence: 0.92,
    lines: String.raw`
      interrupted => \bInterrupted: \d{1,5} errors? during collection
      during => \b[1-9]\d{0,4} errors? during collection
      collecting => ^_{1,120} ERROR collecting \S
      py => ^ERROR [\w./\\-]{1,200}\.py(?: - |$)
      loading => ^ImportError while loading conftest
    `,
  },
  {
    id: "node-test-file-died",
    kind: "broken_build",
    level: "summary",
    confidence: 0.75,
    lines: String.raw`
      test => ^\s{0,12}'test failed'$
    `,
  },
  {
    id: "no-tests-ran-suite",
    kind: "broken_build",
    level: "typed",
    confidence: 0.85,
    lines: String.raw`
      suites => ⎯ Failed Suites \d
      load => \bFailed to load (?:url|PostCSS config)
      suite => ^\s{0,6}● Test suite failed to run
      tests => ^Tests:\s{1,12}0 total
      tests => ^\s{1,8}Tests\s{1,4}no tests$
    `,
  },
  {
    id: "style-sheet",
    kind: "broken_build",
    level: "exact",
    confidence: 0.85,
    lines: String.raw`
      nameerror,parseerror,syntaxerror,error => ^\w{0,20}Error: .{1,200} in \S{1,200}\.(?:less|
      ... scss|sass|styl) on line \d
      stylesheet => ^\s{0,4}\S{1,200}\.(?:scss|sass) \d{1,6}:\d{1,6}\s{1,4}root stylesheet
    `,
  },
];
