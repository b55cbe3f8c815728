/**
 * What is kept of a failed check's output: the excerpt shown in prompts, screens, reports and questions, the failing
 * items as data, whether the code loads at all, and the fingerprint. Invariants: bounded and clean, whatever was
 * printed; a failing test is not broken code, whatever its message says, unless its file failed to load.
 */
import { signatureOf } from "../classify/signature.ts";
import { cleanText } from "../foreign-text.ts";
import { excerptOf } from "./excerpt.ts";
import { signatureOfFailures } from "./failure-signature.ts";
import { failingItem, type FailingItem } from "./failing-items.ts";
import type { Failure } from "./failures.ts";
import { anyOf, isGenericFailure } from "./order.ts";

export interface CheckExcerpt {
  /** What failed and how, in one line. */
  readonly headline: string;
  readonly text: string;
  /** Causes first; at most `MAX_ITEMS`. */
  readonly items: readonly FailingItem[];
  /** The code does not compile or load, so nothing was judged. */
  readonly broken?: true;
  readonly signature: string;
}

const MAX_ITEMS = 20;
const MAX_TEXT = 6000;

export interface CheckOutput {
  readonly command?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

export function checkExcerpt(output: CheckOutput, budget?: number): CheckExcerpt {
  const { headline, text, failures } = excerptOf(output, budget === undefined ? {} : { budget });
  return {
    headline,
    text: cleanText(text, { maxChars: Math.max(MAX_TEXT, budget ?? 0) }),
    items: failures.slice(0, MAX_ITEMS).map(failingItem),
    ...(isBrokenCode(failures, text) ? { broken: true } : {}),
    signature: signatureOfFailures(failures) ?? signatureOf(`${output.command ?? ""}\n${text}`),
  };
}

const FILE = "[\\w@.~/\\\\-]{1,250}\\.\\w{1,10}";

/** Compiler errors: a source position marked as an error, or an error with the compiler's number. */
const COMPILER = anyOf(
  // src/a.c:3:5: error: …, Foo.java:3: error: …, a.ts(3,5): error TS1005: …, a.kt:3:5: error: …
  `^\\s{0,4}(?:\\[?[Ee](?:rror|RROR)?\\]?:? )?(?:file://)?${FILE}(?::\\d{1,7}(?::\\d{1,7})?|\\(\\d{1,7}(?:, ?\\d{1,7})?\\)|:\\[\\d{1,7},\\d{1,7}\\]):?(?: -)? (?:fatal )?(?:[Ee]rror|ERROR)\\b`,
  // [error] src/A.scala:9:18: type mismatch, [ERROR] src/A.java:[14,20] cannot find symbol
  `^\\[(?:error|ERROR)\\] ${FILE}:(?:\\d{1,7}:\\d{1,7}:|\\[\\d{1,7},\\d{1,7}\\]) \\S`,
  "^Error: (?:Unbound |This (?:expression|pattern) has type )|^(?:Type error|TypeScript error)\\b",
  "^\\s{0,4}(?:error|ERROR)(?: in \\S{1,250})?(?:: |\\s)(?:TS[1-4789]|CS|FS|BC|C|LNK)\\d{3,5}:",
  "\\berror\\[E\\d{2,5}\\]|\\berror: \\[GHC-\\d{1,6}\\]|^e: (?:file://)?\\S",
  // ./a.go:3:5: undefined: x
  `^(?:vet: )?(?:\\./)?[\\w@.~/-]{1,250}\\.go:\\d{1,7}:\\d{1,7}: \\S`,
  "\\bundefined reference to |\\bundefined symbols?\\b|\\bld returned \\d|^ld: |\\bduplicate symbol\\b",
);

/** Errors in the syntax of a file, as named by interpreters, bundlers and formatters. */
const SYNTAX = anyOf(
  "^\\s{0,12}(?:E {1,8})?(?:\\[?[Ee]rror\\]?:? )?(?:\\S{1,250}: )?(?:PHP )?(?:SyntaxError|IndentationError|TabError|[Pp]arse [Ee]rror|Parsing error|ParseError|CompileError|TokenError)\\b",
  "^\\s{0,12}(?:Error: )?(?:Transform failed with|Failed to parse|Failed to compile|Unable to parse|Build failed with)\\b",
  "\\bsyntax error(?:[:,] |$)|: syntax error at ",
  "^\\*\\* \\((?:SyntaxError|TokenMissingError|CompileError|MismatchedDelimiterError)\\)",
);

/** Text that a program parses as data is not code. */
const DATA = /\bJSON\b|\bjson\b|\bat position \d|\bYAML\b|\bSQL\b|\bnear line \d|\bnear "/;

const LOADING = anyOf(
  "(?:Cannot|Could not|Couldn't|cannot|could not) (?:find|resolve|load) (?:the )?(?:module|package|import|such file|name)\\b",
  "\\b(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ModuleNotFoundError|ImportError|LoadError)\\b",
  "\\bModule not found\\b|\\bCan't resolve\\b|[Cc]ould not resolve [\"']|[Ff]ailed to resolve import|[Uu]nresolved import",
  "cannot load such file|[Nn]o module named|does not provide an export named|cannot import name",
);

/** Titles or messages of a file that failed before any of its tests ran. */
const OF_A_FILE = anyOf(
  "\\b(?:Test suite failed to run|ERROR collecting\\b|ImportError while importing|error occurred (?:while loading|outside of examples))",
  "_FailedTest\\b|\\[(?:build|setup) failed\\]",
  // FAIL test/date.test.ts [ test/date.test.ts ], not ok 1 - test/cart.test.js
  `^(?:[✖✗✘✕×❌●⨯] |not ok \\d{1,7} - |FAIL {1,3}|ERROR in )?(?:file://)?${FILE}(?: \\[ \\S{1,250} \\]|(?: \\([\\d.]{1,12} ?m?s\\)))?(?::| \\d{1,6}:\\d.{0,20})?$`,
);
const NO_TESTS = /must contain at least one test|No test suite found/;

/** How many lines of a message are read to find out what it is about. */
const TELLING = 4;

/** A linter's rule name, in a line that otherwise looks like a compiler's. */
const LINT =
  /\bclippy::|\blint\/|\((?!typecheck)[a-z]{3,20}\)$|\bno-[a-z]{2,20}(?:-[a-z]{2,20}){0,4}$/;
/** Assertions of tests that print like a compiler. */
const ASSERTION =
  /\bXCT[A-Z]\w{1,40} failed\b|\bExpectation failed\b|\b[Aa]ssert(?:ion)?\w{0,20} failed/;

/**
 * Whether the code does not compile or load, so that nothing was judged: a compiler error, or a syntax or import error
 * of a file. `text`: used instead if no failure was found in the output.
 */
const isBrokenCode = (failures: readonly Failure[], text: string): boolean =>
  failures.length > 0
    ? failures.some((failure) => isCodeError(failure) && !isGenericFailure(failure))
    : isCodeError({ message: text.split("\n"), places: [], source: [], from: 0, to: 0 });

function isCodeError({ title, message, places, source }: Failure): boolean {
  const told = message.slice(0, TELLING);
  const has = (pattern: RegExp): boolean => told.some((line) => pattern.test(line));
  if (has(NO_TESTS) || has(ASSERTION) || [...told, ...source].some((line) => LINT.test(line)))
    return false;
  const isFile = OF_A_FILE.test(title ?? "") || has(OF_A_FILE);
  if (title !== undefined && !isFile) return false;
  if (has(COMPILER) || (title !== undefined && COMPILER.test(title))) return true;
  if (has(SYNTAX) && !has(DATA)) return true;
  if (has(LOADING)) return true;
  // rustc: the error stands alone, with its position below it
  if (/^error: /.test(told[0] ?? "") && places.some((place) => place.includes("-->"))) return true;
  return /Test suite failed to run|ERROR collecting|_FailedTest|\[build failed\]/.test(title ?? "");
}
