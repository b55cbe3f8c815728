// What the docs say of the source is so.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { generatedDocs, UNSAID } from "../../scripts/map/generated-docs.ts";
import { readRecipes } from "../../scripts/map/recipes.ts";

const root = join(import.meta.dirname, "../..");
const read = (page: string): string => readFileSync(join(root, page), "utf8");
const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })];

test("what npm run docs writes is up to date, and every folder says what it is for", async () => {
  for (const [page, text] of await generatedDocs(root))
    assert.equal(read(page), text, `${page}: run npm run docs`);
  assert.ok(!read("docs/architecture.md").includes(UNSAID), "a folder waits for its words");
});

test("every source file that a page of today names is there", () => {
  let seen = 0;
  for (const page of pages.filter((name) => !name.includes("decisions")))
    for (const [, named = ""] of read(page).matchAll(/`((?:src|test|scripts)\/[^`\s]*)`/g)) {
      const found = globSync(named.replaceAll(/<[^>]+>/g, "*"), { cwd: root });
      assert.ok(found.length > 0, `${page} names ${named}`);
      seen += 1;
    }
  assert.ok(seen > 60, `saw ${seen} names`);
});

test("the way of a failure names a file at each hop, from the process that ends to the prompt", () => {
  const hops = [
    ...read("docs/architecture.md").matchAll(/^\| (\d+) +\| `(src\/\S+\.ts)` +\| (\S.*) \|$/gm),
  ];
  assert.ok(hops.length > 15, `saw ${hops.length} hops`);
  for (const [index, [, number]] of hops.entries()) assert.equal(Number(number), index + 1);
  assert.match(hops[0]?.[2] ?? "", /^src\/agents\//);
  assert.match(hops.at(-1)?.[2] ?? "", /^src\/core\/prompt\//);
});

test("each recipe says what its thing is and names files that are there", () => {
  const recipes = readRecipes(root);
  const things = [
    "an agent",
    "a check reader",
    "a command",
    "a kind",
    "a policy",
    "a recovery",
    "a rule",
  ];
  assert.deepEqual(
    recipes.map(({ thing }) => thing),
    things,
  );
  for (const { page, lead, files, missing } of recipes) {
    assert.ok(lead.length > 20, page);
    assert.ok(files.length >= 2 && files.length <= 7, `${page} touches ${files.length} files`);
    assert.deepEqual(missing, [], page);
  }
});

test("links between pages lead somewhere", () => {
  let seen = 0;
  for (const page of pages)
    for (const [, target = ""] of read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      assert.ok(
        existsSync(join(root, normalize(join(dirname(page), target)))),
        `${page} links to ${target}`,
      );
      seen += 1;
    }
  assert.ok(seen > 30, `saw ${seen} links`);
});

test("the README's pictures are there and small", () => {
  const pictures = [...read("README.md").matchAll(/!\[[^\]]{20,}\]\(([^)]+)\)/g)];
  assert.equal(pictures.length, 2);
  for (const [, file = ""] of pictures)
    assert.ok(
      statSync(join(root, file)).size < 150 * 1024,
      `${file}: node scripts/run.js page-images`,
    );
});
