// proves: J4, J24, J26, E6
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../cli/command.ts";
import { rowsOf } from "../../large-form.ts";
import { PROMPT_KINDS, promptSection } from "./prompt-kinds.ts";

const DOCUMENT = readFileSync(join(ROOT, "docs", "prompts.md"), "utf8");

for (const { name } of rowsOf("prompts", PROMPT_KINDS, ["feedback after two failures", "fresh"]))
  test(`${name}: docs/prompts.md has what the agent was told`, () => {
    const section = promptSection(name);
    assert.ok(DOCUMENT.includes(section), `npm run prompts writes it:\n${section}`);
  });

test("every kind of prompt stands in the document, and none is longer than a page or two", () => {
  const sections = DOCUMENT.split(/^## /m).slice(1);
  assert.deepEqual(
    sections.map((section) => section.split("\n")[0]),
    PROMPT_KINDS.map(({ name }) => name),
  );
  for (const section of sections) assert.ok(section.length < 5000, section.split("\n")[0]);
});
