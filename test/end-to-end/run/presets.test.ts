// proves: J5, A2, A3, A6, A7, A8, B2, B3, B4, B5, C1, C5, D2, D3, D4, D5, E5, E10
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../cli/command.ts";
import { rowsOf } from "../../large-form.ts";
import { PRESET_NAMES, presetTrace } from "./preset-scenarios.ts";

const DOCUMENT = readFileSync(join(ROOT, "docs", "presets.md"), "utf8");

/** What each preset decides is proven in test/core; here, that a run carries it out. */
const PRESETS = PRESET_NAMES.flatMap((preset) => [
  { name: preset, preset, agent: "scripted" as const },
  { name: `${preset}, rephrased`, preset, agent: "rephrasing" as const },
]);
const SMALL = ["stuck-recovery, rephrased"];

for (const { name, preset, agent } of rowsOf("run", PRESETS, SMALL))
  test(`${name}: a run follows its source's flow, and the docs say what it did`, () => {
    const trace = presetTrace(preset, agent);
    assert.ok(DOCUMENT.includes(trace), `docs/presets.md is not what happened:\n${trace}`);
  });
