/**
 * `npm run docs`: writes what the docs take from the source: the picture of folders in docs/architecture.md, the recipes in
 * CONTRIBUTING.md, docs/kinds.md, and the JSON Schemas in schemas/. A test holds that all of it is up to date.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedDocs } from "./map/generated-docs.ts";
import { writeSchemas } from "./schemas.ts";

const root = join(import.meta.dirname, "..");
for (const [page, text] of await generatedDocs(root)) writeFileSync(join(root, page), text);
await writeSchemas();
