/** Input and output schemas of the operations that inspect this machine and set things up. */
import * as z from "zod";
import { flag, list, nothing, text, texts } from "../schema-fields.ts";

const finding = z.strictObject({
  what: text,
  state: z.enum(["ok", "warning", "problem"]).describe("problem: no run can start"),
  words: text,
  fix: text.exactOptional().describe("The command that fixes it, or what to do"),
});

const examination = z.strictObject({
  canRun: z.boolean(),
  why: text.exactOptional().describe("What is in the way of a run"),
  findings: list(finding).describe("Of the machine, of what is around a run, and of all agents"),
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

export const examine = {
  input: z.strictObject({
    terminal: z
      .strictObject({ columns: z.int().optional(), colours: z.boolean().optional() })
      .optional()
      .describe("What the caller shows things on"),
  }),
  output: examination,
};

const foundCheck = z.strictObject({
  run: text,
  from: text.describe("The file that says so"),
  note: text.exactOptional().describe("Why it is not the command that one might expect"),
});

/** The material for a plan. */
const found = z.strictObject({
  agents: list(z.strictObject({ name: text, title: text, version: text.exactOptional() })),
  checks: list(foundCheck),
  leftOut: list(
    z.strictObject({ what: text, from: text, why: text.describe("Why it cannot be a check") }),
  ),
  setup: z
    .strictObject({ commands: texts, from: text, missing: text.exactOptional() })
    .exactOptional(),
});

export type Found = z.infer<typeof found>;

export const triedCheck = z.strictObject({
  run: text,
  from: text,
  state: z
    .enum(["green", "red", "hangs", "cannot-run"])
    .describe("green: passes; red: fails; hangs: did not end in time; cannot-run: judged nothing"),
  ms: z.number(),
  headline: text.exactOptional().describe("What fails, in one line"),
  items: z.number().exactOptional().describe("How many tests or places fail, where that is known"),
  why: text.exactOptional().describe("Why it says nothing about the code"),
});

const triedChecks = z.strictObject({
  base: z.strictObject({
    commit: text.exactOptional().describe("Absent where there is no commit yet"),
    withChanges: z.boolean(),
  }),
  setup: texts.exactOptional().describe("The commands that made the tree ready"),
  checks: list(triedCheck),
});

export type TriedCheck = z.infer<typeof triedCheck>;
export type TriedChecks = z.infer<typeof triedChecks>;

export const tryChecks = {
  input: z.strictObject({
    checks: list(foundCheck).optional().describe("Those that are found, where none are named"),
    setup: texts.optional().describe("Instead of what the repository's files ask for"),
    withChanges: flag.describe("With the uncommitted changes of the checkout"),
    limitMs: z.number().int().positive().optional().describe("For each check; 10 minutes"),
  }),
  output: triedChecks,
};

export const writePlan = {
  input: z.strictObject({
    dryRun: flag.describe("Only makes the text"),
    force: flag.describe("Overwrites an existing file"),
    tryChecks: flag.describe(
      "Runs the checks once on the base, and leaves out what cannot run there",
    ),
  }),
  output: found.extend({
    ...{ file: text, text, written: z.boolean() },
    tried: list(triedCheck).exactOptional().describe("What the checks said on the base"),
  }),
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
