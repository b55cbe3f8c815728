/** Input and output of the operations that look at this machine and set things up. */
import * as z from "zod";
import { flag, list, nothing, text, texts } from "../schema-fields.ts";

const finding = z.strictObject({
  what: text,
  state: z.enum(["ok", "warning", "broken"]),
  words: text,
  fix: text.exactOptional().describe("What to do about it"),
});

const examination = z.strictObject({
  canRun: z.boolean(),
  findings: list(finding).describe("Of Node, git, the journal and the agents as a whole"),
  agents: list(
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
  ),
});

export type Finding = z.infer<typeof finding>;
export type Examination = z.infer<typeof examination>;

export const examine = { input: nothing, output: examination };

/** What a plan is made from. */
const found = z.strictObject({
  agents: list(z.strictObject({ name: text, title: text, version: text.exactOptional() })),
  checks: list(z.strictObject({ run: text, from: text.describe("The file that says so") })),
  setup: z
    .strictObject({ commands: texts, from: text, missing: text.exactOptional() })
    .exactOptional(),
});

export type Found = z.infer<typeof found>;

export const writePlan = {
  input: z.strictObject({
    dryRun: flag.describe("Only makes the text"),
    force: flag.describe("Overwrites the file that is there"),
  }),
  output: found.extend({ file: text, text, written: z.boolean() }),
};

const serviceChange = z.strictObject({
  file: text,
  text: text.describe("What is in the file, or would be"),
  changed: z.boolean(),
  refused: texts.describe("Commands that the system refused, for the person to run"),
});

export type ServiceChange = z.infer<typeof serviceChange>;

export const installService = {
  input: z.strictObject({ dryRun: flag.describe("Only tells what would be written") }),
  output: serviceChange,
};

export const uninstallService = { input: nothing, output: serviceChange };
