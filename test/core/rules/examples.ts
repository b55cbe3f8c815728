/**
 * For every rule a line that it catches and a near miss that it leaves alone, from the table of the same name as the
 * rule's own.
 */
import type { Examples } from "./example.ts";
import { AGENTS } from "./agents.ts";
import { ARGUMENTS } from "./arguments.ts";
import { BUILD_TOOLS } from "./build-tools.ts";
import { COMMAND_HINTS } from "./command-hints.ts";
import { COMMANDS } from "./commands.ts";
import { COMPILE_ERRORS } from "./compile-errors.ts";
import { CONNECTIONS } from "./connections.ts";
import { CREDENTIALS } from "./credentials.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { LIMITS } from "./limits.ts";
import { LINT_CHECKS } from "./lint-checks.ts";
import { MODEL_ANSWERS } from "./model-answers.ts";
import { NETWORK } from "./network.ts";
import { ORDINARY } from "./ordinary.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PYTHON_AND_JS_PACKAGES } from "./python-and-js-packages.ts";
import { RESOURCES } from "./resources.ts";
import { SERVICE_HINTS } from "./service-hints.ts";
import { SYNTAX } from "./syntax.ts";
import { SYSTEM_PACKAGES } from "./system-packages.ts";
import { TEST_SUMMARIES } from "./test-summaries.ts";
import { TIMEOUTS } from "./timeouts.ts";
import { TYPED_CODES } from "./typed-codes.ts";

export const EXAMPLES: Examples = {
  ...AGENTS,
  ...ARGUMENTS,
  ...BUILD_TOOLS,
  ...COMMAND_HINTS,
  ...COMMANDS,
  ...COMPILE_ERRORS,
  ...CONNECTIONS,
  ...CREDENTIALS,
  ...FILES,
  ...GIT,
  ...LIMITS,
  ...LINT_CHECKS,
  ...MODEL_ANSWERS,
  ...NETWORK,
  ...ORDINARY,
  ...PERMISSIONS,
  ...PYTHON_AND_JS_PACKAGES,
  ...RESOURCES,
  ...SERVICE_HINTS,
  ...SYNTAX,
  ...SYSTEM_PACKAGES,
  ...TEST_SUMMARIES,
  ...TIMEOUTS,
  ...TYPED_CODES,
};
