// proves: P6
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openApiFiles } from "../../scripts/schemas.ts";
import { CHANGES, READS } from "../../src/http/routes.ts";
import { testServer } from "./server.ts";

const root = join(import.meta.dirname, "../..");

test("the API's description and the types of its clients are what the server checks by", async () => {
  const made = await openApiFiles();
  for (const [file, text] of Object.entries(made))
    assert.equal(readFileSync(join(root, file), "utf8"), text, `${file}: run npm run docs`);
  const { paths, components } = JSON.parse(made["schemas/openapi.json"] ?? "") as {
    paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
    components: { schemas: object };
  };
  for (const name of Object.keys(READS)) assert.ok(paths[`/api/${name}`]?.["get"], name);
  for (const name of Object.keys(CHANGES))
    assert.deepEqual(Object.keys(paths[`/api/${name}`] ?? {}), ["post"]);
  const references = (made["schemas/openapi.json"] ?? "").matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  );
  for (const [, name = ""] of references) assert.ok(Object.hasOwn(components.schemas, name), name);
});

test("the server serves it, to whoever asks", async () => {
  const server = await testServer();
  try {
    const { status, text } = await server.send({ path: "/openapi.json" });
    assert.equal(status, 200);
    const kept = readFileSync(join(root, "schemas/openapi.json"), "utf8");
    assert.deepEqual(JSON.parse(text), JSON.parse(kept));
  } finally {
    await server.close();
  }
});
