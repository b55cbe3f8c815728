/** Input and output schemas of the names that a shell completes. */
import * as z from "zod";
import { list, text } from "../schema-fields.ts";

export const knownNames = {
  input: z.strictObject({
    of: z
      .enum(["runs", "subtasks", "attempts", "places"])
      .describe("Places are subtasks and attempts"),
    run: text.optional().describe("Id or a part of it; default: the latest of this repository"),
  }),
  output: z.strictObject({ names: list(z.strictObject({ name: text, about: text })) }),
};
