/** Recovery policies: a preset or a file as it will be used, what is wrong with a file, the JSON Schema of one. */
import { cleanLine } from "../../core/foreign-text.ts";
import { policyJsonSchema, readPolicy } from "../../core/policy/read.ts";
import { PRESETS } from "../../core/policy/presets.ts";
import type { LadderPolicy } from "../../core/policy/policy.ts";
import type { Problem } from "../../core/read-yaml.ts";
import { operation, ProblemError } from "../operation.ts";

export const PRESET_NAMES = Object.keys(PRESETS) as readonly (keyof typeof PRESETS)[];

export type PolicyInput =
  | { readonly preset: keyof typeof PRESETS }
  /** `called`: the file's name, for problems. */
  | { readonly text: string; readonly called: string };

/** Complete, with every default filled in. */
export const showPolicy = operation<PolicyInput, LadderPolicy>({
  name: "policy-show",
  schemas: async () => (await import("./schemas.ts")).showPolicy,
  run(_context, input) {
    if ("preset" in input) return PRESETS[input.preset];
    const reading = readPolicy(input.text);
    if (reading.ok) return reading.value;
    throw new ProblemError("bad-input", describeProblems(input.called, reading.problems));
  },
});

export type PolicyCheck =
  | { readonly ok: true; readonly name: string; readonly rungs: number }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export const checkPolicy = operation<{ readonly text: string }, PolicyCheck>({
  name: "policy-check",
  schemas: async () => (await import("./schemas.ts")).checkPolicy,
  run(_context, { text }) {
    const reading = readPolicy(text);
    if (!reading.ok) return { ok: false, problems: reading.problems };
    return { ok: true, name: reading.value.name, rungs: reading.value.rungs.length };
  },
});

export const policySchema = operation<object, object>({
  name: "policy-schema",
  schemas: async () => (await import("./schemas.ts")).policySchema,
  run: () => policyJsonSchema(),
});

/** One line for each, with its place in the file. */
export const describeProblems = (file: string, problems: readonly Problem[]): string =>
  problems
    .map(({ line, column, path, message }) => {
      const at = path === "" ? "" : `${path}: `;
      return `${cleanLine(file)}:${line}:${column}: ${at}${cleanLine(message, 300)}`;
    })
    .join("\n");
