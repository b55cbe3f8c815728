/**
 * For every rule a line that it catches and a near miss that it leaves alone, from the table of the same name as the
 * rule's own.
 */
import type { Examples } from "./example.ts";
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

export const EXAMPLES: Examples = {
  ...AGENTS,
  ...ARGUMENTS,
  ...CALL_GRAMMAR,
  ...COMMAND_HINTS,
  ...COMMANDS,
  ...COMPILERS_AND_BUILDS,
  ...CREDENTIALS,
  ...FILES,
  ...GIT,
  ...LIMITS,
  ...MODEL_ANSWERS,
  ...NETWORK,
  ...ORDINARY,
  ...PERMISSIONS,
  ...PYTHON_AND_JS_PACKAGES,
  ...RESOURCES,
  ...SERVICE_HINTS,
  ...SYNTAX,
  ...SYSTEM_PACKAGES,
  ...TEST_REPORTS,
  ...FAILED_TESTS,
  ...LINTERS,
  ...TIMEOUTS,
  ...TYPED_CODES,
};
