/** Writes docs/presets.md from real runs of each preset's scenario: `npm run traces`. A test compares the page. */
import { writeFileSync } from "node:fs";
import { PRESET_NAMES, presetTrace } from "../test/end-to-end/run/preset-scenarios.ts";

const HEAD = `# The presets, step by step

Each preset reproduces one source document. These are the traces of real runs through the command line with the scripted agent,
written by \`npm run traces\` and compared by a test. The same test runs them once more with an agent that talks: at every attempt it
finds other words, names another approach and marks other progress, and each run goes the same way, line for line. Where a guard
rail binds a preset too, the trace shows it: infrastructure failures wait uncounted whatever the preset says, a full context is
handed over, fatal kinds go to a person at once, and a circle is noted ("goes in circles") even where the preset only records it.`;

writeFileSync(
  "docs/presets.md",
  `${[HEAD, ...PRESET_NAMES.map((name) => presetTrace(name))].join("\n\n")}\n`,
);
