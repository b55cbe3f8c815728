/** The JSON Schema (draft 7, what YAML editors read) of a plan file, from the same source as its checks. */
import { z } from "zod";
import type { PlanAgents } from "./run-plan.ts";
import { planFileSchema } from "./schema.ts";

export function planJsonSchema(agents: PlanAgents): object {
  return {
    ...z.toJSONSchema(planFileSchema(agents), { target: "draft-7" }),
    title: "Unstuck plan",
  };
}
