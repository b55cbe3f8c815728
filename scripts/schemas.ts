/** Writes the JSON Schemas for editors from the same source as the checks: `node scripts/run.js schemas`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { planJsonSchema } from "../src/core/plan/schema.ts";
import { policyJsonSchema } from "../src/core/policy/read.ts";
import { PLAN_AGENTS } from "../src/agents/registry.ts";

export const SCHEMAS: Readonly<Record<string, () => object>> = {
  "schemas/plan.schema.json": () => planJsonSchema(PLAN_AGENTS),
  "schemas/policy.schema.json": policyJsonSchema,
};

export function writeSchemas(): void {
  mkdirSync("schemas", { recursive: true });
  for (const [file, schema] of Object.entries(SCHEMAS))
    writeFileSync(file, `${JSON.stringify(schema(), null, 2)}\n`);
}

if (process.argv[1]?.endsWith("schemas.ts") === true) writeSchemas();
