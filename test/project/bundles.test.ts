// What is shipped: which modules lie in which file of dist. Needs `npm run build`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { NOTICES_FILE, noticesText } from "../../scripts/notices.ts";

const builds = JSON.parse(readFileSync("dist/meta.json", "utf8")) as readonly Metafile[];

/** Lowest first. */
const LAYERS = [
  ["core"],
  ["journal", "simulator"],
  ["runtime"],
  ["engines", "agents", "workspace"],
  ["operations"],
  ["cli", "mcp", "http"],
];
/** An entry of the library lies in no layer's folder: it may take from all. */
const layerOf = (module: string): number => {
  const folder = /^src\/(\w+)\//.exec(module)?.[1];
  const layer = LAYERS.findIndex((names) => folder !== undefined && names.includes(folder));
  assert.ok(layer >= 0 || /^src\/[\w-]+\.ts$/.test(module), `${module} lies in no layer`);
  return layer < 0 ? LAYERS.length : layer;
};

test("in every file no module of a lower layer imports one of a higher layer", () => {
  let seen = 0;
  for (const { inputs, outputs } of builds)
    for (const [file, output] of Object.entries(outputs))
      for (const module of Object.keys(output.inputs).filter((name) => name.startsWith("src/")))
        for (const { path } of inputs[module]?.imports ?? []) {
          if (!path.startsWith("src/")) continue;
          seen += 1;
          assert.ok(layerOf(path) <= layerOf(module), `${file}: ${module} imports ${path}`);
        }
  assert.ok(seen > 1_000, `saw ${seen} imports`);
});

test("what must answer in milliseconds takes no library and no rule table with it", () => {
  const quick = builds.flatMap(({ outputs }) =>
    Object.entries(outputs).filter(([file]) => /(?:quick-[\w-]+|guard)\.cjs$/.test(file)),
  );
  assert.equal(quick.length, 4);
  for (const [file, { inputs }] of quick)
    for (const module of Object.keys(inputs)) {
      assert.doesNotMatch(module, /node_modules/, file);
      assert.doesNotMatch(module, /^src\/core\/rules\//, file);
    }
});

test("whatever others wrote is named with its licence", () => {
  const kept = readFileSync(NOTICES_FILE, "utf8");
  for (const name of ["preact", "@preact/signals", "uplot", "@opentelemetry/api", "hono", "zod"])
    assert.match(kept, new RegExp(`^##.* ${name}(?:,|$)`, "m"));
  assert.equal(kept, noticesText(), "after a build: node scripts/run.js notices");
});
