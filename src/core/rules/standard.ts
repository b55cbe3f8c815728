/**
 * The standard rule book: all tables of this folder. Invariants: ids are unique (a test checks this); order breaks
 * ties, so it is part of the behaviour; the book is built once, on first use.
 */
import { classify } from "../classify/classify.ts";
import { refusedDestruction } from "../classify/refused-command.ts";
import type { Rule } from "../classify/rule.ts";
import { buildRuleBook, type RuleBook } from "../classify/rule-book.ts";
import type { Evidence } from "../evidence.ts";
import { checkExcerpt } from "../excerpt/check-excerpt.ts";
import type { Failure } from "../failure.ts";
import { AGENTS } from "./agents.ts";
import { ARGUMENTS } from "./arguments.ts";
import { CALL_GRAMMAR } from "./call-grammar.ts";
import { COMMAND_HINTS } from "./command-hints.ts";
import { COMMANDS } from "./commands.ts";
import { COMPILERS_AND_BUILDS } from "./compilers-and-builds.ts";
import { CREDENTIALS } from "./credentials.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { LIMITS } from "./limits.ts";
import { MODEL_ANSWERS } from "./model-answers.ts";
import { NETWORK } from "./network.ts";
import { ORDINARY } from "./ordinary.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PYTHON_AND_JS_PACKAGES } from "./python-and-js-packages.ts";
import { RESOURCES } from "./resources.ts";
import { SERVICE_HINTS } from "./service-hints.ts";
import { SYNTAX } from "./syntax.ts";
import { SYSTEM_PACKAGES } from "./system-packages.ts";
import { TEST_REPORTS } from "./test-reports.ts";
import { FAILED_TESTS } from "./failed-tests.ts";
import { LINTERS } from "./linters.ts";
import { TIMEOUTS } from "./timeouts.ts";
import { TYPED_CODES } from "./typed-codes.ts";

export const RULES: readonly Rule[] = [
  ...FAILED_TESTS,
  ...LINTERS,
  ...TEST_REPORTS,
  ...COMPILERS_AND_BUILDS,
  ...PYTHON_AND_JS_PACKAGES,
  ...SYSTEM_PACKAGES,
  ...COMMANDS,
  ...ARGUMENTS,
  ...CALL_GRAMMAR,
  ...SYNTAX,
  ...FILES,
  ...PERMISSIONS,
  ...RESOURCES,
  ...NETWORK,
  ...TIMEOUTS,
  ...GIT,
  ...CREDENTIALS,
  ...LIMITS,
  ...MODEL_ANSWERS,
  ...AGENTS,
  ...ORDINARY,
  ...TYPED_CODES,
  ...SERVICE_HINTS,
  ...COMMAND_HINTS,
];

let book: RuleBook | undefined;

export const standardRules = (): RuleBook =>
  (book ??= {
    ...buildRuleBook(RULES),
    readCheck: (output) => checkExcerpt(output),
    readRefusal: refusedDestruction,
  });

export const classifyByStandardRules = (evidence: Evidence): Failure =>
  classify(evidence, standardRules());
