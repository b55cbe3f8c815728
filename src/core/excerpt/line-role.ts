/**
 * Classifies a single line of a check's output by its form: the head of a failure, an expected or actual value, a
 * position in the user's code, or noise. Invariants: pure, bounded linear patterns; a line that no pattern matches is
 * `text`.
 */

export type Role =
  | "blank"
  /** A horizontal rule. */
  | "rule"
  /** The title of a section of the output. */
  | "section"
  /** The name of a failed test, step or target. */
  | "failed"
  /** An explicit error. */
  | "error"
  /** Says that something failed but not what: exit codes, counts. */
  | "summary"
  | "warning"
  /** Expected value, actual value, or part of a comparison. */
  | "detail"
  /** A position in the user's code. */
  | "place"
  /** A line of source shown with the error. */
  | "source"
  | "text"
  /** A stack frame in a runner or a library. */
  | "frame"
  /** Passing tests, banners, progress, hints. */
  | "noise";

const NOISE: readonly RegExp[] = [
  // passing and skipped tests
  /^\s{0,40}(?:✓|✔|√|☑|✅|○|⏭|↓|▶|﹣|ok \d|PASS(?:ED)?\b|--- (?:PASS|SKIP)|=== (?:RUN|PAUSE|CONT|NAME)\b|\[\s{0,8}(?:OK|PASSED|RUN|SKIPPED|---+|===+)\s{0,8}\]|# (?:SKIP|TODO)\b|# Subtest:)/,
  /(?:\.\.\.\s{0,3}|\s)(?:ok|OK|PASSED|PASS|passed|Passed|SKIPPED|skipped|Skipped|xfailed|XFAIL)(?:\s{1,9}\(?[\d.]{1,12} ?m?s(?:ec)?\)?|\s{1,80}\[\s{0,2}\d{1,3}%\])?\s{0,4}$/,
  /^\s{0,4}\[gw\d{1,3}\]|^gw\d{1,3} [\[IC]|^[.sxFE]{3,}\s{0,80}(?:\[\s{0,2}\d{1,3}%\])?$|^\S{1,200} [.sxFEX]{1,100}\s{1,80}\[\s{0,2}\d{1,3}%\]$|^scheduling tests via/,
  /^\d\d:\d\d \+\d{1,7}(?: ~\d{1,7})?(?: -\d{1,7})?: (?!.{0,300}\[E\]$)/,
  // banners
  /^> \S{1,80}@\S{1,40} |^> [\w./:-]{1,60}(?: |$)|^\$ |^yarn run v|^platform \w|^rootdir: |^plugins: |^cachedir: |^configfile: |^collecting|^collected \d|^TAP version|^\d{1,5}\.\.\d{1,5}$|^\s?RUN\s{1,3}v?\d|^running \d{1,7} tests?|^Node\.js v\d|^Bun v|^PHPUnit \d|^Runtime: |^Configuration: |^Random(?:ized)? (?:with )?seed|^Running \d{1,6} tests? using|^Test run for |^Determining projects|^Using (?:TestNG|JUnit)|^Picked up |^Scanning for projects|^Ran all test suites|^no tests ran|^Test project |^Internal ctest/,
  // progress
  /^\s{0,12}(?:Analyzing|Compiling|Building|Checking|Downloading|Downloaded|Finished|Fresh|Running|Updating|Locking|Adding|Resolving|Fetching|Installing|Collecting|Requirement already|Using cached|Preparing|Generating|Linking|Transforming|transforming|rendering|Restored|Restore|Bundling|Processing|Starting|Loaded|Watching|Done in|Built|Auto-merging|Configuring)\b(?!.{0,200}(?:\b[Ee]rror|[Ff]ail))/,
  /^\s{0,12}(?:Progress: |Packages: |added \d|Start \s{0,4}\d{1,5}: )(?!.{0,200}(?:\b[Ee]rror|[Ff]ail))/,
  /^\s{0,4}(?:\[\s{0,3}\d{1,3}%\]|\[\d{1,5}\/\d{1,5}\]|\(\d{1,5}\/\d{1,5}\)|-- |\d{1,3}%[ |]|.{0,60}[█▓▒░#]{5,}|\[INFO\]|\[DEBUG\]|INFO:? |DEBUG:? |PLAY )(?!.{0,200}(?:FAIL|\bfailed\b|\b[Ee]rrors?\b|ERROR))/,
  /^(?:make|gmake|ninja)(?:\[\d{1,3}\])?: (?:Entering|Leaving|Nothing|Waiting|Target)|^(?:gcc|cc|g\+\+|c\+\+|clang|ar|ld|rustc|go|javac) -/,
  // what the code under test printed, as told by jest
  /^\s{0,4}● Console$/,
  // summaries without content, times
  /^\s{0,4}(?:#|ℹ|i) (?:tests|suites|pass|cancelled|skipped|todo|duration_ms|fail 0)\b/,
  /^\s{0,8}(?:Duration|Start at|Time|Total [Tt]ime|Total Test time|Snapshots|Finished in|Environment|Transform|Date|Seed|Test Suites: 0|Total time|Total number of tests run|Run completed in|Took|real|user|sys)\b[: \t(=]{1,8}/,
  /^\s{0,8}(?:duration_ms|failureType|type|exitCode|signal|operator|generatedMessage|errno|syscall|requireStack|stack|diff): /,
  /^\s{0,8}(?:---|\.\.\.|[{}[\])(,;]{1,3})$/,
  /^Snapshot Summary$/,
  // hints
  /RUST_BACKTRACE|A complete log of this run|For a full report see|_logs\/|--stacktrace|--detectOpenHandles|Run with --|run with the -e|re-?run .{0,40}-X|To rerun|to see all|For more information about this error|For more (?:information|details)|[Ss]ee (?:also )?https?:|^\s{0,8}https?:\/\/\S{1,300}$|Try running|node --trace-|npm fund|npm audit|Error Context: |to chat with the team|Oops! Something|Get more help at|exclude it from the bundle|Learn more|^\s{0,4}(?:attachment|trace|video|screenshot)\b|^help: /,
  // coverage tables
  /^\s{0,4}\S{0,200}\s{0,200}\|\s{1,12}[\d.]{1,6} \|\s{1,12}[\d.]{1,6} \||^-{3,}\|-{3,}|^File\s{1,200}\|\s{1,8}%/,
];

/** Ends with a position: `(src/a.js:3:4)`, `a.rb:3:in 'x'`, `a.go:8 +0x7f`, `", line 3, in f`. */
const FRAME =
  /(?:\((?:[^()]{0,200}:\d{1,7}|<anonymous>|native|Native Method|Unknown Source)\)|[\w)\]>"'.-]:\d{1,7}(?: \+0x[0-9a-f]{1,12}|:in ['`][^'`]{0,200}['`]?|: in [^:]{1,200}|\))?|", line \d{1,7}(?:, in [^,]{0,200})?|\bline \d{1,7}[.)]?)(?: \{)?:?$/;
/** Says something before its position: `total(2): expected 4, got 5 (cart.c:11)`, `4 did not equal 5 (Cart.scala:9)`. */
const SAYS = /[\w)\]]: \S{1,100} \S|^\s{0,20}(?:\S{1,60} ){3,20}\(/;
const FRAME_START = /^\s{1,60}(?:at|in|from) \S|^\s{0,60}(?:❯ |File "|#\d{1,3} {1,4}\S|# \S|at \S)/;
const FOREIGN =
  /node_modules[/\\]|\bnode:|\binternal\/|<anonymous>\)?$|<frozen |[/\\](?:site|dist)-packages[/\\]|\/usr\/(?:local\/)?(?:lib|share|include)\/|\/python3\.\d{1,2}\/|importlib|_pytest|\/rustc\/|\.cargo\/|\/gems\/|\/ruby\/\d|[/\\]vendor[/\\]|\/pkg\/mod\/|\/go(?:-[\d.]+)?\/src\/|(?:testing|runtime)\/\w+\.go|\b(?:java|javax|jdk|sun|org\.junit|org\.gradle|org\.apache\.maven|org\.testng|kotlin|scala|System|Microsoft|Xunit|NUnit|clojure|groovy)\.[\w.$]+\(|<internal:|\/dist\/|Array\.map \(|Promise\.all|\[native code\]|deno:|ext:|jsr:|processTicksAndRejections|\(elixir |\(ex_unit |\(stdlib |erl_|async_hooks/;

const LOCATED =
  /^\s{0,12}(?:\[?(?:e|error|ERROR|Error)\]?:? )?(?:(?:file:\/\/)?[\w@.~/\\:-]{1,250}\.\w{1,10}|[\w./-]{0,200}\b(?:Makefile|Dockerfile|BUILD))(?:[:(]\[?\d{1,7}(?:[:,.] ?\d{1,7})?[\])]?(?:-\d{1,7}(?::\d{1,7})?)?|: line \d{1,7})\s?:?\s(?!› |\+0x)/;
const WARNING =
  /^\s{0,12}(?:\S{1,250}[:)] {0,2})?(?:\d{1,6}:\d{1,6}\s{1,8})?\[?(?:w:|[Ww]arn(?:ing)?|WARN(?:ING)?|note|info|hint|deprecated|DEPRECATED|notice)\b\]?(?:\[[\w-]{1,40}\])?|^npm (?:warn|WARN)\b|\bDeprecationWarning\b|\bDEPRECATED\b/;

const SUMMARY: readonly RegExp[] = [
  /^\s{0,12}(?:#|ℹ) fail \d|^\s{0,8}(?:Tests|Test Files|Test Suites|Tests run|Suites|Specs)\s{0,12}:?\s{1,12}\d|^(?:\d{1,7} \w{1,16},? ?){1,6}(?:in [\d.]|\(|$)|^FAILED \((?:failures|errors)|^FAIL(?:ED)?(?:[:!]|\s{1,4}\S{1,200}\s{1,4}[\d.]+s)?$|^test result: FAILED|^error: (?:test failed|could not compile|aborting due|script ".{1,60}" exited|Recipe|build failed|\d{1,6} target)|^\s{0,4}\d{1,7} (?:failing|passing|pending|failed|passed|errors?|problems?|tests?|examples?|runs?|failures?|warnings?|flaky|skipped|pass|fail|skip|todo|expect\(\) calls)\b|^✖ \d{1,7} problems?|^\s{0,2}[✖×✗] Build failed|^Found \d|^Ran \d{1,7} tests?|\bexited with (?:code|error|status)|exit (?:code|status) \d|^Errors? (?:occurred|while)|^Automatic merge failed|^\d{1,3}% tests passed|^The following tests FAILED|^BUILD FAILED|^FAILURES?!?:?$|^failures:$|^\s{0,4}ERRORS?:?$|^Failed tests:|errors? (?:were|was) (?:emitted|generated)|^\s{0,4}[✖×✗] Some errors|compiled with \d{1,6} errors?|^Tests?:? \d|^-- Configuring incomplete|Command failed|^error Command|^\s{0,4}ELIFECYCLE|^ERR_PNPM|Lifecycle script|^ code E?\w{1,30}$|^code E\w{1,30}$|command sh -c|^info Visit|Error during build|error during build:$|^Caused by:$|^\[INFO\]|^Fail(?:ed|ure)s?(?: Tests| Suites)? \d|^failing tests:$|^[✖×✗] failing tests:$|^Failed examples:$|^There (?:was|were) \d|^DONE \d|^=== (?:Failed|Skipped|Errors)$|^Failing (?:scenarios|tests):$/,
  /^\[ERROR\]\s{1,3}(?:(?:Failures|Errors):|Tests run: )/,
];

const FAILED: readonly RegExp[] = [
  // 00:00 +1 -1: total has tax [E]; total has tax => ./cart_test.ts:7:6
  /^\d\d:\d\d \+\d.{0,300} \[E\]$/,
  /\S => (?:\.{0,2}\/|file:|[\w-]{1,60}\/)\S{1,250}:\d{1,7}:\d{1,7}$/,
  // [chromium] › e2e/cart.spec.ts:7:6 › total has tax
  /^\s{0,20}(?:\[[\w -]{1,40}\] › )?[\w@.~/-]{1,250}:\d{1,7}:\d{1,7} › \S/,
  /^\s{0,20}(?:✖|✗|✘|✕|×|❌|●|⨯)\s{1,4}(?!\[ERROR\])\S/,
  /^\s{0,20}not ok \d{1,7}(?: - )?/,
  /^\s{0,20}--- FAIL: /,
  /^(?:FAIL|ERROR|FAILED)(?::| ) {0,4}\S.{0,300}(?:\(|::|>|\/|\.\w)/,
  /^\s{0,4}FAIL {1,3}\S/,
  /^\s{0,8}\d{1,5}\) \S/,
  /^\[\s{1,4}FAILED\s{1,4}\] \S/,
  /^test \S.{0,300} \.\.\. FAILED$/,
  /\*{3} ?(?:Failed|Exception|Timeout|Not Run)\b/,
  /^\s{0,4}Failed \S.{0,300}\[\d.{0,12}\]$/,
  /^#?\s{0,6}Failed test\b/,
  /(?:^|\s)FAIL(?:ED|URE)?(?:!|:|\s|$)(?!\s{0,3}\d{1,7}\b)/,
  /\bTest Failed at /,
  /^── (?:Failure|Error) \(/,
  /^\s{0,4}(?:Failure|Error) → /,
  /^\(fail\) \S|^\s{0,4}\d{1,4}\.\s{1,4}\w{0,60}(?:Error|Exception)\s{2}/,
];

const ERROR: readonly RegExp[] = [
  // error • Undefined name 'total' • lib/cart.dart:9:12
  /^\s{0,12}error [•·–—-] \S/,
  /^npm (?:error|ERR!) (?!code |path |command |syscall |errno |location |Lifecycle|workspace|Test failed)\S/,
  /^\s{0,12}\d{1,6}:\d{1,6}\s{1,8}(?:error|✖|×)\s/,
  /^\s{0,12}(?:E {1,8})(?:[\w.]{1,120}(?:Error|Exception|Warning|Exit|Interrupt|Failed)\b|assert|[\w.]{0,80}: )/,
  /^\s{0,20}(?:Uncaught |Unhandled |Unexpected |\[?(?:cause|reason)\]?: |Caused by: ?|Error: |thread '.{1,120}' )?(?:[\w$.]{1,120}::)?[\w$.]{0,120}(?:Error|Exception|Failure|Panic|Fault|Throwable)\b(?: \[[\w-]{1,60}\])?(?: \([\w.-]{1,60}\))?(?::|$| at | in | \[| \()/,
  /^\s{0,20}(?:✘ |✗ |× |\* )?\[?(?:error|ERROR|Error|fatal|FATAL|Fatal|panic|PANIC|failure|FAILURE|CRITICAL|critical|ERR!?)\]?(?:\[[\w-]{1,40}\]| [A-Z]{0,4}\d{1,6}| TS\d{1,6}| in| at| \w{1,12})?(?:: |! |:$| ["'./@]|\] )/,
  /\b(?:error|fatal error|ERROR|Error|fatal|FATAL)(?:\[\w{1,20}\])?(?: [A-Z]{1,6}\d{1,6})?: \S/,
  // 14:02:12  Failure in test not_null_orders_id (models/schema.yml)
  /^(?:\d\d:\d\d:\d\d {1,3})?(?:Failure|(?:Compilation |Database |Runtime )?Error) in (?:test|model|macro|seed|snapshot) \S|^\s{0,20}Assertion Failed: /,
  // ^-- SC2086 (info): Double quote to prevent globbing and word splitting.
  /^\s{0,200}\^-{1,200}\^? SC\d{4}\b/,
  /^CMake Error\b|\bE(?:CONN(?:REFUSED|RESET|ABORTED)|NOENT|ACCES|ADDRINUSE|TIMEDOUT|NOTFOUND|PIPE|AI_AGAIN)\b/,
  /\bpanicked at |^panic: |^fatal error: |^\s{0,4}\*\* \(\w|^CONFLICT \(|^Segmentation fault|(?:Segmentation fault|Aborted|Killed|Bus error|Illegal instruction|Floating point exception)(?: \(core dumped\))?$|^\*{3} |\*{3} \[|^Parse error|^Exception in|^Unhandled |^Uncaught |^thread '/,
  /(?:: |^)(?:[Nn]o such file|[Pp]ermission denied|command not found|not found$|[Cc]annot |[Cc]an't |[Cc]ould not |[Uu]nable to |[Ff]ailed to |[Ii]nvalid |[Uu]nknown |[Uu]nexpected |[Mm]issing |[Mm]odule not found|[Uu]ndefined |syntax error|[Cc]onnection refused|[Tt]imed? ?out)/,
  /\b(?:couldn't find|could not be found|does not exist|is not defined|is not recognized|cannot find|could not resolve|unable to resolve|already in use|does not meet|not satisfied|Cannot find module|cannot load such file|undefined (?:reference|name|variable|method|symbol)|No matching|not installed|Exceeded timeout|timed out after|assertion .{0,80}failed|Assertion .{0,80}failed)\b/,
];

const DETAIL: readonly RegExp[] = [
  /^\s{0,30}(?:E {1,8})\S/,
  /^\s{0,30}(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|[Gg]ot|[Ww]ant(?:ed)?|left|right|found|expect|to (?:equal|be|match)|but (?:was|got|found)|Difference|Expression|Evaluated|message|Message|error|code|reason|thrown|location|at line)\b.{0,20}[:=]/,
  /^\s{0,30}(?:- Expected|\+ Received|\+ actual - expected|--- Expected|\+\+\+ Actual|@@ )/,
  /^\s{0,30}[-+] {0,12}\S/,
  /^\s{0,30}.{1,200} (?:!==|!=|≠|===|==) .{1,200}$/,
  /^\s{0,30}\^[-~^]{0,200} \S/,
];

const PATH_ALONE = /^(?:file:\/\/)?[\w@.~/\\-]{0,250}[/\\][\w@.~-]{1,100}\.\w{1,10}:?$/;

const SOURCE =
  /^\s{0,12}(?:\[error\] {1,9})?(?:> ?)?\d{1,6}\s{0,6}(?:\d{1,6})?\s?[|│┃]|^\s{0,20}(?:\[error\] {1,20})?[|│╵╷┆·]\s|^\s{0,20}[|│]$|^\s{0,200}[\^~╵]{1,200}\s{0,4}$|^> {3,40}\S|^\s{0,8}= (?:note|help):/;

/** A row of a runner's list (meson, dbt) tells how that item ended, whatever else stands in it. */
const ROW_FAILED =
  /^(?:\d\d:\d\d:\d\d )?\s{0,4}\d{1,6}(?:\/| of )\d{1,6} (?:(?:FAIL|ERROR)\b|\S.{0,200} (?:FAIL|TIMEOUT|ERROR)\b)/;
const ROW_ENDED =
  /^(?:\d\d:\d\d:\d\d )?\s{0,4}\d{1,6}(?:\/| of )\d{1,6} (?:(?:START|PASS|OK|WARN|SKIP)\b|\S.{0,200} (?:OK|SKIP)\b)/;

/** The most common lines, tested first. */
const QUIET = /^\s{0,40}(?:✓|✔|√|ok \d|--- PASS|=== RUN)/;
const TRACEBACK =
  /^\s{0,12}(?:Traceback \(most recent call last\):|Traceback:|Stack:|Stack Trace:|Backtrace:|stack backtrace:)$/;
const PLAIN_RULE = /^[\s=\-_─━═⎯*~!╌┌┬┐└┴┘├┼┤╭╮╰╯]{3,}(?:\[\d{1,6}\/\d{1,6}\]⎯)?$/;
const RULE_START = /^[=_─━⎯!*-]{3,}/;
const RULE_END = /[=_─━⎯!*-]{3}$/;

/** The title set into a rule: `===== FAILURES =====`. */
function titleIn(text: string): string | undefined {
  const start = RULE_START.exec(text)?.[0].length;
  if (start === undefined || !RULE_END.test(text)) return undefined;
  let end = text.length;
  while (end > start && RULE_CHARS.includes(text[end - 1] ?? "")) end -= 1;
  const title = text.slice(start, end).trim();
  return /\p{L}/u.test(title) ? title : undefined;
}

const RULE_CHARS = "=_─━⎯!*-[]/0123456789 ";

const PARTS =
  /^(?:FAILURES|ERRORS|test session starts|short test summary info|warnings summary|PASSES|slowest .{1,40}|Captured .{1,40}|coverage.{0,60}|Failed (?:Tests|Suites)|Unhandled Errors?|\d.{0,200} in [\d.]{1,12}s.{0,20}|no tests ran.{0,30}|Interrupted.{0,100}|stopping after.{0,60})$/;

/** The beginning and end of a line are enough to classify it. */
const LOOKED_AT = { head: 240, tail: 60 };

const looked = (text: string): string =>
  text.length <= LOOKED_AT.head + LOOKED_AT.tail
    ? text
    : text.slice(0, LOOKED_AT.head) + text.slice(-LOOKED_AT.tail);

export const roleOf = (text: string): Role => roleOfShort(looked(text));

function roleOfShort(text: string): Role {
  if (text === "") return "blank";
  if (QUIET.test(text)) return "noise";
  if (TRACEBACK.test(text)) return "blank";
  if (PLAIN_RULE.test(text)) return "rule";
  const title = titleIn(text);
  if (title !== undefined) return PARTS.test(title) ? "section" : "failed";
  const any = (patterns: readonly RegExp[]): boolean => patterns.some((one) => one.test(text));
  if (FRAME_START.test(text) && (FRAME.test(text) || FOREIGN.test(text)))
    return FOREIGN.test(text) ? "frame" : "place";
  if (SOURCE.test(text)) return "source";
  if (ROW_FAILED.test(text)) return "failed";
  if (ROW_ENDED.test(text) || any(NOISE)) return "noise";
  if (any(SUMMARY)) return "summary";
  if (WARNING.test(text)) return "warning";
  if (LOCATED.test(text) && !FOREIGN.test(text) && text.trim().includes(" ")) return "error";
  if (any(FAILED)) return "failed";
  if (any(ERROR)) return "error";
  if (any(DETAIL)) return "detail";
  if (PATH_ALONE.test(text)) return FOREIGN.test(text) ? "frame" : "place";
  if (FRAME.test(text)) return FOREIGN.test(text) ? "frame" : SAYS.test(text) ? "detail" : "place";
  return FOREIGN.test(text) ? "frame" : "text";
}
