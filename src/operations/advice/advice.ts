/**
 * Advice from nothing but what is given: what kind of failure this is, what to try against it, whether a model's
 * answer or tool call can be accepted, whether an agent goes in circles, what a recovery policy comes to.
 */
import { parse } from "yaml";
import { judgeCase } from "../../agents/output/case-line.ts";
import { createTranscriptReader } from "../../agents/output/transcript.ts";
import type { Evidence } from "../../core/evidence.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { PRESETS } from "../../core/policy/presets.ts";
import { policyJsonSchema, readPolicy } from "../../core/policy/read.ts";
import { repairPlan } from "../../core/repair/repair-plan.ts";
import type { RepairPlan } from "../../core/repair/repair.ts";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import { DEFAULT_STUCK_CONFIG, readStuckConfig } from "../../core/stuck/config.ts";
import type { StuckConfig } from "../../core/stuck/config.ts";
import { createStuckDetector } from "../../core/stuck/detector.ts";
import type { StuckVerdict } from "../../core/stuck/verdict.ts";
import { validateJsonAnswer, type AnswerVerdict } from "../../core/validate/json-answer.ts";
import { readToolSpecs, validateToolCall } from "../../core/validate/tool-call.ts";
import { defined, operation, ProblemError, type InputOf } from "../operation.ts";
import { packageNames } from "../setup/manifests.ts";
import { describeProblems } from "../text.ts";
import { evidenceNow, evidenceOfText, evidenceProblem } from "./evidence.ts";
import type { EvidenceInput } from "./schemas.ts";

export { TRANSCRIPT_FORMATS } from "../../agents/registry.ts";
export type { AnswerVerdict, EvidenceInput, RepairPlan, StuckVerdict };

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

/** The verdict became another one at this step. */
export interface VerdictChanged {
  readonly step: number;
  readonly line: number;
  readonly verdict: StuckVerdict;
}

/** Reads a transcript as it comes, and tells each verdict that differs from the one before it. */
export const detectLoops = operation({
  name: "detect",
  schemas: async () => (await import("./schemas.ts")).detectLoops,
  async run(
    _context,
    { chunks, format, config, untilStuck },
    on: (changed: VerdictChanged) => void,
  ) {
    const reader = createTranscriptReader(format);
    const detector = createStuckDetector(
      config === undefined ? DEFAULT_STUCK_CONFIG : configFrom(config),
    );
    let steps = 0;
    let last: StuckVerdict = { level: "none" };
    let stuck: StuckVerdict | undefined;
    let problems = 0;
    let firstProblem: string | undefined;
    const take = (piece: ReturnType<typeof reader.push>): void => {
      for (const { line, problem } of piece.problems) {
        problems += 1;
        firstProblem ??= `line ${line}: ${problem}`;
        if (format === "steps") throw new ProblemError("bad-input", firstProblem);
      }
      for (const { line, step } of piece.steps) {
        const verdict = detector.step(step);
        if (verdict.level !== last.level || verdict.pattern !== last.pattern) {
          if (verdict.level === "stuck") stuck ??= verdict;
          on({ step: steps, line, verdict });
          last = verdict;
        }
        steps += 1;
      }
    };
    for await (const chunk of chunks) {
      take(reader.push(chunk));
      if (untilStuck === true && stuck !== undefined) break;
    }
    take(reader.end());
    if (steps === 0 && firstProblem !== undefined)
      throw new ProblemError(
        "bad-input",
        `${firstProblem}; nothing in the input looks like ${format}`,
      );
    return { steps, problems, ...defined({ stuck }) };
  },
});

export type DetectInput = InputOf<typeof detectLoops>;

function configFrom({ text, called }: NonNullable<DetectInput["config"]>): StuckConfig {
  const fail = (problem: string): never => {
    throw new ProblemError("bad-input", `${cleanLine(called)}${problem}`);
  };
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    fail(` is not YAML: ${cleanLine(String(error))}`);
  }
  const section =
    typeof value === "object" && value !== null && "stuck" in value ? value.stuck : value;
  const reading = readStuckConfig(section);
  if (reading.ok) return reading.config;
  const [first] = reading.problems;
  return fail(`: ${first?.path ?? ""}: ${first?.problem ?? ""}`);
}

/** One `{id, steps, config?}`: the verdict after its last step. */
export const detectCase = operation({
  name: "detect-case",
  schemas: async () => (await import("./schemas.ts")).detectCase,
  run(_context, { given, called }) {
    const reading = judgeCase(given);
    if (reading.ok) return reading.verdict;
    throw new ProblemError("bad-input", `${called}, field ${reading.field}: ${reading.problem}`);
  },
});

export const PRESET_NAMES = Object.keys(PRESETS) as readonly (keyof typeof PRESETS)[];

/** A preset or a file, complete, with every default filled in. */
export const showPolicy = operation({
  name: "policy-show",
  schemas: async () => (await import("./schemas.ts")).showPolicy,
  run(_context, input) {
    if ("preset" in input) return PRESETS[input.preset];
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
    return { ok: true as const, name: reading.value.name, rungs: reading.value.rungs.length };
  },
});

export const policySchema = operation({
  name: "policy-schema",
  schemas: async () => (await import("./schemas.ts")).policySchema,
  run: () => policyJsonSchema(),
});
