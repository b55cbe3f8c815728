/** Input and output schemas of remote operations that differ from the terminal's. */
import * as z from "zod";
import { text } from "../schema-fields.ts";
import { resumeRun, startRun } from "../runs/schemas.ts";

const begun = z.strictObject({ run: text.describe("Its id; a process of its own works on it") });

export const startInBackground = {
  input: startRun.input.omit({ view: true, detach: true }),
  output: begun,
};

export const resumeInBackground = {
  input: resumeRun.input.omit({ view: true }),
  output: begun,
};
