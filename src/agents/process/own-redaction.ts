/**
 * Redaction for a process that is started outside of a run: secrets by their looks, and by value those of its
 * environment.
 */
import { secretsOf } from "../../core/redact/known-values.ts";
import type { Environment } from "../../core/redact/known-values.ts";
import { redactionOf } from "../../core/redact/redaction.ts";
import type { Redaction } from "../../core/redact/redaction.ts";

export const ownRedaction = (env: Environment): Redaction => redactionOf(secretsOf(env));
