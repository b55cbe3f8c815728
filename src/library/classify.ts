/** `classify` for library users: the rule book may be left out. */
import { classify as classifyBy } from "../core/classify/classify.ts";
import { NO_RULES } from "../core/classify/rule-book.ts";
import type { RuleBook } from "../core/classify/rule-book.ts";
import type { Evidence } from "../core/evidence.ts";
import type { Failure } from "../core/failure.ts";

/**
 * What failed, and why we think so. Never throws.
 * @param rules `standardRules()` of `unstuck/rules`. Without them texts are not read: status, errno, exit code, signal
 * and the error type a service names decide alone.
 */
export const classify = (evidence: Evidence, rules: RuleBook = NO_RULES): Failure =>
  classifyBy(evidence, rules);
