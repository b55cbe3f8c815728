/** The JSON Schema (draft 7, what YAML editors read) of a policy file, from the same source as its checks. */
import { z } from "zod";
import { policyFileSchema } from "./read.ts";

export function policyJsonSchema(): object {
  return { ...z.toJSONSchema(policyFileSchema, { target: "draft-7" }), title: "Unstuck policy" };
}
