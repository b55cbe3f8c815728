/**
 * Advice from nothing but what is given: what kind of failure this is, what to try against it, whether a model's
 * answer or tool call can be accepted.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { Failure } from "../../core/failure.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { repairPlan } from "../../core/repair/repair-plan.ts";
import type { RepairPlan } from "../../core/repair/repair.ts";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import { validateJsonAnswer } from "../../core/validate/json-answer.ts";
import type { AnswerVerdict } from "../../core/validate/json-answer.ts";
import { readToolSpecs, validateToolCall } from "../../core/validate/tool-call.ts";
import { operation, ProblemError } from "../operation.ts";
import { manifestNames } from "../setup/manifests.ts";
import { evidenceNow, evidenceOfText, evidenceProblem } from "./evidence.ts";

export type { AnswerVerdict, RepairPlan };

export interface EvidenceInput {
  /** A log, or evidence as JSON. */
  readonly text?: string | undefined;
  /** Evidence by its fields; they win over the text. */
  readonly fields?: unknown;
  /** How a problem names what was given. */
  readonly called?: string | undefined;
}

export interface SuggestInput extends EvidenceInput {
  readonly tools?: readonly string[] | undefined;
  /** Where files may be written; default: TOOLS_FS_ROOT or the current folder. */
  readonly sandbox?: string | undefined;
}

export interface ValidateInput {
  readonly answer: string;
  /** A JSON Schema that the answer must fit. */
  readonly schema?: unknown;
  /** Tools (own, MCP, Anthropic or OpenAI shape) that the answer must be a call of. */
  readonly tools?: unknown;
  readonly called?: string | undefined;
}

export const BASIC_TOOLS: readonly string[] = ["run_bash", "read_file", "read_dir", "write_file"];

export const classifyFailure = operation<EvidenceInput, Failure>({
  name: "classify",
  schemas: async () => (await import("./schemas.ts")).classifyFailure,
  run: (_context, input) => classifyByStandardRules(evidenceIn(input)),
});

export const suggestRepair = operation<SuggestInput, RepairPlan>({
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
      platform: process.platform,
      manifestNames: manifestNames(cwd),
    });
  },
});

function evidenceIn({ text, fields, called }: EvidenceInput): Evidence {
  const reading =
    text === undefined ? evidenceNow(fields) : evidenceOfText(text, { ...(fields as object) });
  if (!reading.ok) throw new ProblemError("bad-input", evidenceProblem(reading, called));
  return reading.evidence;
}

export const validateAnswer = operation<ValidateInput, AnswerVerdict>({
  name: "validate",
  schemas: async () => (await import("./schemas.ts")).validateAnswer,
  run(_context, { answer, schema, tools, called = "tools" }) {
    const verdict =
      tools === undefined
        ? validateJsonAnswer(answer, schema)
        : validateToolCall(answer, toolsFrom(tools, called));
    if (verdict.schemaError === undefined) return verdict;
    const words = tameLine(verdict.schemaError, 300);
    throw new ProblemError("bad-input", `the schema cannot be used: ${words}`);
  },
});

function toolsFrom(value: unknown, called: string) {
  const reading = readToolSpecs(value);
  if (reading.ok) return reading.tools;
  throw new ProblemError("bad-input", `${tameLine(called)}${reading.place}: ${reading.problem}`);
}
