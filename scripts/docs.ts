/**
 * `npm run docs`: writes the parts of the docs that are generated from the source: the list of folders in
 * docs/architecture.md, the recipes in CONTRIBUTING.md, docs/kinds.md, and the JSON Schemas in schemas/. A test checks
 * that all of it is up to date.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedDocs } from "./map/generated-docs.ts";
import { writeSchemas } from "./schemas.ts";

const root = join(import.meta.dirname, "..");
for (const [page, text] of await generatedDocs(root)) writeFileSync(join(root, page), text);
await writeSchemas();
