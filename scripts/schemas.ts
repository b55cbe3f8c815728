/**
 * Writes the JSON Schemas from the same source as the checks: of plan and policy files, for editors; of every
 * operation, for readers of `--json`; and of the HTTP API, with the types of its clients: `node scripts/run.js
 * schemas`. Tests check that they are up to date.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { planJsonSchema } from "../src/core/plan/schema.ts";
import { policyJsonSchema } from "../src/core/policy/read.ts";
import { worldJsonSchema } from "../src/simulator/world/world.ts";
import { runLineJsonSchema } from "../src/operations/follow/line-schema.ts";
import { PLAN_AGENTS } from "../src/agents/registry.ts";
import type { Operation } from "../src/operations/operation.ts";

const OPERATIONS = "schemas/operations";
const root = join(import.meta.dirname, "..");

export const SCHEMAS: Readonly<Record<string, () => object>> = {
  "schemas/plan.schema.json": () => planJsonSchema(PLAN_AGENTS),
  "schemas/policy.schema.json": policyJsonSchema,
  "schemas/world.schema.json": worldJsonSchema,
  "schemas/run-line.schema.json": runLineJsonSchema,
};

type AnyOperation = Operation<unknown, unknown>;

/** A file per operation: the schema of its output; `$defs` contains its input too. */
export async function operationSchemas(): Promise<Readonly<Record<string, object>>> {
  const files: Record<string, object> = {};
  for (const file of globSync("src/operations/**/*.ts", { cwd: root }).sort()) {
    // Importing a program of its own would run it.
    if (!/\boperation(?:<[^(]{0,200})?\(\{/.test(readFileSync(join(root, file), "utf8"))) continue;
    const exported = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
    for (const operation of Object.values(exported).filter(isOperation)) {
      const { input, output } = await operation.schemas();
      const name = `${OPERATIONS}/${operation.name}.schema.json`;
      if (files[name] !== undefined) throw new Error(`two operations are called ${operation.name}`);
      files[name] = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: operation.name,
        $ref: "#/$defs/output",
        $defs: { input: described(input, "input"), output: described(output, "output") },
      };
    }
  }
  return files;
}

function isOperation(value: unknown): value is AnyOperation {
  const { name, schemas, run } = (value ?? {}) as Partial<AnyOperation>;
  return typeof name === "string" && typeof schemas === "function" && typeof run === "function";
}

function described(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _version, ...facts } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return facts;
}

/** The HTTP API: its description, and the types for a client. */
export async function openApiFiles(): Promise<Readonly<Record<string, string>>> {
  const { openApi } = await import("../src/http/openapi.ts");
  const { default: typesOf, astToString } = await import("openapi-typescript");
  const text = schemaText(await openApi());
  return {
    "schemas/openapi.json": text,
    "schemas/openapi.d.ts": astToString(await typesOf(text)),
  };
}

export function writeEditorSchemas(): void {
  for (const [file, schema] of Object.entries(SCHEMAS)) writeSchema(file, schema());
}

export async function writeSchemas(): Promise<void> {
  writeEditorSchemas();
  const made = Object.entries(await operationSchemas());
  rmSync(join(root, OPERATIONS), { recursive: true, force: true });
  for (const [file, schema] of made) writeSchema(file, schema);
  for (const [file, text] of Object.entries(await openApiFiles()))
    writeFileSync(join(root, file), text);
}

function writeSchema(file: string, schema: object): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), schemaText(schema));
}

export const schemaText = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

if (process.argv[1]?.endsWith("schemas.ts") === true) await writeSchemas();
