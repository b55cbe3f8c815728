/**
 * The one list of text rules, joined from the tables by theme. Invariant: ids are unique (a test checks it); order
 * breaks ties, so it is part of the behaviour.
 */
import type { Rule } from "./rule.ts";
import { AGENTS } from "./rules/agents.ts";
import { ARGUMENTS } from "./rules/arguments.ts";
import { BUILD_TOOLS } from "./rules/build-tools.ts";
import { CERTIFICATES } from "./rules/certificates.ts";
import { COMMANDS } from "./rules/commands.ts";
import { COMPILE_ERRORS } from "./rules/compile-errors.ts";
import { CREDENTIALS } from "./rules/credentials.ts";
import { FILES } from "./rules/files.ts";
import { JS_PACKAGES } from "./rules/js-packages.ts";
import { LIMITS } from "./rules/limits.ts";
import { LINT_CHECKS } from "./rules/lint-checks.ts";
import { MERGES } from "./rules/merges.ts";
import { MODEL_ANSWERS } from "./rules/model-answers.ts";
import { MODEL_HINTS } from "./rules/model-hints.ts";
import { NETWORK } from "./rules/network.ts";
import { ORDINARY } from "./rules/ordinary.ts";
import { OUTCOME_HINTS } from "./rules/outcome-hints.ts";
import { PERMISSIONS } from "./rules/permissions.ts";
import { PYTHON_PACKAGES } from "./rules/python-packages.ts";
import { RARE_TOOLS } from "./rules/rare-tools.ts";
import { RESOURCES } from "./rules/resources.ts";
import { SERVICE_HINTS } from "./rules/service-hints.ts";
import { SHELL_HINTS } from "./rules/shell-hints.ts";
import { SPENDING } from "./rules/spending.ts";
import { SUBCOMMANDS } from "./rules/subcommands.ts";
import { SYNTAX } from "./rules/syntax.ts";
import { SYSTEM_PACKAGES } from "./rules/system-packages.ts";
import { TEST_SUMMARIES } from "./rules/test-summaries.ts";
import { TIMEOUTS } from "./rules/timeouts.ts";
import { TOOL_CALLS } from "./rules/tool-calls.ts";
import { TYPED_CODES } from "./rules/typed-codes.ts";

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
