/** The JSON Schema (draft 7, what YAML editors read) of a plan file, from the same source as its checks. */
import { z } from "zod";
import { planFileSchema } from "./schema.ts";

export function planJsonSchema(): object {
  return { ...z.toJSONSchema(planFileSchema, { target: "draft-7" }), title: "Unstuck plan" };
}
