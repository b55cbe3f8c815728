/** Input and output of the operations that look at this machine and set things up. */
import * as z from "zod";

const text = z.string();
const texts = z.array(text).readonly();
const flag = z.boolean().optional();
const nothing = z.strictObject({});

const finding = z.strictObject({
  what: text,
  state: z.enum(["ok", "warning", "broken"]),
  words: text,
  fix: text.exactOptional(),
});

export const examine = {
  input: nothing,
  output: z.strictObject({
    canRun: z.boolean(),
    findings: z.array(finding).readonly(),
    agents: z
      .array(
        z.strictObject({
          name: text,
          title: text,
          installed: z.boolean(),
          path: text.exactOptional(),
          version: text.exactOptional(),
          isTested: z.boolean(),
          loginMark: text.exactOptional(),
          features: texts,
          finding,
        }),
      )
      .readonly(),
  }),
};

export const writePlan = {
  input: z.strictObject({ dryRun: flag, force: flag }),
  output: z.strictObject({
    file: text,
    text,
    written: z.boolean(),
    agents: z
      .array(z.strictObject({ name: text, title: text, version: text.exactOptional() }))
      .readonly(),
    checks: z.array(z.strictObject({ run: text, from: text })).readonly(),
    setup: z
      .strictObject({ commands: texts, from: text, missing: text.exactOptional() })
      .exactOptional(),
  }),
};

const serviceChange = z.strictObject({
  file: text,
  text,
  changed: z.boolean(),
  refused: texts,
});

export const installService = { input: z.strictObject({ dryRun: flag }), output: serviceChange };

export const uninstallService = { input: nothing, output: serviceChange };
