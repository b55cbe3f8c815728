/**
 * The standard rule book: all tables of this folder. Invariants: ids are unique (a test checks it); order breaks
 * ties, so it is part of the behaviour; the book is built when it is first asked for, once.
 */
import { classify } from "../classify/classify.ts";
import type { Rule } from "../classify/rule.ts";
import { buildRuleBook } from "../classify/rule-book.ts";
import type { RuleBook } from "../classify/rule-book.ts";
import type { Evidence } from "../evidence.ts";
import type { Failure } from "../failure.ts";
import { AGENTS } from "./agents.ts";
import { ARGUMENTS } from "./arguments.ts";
import { BUILD_TOOLS } from "./build-tools.ts";
import { CERTIFICATES } from "./certificates.ts";
import { COMMANDS } from "./commands.ts";
import { COMPILE_ERRORS } from "./compile-errors.ts";
import { CREDENTIALS } from "./credentials.ts";
import { FILES } from "./files.ts";
import { JS_PACKAGES } from "./js-packages.ts";
import { LIMITS } from "./limits.ts";
import { LINT_CHECKS } from "./lint-checks.ts";
import { MERGES } from "./merges.ts";
import { MODEL_ANSWERS } from "./model-answers.ts";
import { MODEL_HINTS } from "./model-hints.ts";
import { NETWORK } from "./network.ts";
import { ORDINARY } from "./ordinary.ts";
import { OUTCOME_HINTS } from "./outcome-hints.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PYTHON_PACKAGES } from "./python-packages.ts";
import { RARE_TOOLS } from "./rare-tools.ts";
import { RESOURCES } from "./resources.ts";
import { SERVICE_HINTS } from "./service-hints.ts";
import { SHELL_HINTS } from "./shell-hints.ts";
import { SPENDING } from "./spending.ts";
import { SUBCOMMANDS } from "./subcommands.ts";
import { SYNTAX } from "./syntax.ts";
import { SYSTEM_PACKAGES } from "./system-packages.ts";
import { TEST_SUMMARIES } from "./test-summaries.ts";
import { TIMEOUTS } from "./timeouts.ts";
import { TOOL_CALLS } from "./tool-calls.ts";
import { TYPED_CODES } from "./typed-codes.ts";

export const RULES: readonly Rule[] = [
  ...TEST_SUMMARIES,
  ...LINT_CHECKS,
  ...COMPILE_ERRORS,
  ...BUILD_TOOLS,
  ...PYTHON_PACKAGES,
  ...JS_PACKAGES,
  ...SYSTEM_PACKAGES,
  ...COMMANDS,
  ...ARGUMENTS,
  ...SUBCOMMANDS,
  ...TOOL_CALLS,
  ...SYNTAX,
  ...FILES,
  ...PERMISSIONS,
  ...RESOURCES,
  ...NETWORK,
  ...CERTIFICATES,
  ...TIMEOUTS,
  ...MERGES,
  ...CREDENTIALS,
  ...SPENDING,
  ...LIMITS,
  ...MODEL_ANSWERS,
  ...AGENTS,
  ...ORDINARY,
  ...RARE_TOOLS,
  ...TYPED_CODES,
  ...MODEL_HINTS,
  ...SERVICE_HINTS,
  ...SHELL_HINTS,
  ...OUTCOME_HINTS,
];

let book: RuleBook | undefined;

export const standardRules = (): RuleBook => (book ??= buildRuleBook(RULES));

export const classifyByStandardRules = (evidence: Evidence): Failure =>
  classify(evidence, standardRules());
