/** Input and output of installing hooks. */
import * as z from "zod";
import { HOOK_AGENTS } from "../../agents/registry.ts";

const text = z.string();
const flag = z.boolean().optional();
const change = z.strictObject({ before: text.nullable(), after: text.nullable() });

const uninstallInput = z.strictObject({
  agent: z.enum(HOOK_AGENTS),
  project: flag.describe("The settings of this checkout instead of the user's own"),
  dryRun: flag,
  agreed: change.optional().describe("The change that the person saw"),
});

const output = z.strictObject({
  file: text,
  change: change.exactOptional(),
  notes: z.array(text).readonly(),
});

export const installHook = {
  input: uninstallInput.extend({
    gate: z.strictObject({ checks: z.array(text).readonly(), sendBacks: z.number() }).optional(),
    tools: z.strictObject({ value: z.unknown(), called: text }).optional(),
  }),
  output,
};

export const uninstallHook = { input: uninstallInput, output };
