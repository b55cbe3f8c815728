/** Input and output schemas of the operations on tokens, with which programs access `unstuck serve`. */
import * as z from "zod";
import { list, text } from "../schema-fields.ts";

const token = {
  name: text,
  kind: z.enum(["token", "browser"]).describe("A program's token, or a browser that is signed in"),
  /** Epoch milliseconds. */
  created: z.number(),
  expires: z.number().exactOptional(),
};

export const createToken = {
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[\w.-]{1,40}$/, "may have letters, digits, dots, - and _, up to 40 of them")
      .describe("Recorded as who decided"),
    days: z.number().positive().max(3650).optional().describe("How long it works; default: ever"),
  }),
  output: z.strictObject({ ...token, token: text.describe("Shown once, kept nowhere") }),
};

export const listTokens = {
  input: z.strictObject({}),
  output: z.strictObject({ tokens: list(z.strictObject(token)) }),
};

export const revokeToken = {
  input: z.strictObject({ name: text }),
  output: z.strictObject({ name: text, revoked: z.number().describe("How many had this name") }),
};
