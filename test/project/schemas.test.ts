// proves: P6
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { operationSchemas, schemaText } from "../../scripts/schemas.ts";

const root = join(import.meta.dirname, "../..");
const made = await operationSchemas();

/** Names that are not ours to choose: the metrics (A10), the attempt history (B8). */
const FIXED =
  /^(?:recovery_triggers|recovery_success|stage_success|recovery_iterations|stuck_subtasks|subtask_id|attempt_count)$/;

test("schemas/operations has every operation as it is, and nothing else", () => {
  const there = globSync("schemas/operations/*", { cwd: root }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  assert.deepEqual(there.sort(), Object.keys(made).sort(), "run npm run docs");
  for (const [file, schema] of Object.entries(made))
    assert.equal(
      readFileSync(join(root, file), "utf8"),
      schemaText(schema),
      `${file}: run npm run docs`,
    );
});

test("one shape: camelCase, and an outcome is always { kind, reason? }", () => {
  let seen = 0;
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value as Record<string, unknown>)) {
      visit(inner, `${place}/${name}`);
      if (name !== "properties" || typeof inner !== "object" || inner === null) continue;
      for (const [property, schema] of Object.entries(inner as Record<string, object>)) {
        seen += 1;
        assert.ok(/^[a-z][a-zA-Z0-9]*$/.test(property) || FIXED.test(property), property);
        if (property === "outcome")
          assert.deepEqual(Object.keys((schema as { properties?: object }).properties ?? {}), [
            "kind",
            "reason",
          ]);
      }
    }
  };
  for (const [file, schema] of Object.entries(made)) visit(schema, file);
  assert.ok(seen > 150, `saw ${seen} fields`);
});

test("each is a JSON Schema that a validator takes", () => {
  const ajv = new Ajv2020({ strict: false });
  for (const [file, schema] of Object.entries(made))
    assert.doesNotThrow(() => ajv.compile(schema), file);
});
