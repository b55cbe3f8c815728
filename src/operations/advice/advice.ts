/**
 * Advice that depends only on its input: the kind of a failure, what to try against it, whether a model's answer or
 * tool call is acceptable, and a recovery policy with all its defaults.
 */
import type { Evidence } from "../../core/evidence.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { policyJsonSchema, policyNamed, readPolicy } from "../../core/policy/read.ts";
import { repairPlan } from "../../core/repair/repair-plan.ts";
import type { RepairPlan } from "../../core/repair/repair.ts";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import { validateJsonAnswer, type AnswerVerdict } from "../../core/validate/json-answer.ts";
import { validateToolCall } from "../../core/validate/tool-call.ts";
import { readToolSpecs } from "../../core/validate/tool-specs.ts";
import { operation, ProblemError } from "../operation.ts";
import { packageNames } from "../setup/manifests.ts";
import { describeProblems } from "../text.ts";
import { evidenceNow, evidenceOfText, evidenceProblem } from "./evidence.ts";
import type { EvidenceInput } from "./schemas.ts";

export type { AnswerVerdict, EvidenceInput, RepairPlan };

export const BASIC_TOOLS: readonly string[] = ["run_bash", "read_file", "read_dir", "write_file"];

export const classifyFailure = operation({
  name: "classify",
  schemas: async () => (await import("./schemas.ts")).classifyFailure,
  run: (_context, input) => classifyByStandardRules(evidenceIn(input)),
});

export const suggestRepair = operation({
  name: "suggest",
  schemas: async () => (await import("./schemas.ts")).suggestRepair,
  run({ cwd }, input) {
    const evidence = evidenceIn(input);
    return repairPlan({
      failure: classifyByStandardRules(evidence),
      evidence,
      tools: input.tools ?? BASIC_TOOLS,
      sandboxRoot: input.sandbox ?? process.env["TOOLS_FS_ROOT"] ?? cwd,
      mode: "suggest",
      firstSteps: true,
      platform: process.platform,
      manifestNames: packageNames(cwd),
    });
  },
});

function evidenceIn({ text, fields, called }: EvidenceInput): Evidence {
  const reading =
    text === undefined ? evidenceNow(fields) : evidenceOfText(text, { ...(fields as object) });
  if (!reading.ok) throw new ProblemError("bad-input", evidenceProblem(reading, called));
  return reading.evidence;
}

export const validateAnswer = operation({
  name: "validate",
  schemas: async () => (await import("./schemas.ts")).validateAnswer,
  run(_context, { answer, schema, tools, called = "tools" }) {
    const verdict =
      tools === undefined
        ? validateJsonAnswer(answer, schema)
        : validateToolCall(answer, toolsFrom(tools, called));
    if (verdict.schemaError === undefined) return verdict;
    const why = cleanLine(verdict.schemaError, 300);
    throw new ProblemError("bad-input", `the schema cannot be used: ${why}`);
  },
});

export function toolsFrom(value: unknown, called: string) {
  const reading = readToolSpecs(value);
  if (reading.ok) return reading.tools;
  throw new ProblemError("bad-input", `${cleanLine(called)}${reading.place}: ${reading.problem}`);
}

export { POLICY_NAMES } from "../../core/policy/read.ts";

/** A policy by name or from a file, complete, with every default filled in. */
export const showPolicy = operation({
  name: "policy-show",
  schemas: async () => (await import("./schemas.ts")).showPolicy,
  run(_context, input) {
    if ("preset" in input) {
      const named = policyNamed(input.preset);
      if (named.ok) return named.value;
      throw new ProblemError("bad-input", named.problem);
    }
    const reading = readPolicy(input.text);
    if (reading.ok) return reading.value;
    throw new ProblemError("bad-input", describeProblems(input.called, reading.problems));
  },
});

export const checkPolicy = operation({
  name: "policy-check",
  schemas: async () => (await import("./schemas.ts")).checkPolicy,
  run(_context, { text }) {
    const reading = readPolicy(text);
    if (!reading.ok) return { ok: false as const, problems: reading.problems };
    const { value } = reading;
    const rungs = value.policy === "ladder" ? { rungs: value.rungs.length } : {};
    return { ok: true as const, name: value.name, ...rungs };
  },
});

export const policySchema = operation({
  name: "policy-schema",
  schemas: async () => (await import("./schemas.ts")).policySchema,
  run: () => policyJsonSchema(),
});
