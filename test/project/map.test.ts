// The map counts what it says it counts.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { failureHops } from "../../scripts/map/failure-hops.ts";
import { figuresOf, type Figures } from "../../scripts/map/figures.ts";

const root = join(import.meta.dirname, "../..");

function treeOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-map-test-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("importers, layers, long files, full folders and recipes of a small tree", (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 26 }, (_, index) => [`src/core/rows/row-${index}.ts`, "export {};\n"]),
  );
  const folder = treeOf({
    "src/cli/main.ts": 'import "../core/a.ts";\nvoid import("../core/b.ts");\n',
    "src/core/a.ts": 'export type { B } from "./b.ts";\n',
    "src/core/b.ts": "export type B = 1;\n",
    "src/core/long.ts": "// line\n".repeat(301),
    ...many,
    "test/a.test.ts": 'import "../src/core/a.ts";\n',
    "docs/how-to-add/row.md":
      "# How to add a row\n\nA row is a line.\n\n1. `src/core/<name>.ts`: it\n2. `src/gone.ts`: not there\n",
  });
  t.after(() => rmSync(folder, { recursive: true }));
  const figures = figuresOf(folder);
  assert.equal(figures.files, 30);
  assert.equal(figures.lines, 2 + 1 + 1 + 301 + 26);
  assert.deepEqual([figures.testFiles, figures.testLines], [1, 1]);
  // `a` has one importer (a test is none), `b` has two, all others are entries.
  assert.equal(figures.oneImporter, 1);
  assert.equal(figures.oneImporterShare, 1 / 30);
  assert.equal(figures.medianLines, 1);
  assert.deepEqual(figures.longest, { path: "src/core/long.ts", lines: 301 });
  assert.deepEqual(figures.longFiles, ["src/core/long.ts"]);
  assert.deepEqual(figures.fullFolders, [{ folder: "src/core/rows", files: 26 }]);
  assert.deepEqual(figures.fanIn[0], { path: "src/core/b.ts", importers: 2 });
  assert.deepEqual(figures.layers, { cli: { core: 2 }, core: {} });
  assert.deepEqual(figures.recipes, [
    {
      page: "docs/how-to-add/row.md",
      thing: "a row",
      lead: "A row is a line.",
      files: ["src/core/<name>.ts", "src/gone.ts"],
      missing: ["src/gone.ts"],
    },
  ]);
});

const START = "3b6c763";
const hasStart = spawnSync("git", ["cat-file", "-e", START], { cwd: root }).status === 0;

test(
  "the tree before the redesign, against this one",
  inLargeForm("project", !hasStart && "a shallow clone"),
  () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["scripts/map.ts", "--against", START, "--json"],
      { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 },
    );
    assert.equal(stderr, "");
    const { before, after } = JSON.parse(stdout) as { before: Figures; after: Figures };
    assert.deepEqual([before.files, before.lines, before.oneImporter], [722, 67_852, 307]);
    assert.deepEqual([before.longest.lines, before.fullFolders.length], [299, 8]);
    assert.equal(after.files, figuresOf(root).files);
  },
);

test(
  "a failing run passes every file that docs/architecture.md names on the way of a failure",
  inLargeForm("project"),
  () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const told = [...page.matchAll(/^\| \d+ .*\|$/gm)].flatMap(([row]) =>
      [...row.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file = ""]) => file),
    );
    const passed = failureHops(root);
    assert.ok(told.length > 25 && passed.length > told.length);
    assert.deepEqual(
      told.filter((file) => !passed.includes(file)),
      [],
    );
  },
);
