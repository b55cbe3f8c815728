/** Input and output schemas of the operations on what was learned. */
import * as z from "zod";
import type { LearnedCounts } from "../../core/learning/counts.ts";
import { data, list, nothing, text, texts } from "../schema-fields.ts";

const share = z.number().describe("Of 1");
const tally = z.strictObject({
  tried: z.number().describe("Outcomes that count; older ones fade"),
  worked: z.number(),
});

const learnedMove = z.strictObject({
  symptom: text.describe("The kind of failure it came after"),
  move: text.describe("The recovery, or repair/ and the strategy of a repair chain"),
  tierStep: z.number().describe("Tiers above the one the subtask was planned for"),
  agent: text,
  here: tally,
  elsewhere: tally.describe("In your other repositories, before they are weighed"),
  prior: share.describe("How likely it is to work where nothing was learned"),
  posterior: share.describe("With what was learned"),
});

export const showStats = {
  input: nothing,
  output: z.strictObject({
    repository: text,
    moves: list(learnedMove),
    calibration: list(
      z.strictObject({
        from: share,
        to: share,
        said: share.describe("What was said on average"),
        worked: share.describe("How many did work"),
        cases: z.number(),
      }),
    ),
    never: list(z.enum(["sudo", "install", "delete"])).describe(
      "What you answered no to, and what is not suggested any more",
    ),
    lessons: z.number().describe("Failures that are remembered"),
  }),
};

export const resetStats = {
  input: nothing,
  output: z.strictObject({ repository: text, forgotten: z.number() }),
};

export const exportStats = { input: nothing, output: data<LearnedCounts>() };

export const importStats = {
  input: z.strictObject({ text, name: text }),
  output: z.strictObject({ repository: text, cells: z.number(), dropped: z.number() }),
};

const lesson = z.strictObject({
  id: text,
  kind: text,
  error: text,
  recovery: text.exactOptional().describe("What overcame it"),
  byPerson: z.literal(true).exactOptional().describe("A person's answer overcame it"),
  summary: text,
  files: texts,
  overcome: z.number(),
  told: z.number(),
  held: z.number(),
  at: text.describe("Last met; ISO 8601"),
  expires: text.describe("Forgotten then, unless it is met again"),
});

export const listMemory = {
  input: nothing,
  output: z.strictObject({ repository: text, lessons: list(lesson) }),
};

export const showMemory = {
  input: z.strictObject({ id: text }),
  output: lesson.extend({ prompt: text.describe("What an agent is told of it") }),
};

export const forgetMemory = {
  input: z.strictObject({ id: text.optional().describe("Default: all of this repository") }),
  output: z.strictObject({ repository: text, forgotten: z.number() }),
};
