/** Every merge keeps a pack: with many of them git must stay as right, and has one index to look into. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { layout } from "../../../src/workspace/base/run-folder.ts";
import { cloneGit } from "../../../src/workspace/git/git-dir.ts";
import { keepObjects, writeCommit } from "../../../src/workspace/git/objects.ts";
import { treeOf } from "../../../src/workspace/git/read-objects.ts";
import { AT, open, repository } from "../fixture.ts";

test("packs get one index in common, also after a git that died while it wrote one", async () => {
  const run = { ...(await open(repository())), control: {} };
  const folder = join(layout(run.runDir).store, "pack");
  const tree = await treeOf(run, run.base);
  const kept = async (message: string): Promise<string> => {
    const commit = await writeCommit(run, { tree, parents: [run.base], message, at: AT });
    await keepObjects(run, commit, [run.base]);
    return commit;
  };
  const packs = (): number => readdirSync(folder).filter((name) => name.endsWith(".pack")).length;
  const index = join(folder, "multi-pack-index");
  const commits: string[] = [];
  while (packs() < 31) commits.push(await kept(`number ${commits.length}`));
  assert.ok(!existsSync(index));
  writeFileSync(`${index}.lock`, "");
  commits.push(await kept("while another writes"));
  assert.ok(!existsSync(index));
  while (packs() < 63) commits.push(await kept(`number ${commits.length}`));
  rmSync(`${index}.lock`);
  commits.push(await kept("the last"));
  assert.ok(existsSync(index));
  const input = `${commits.join("\n")}\n`;
  const { stdout } = await cloneGit(run, ["cat-file", "--batch-check=%(objecttype)"], { input });
  assert.equal(stdout, "commit\n".repeat(commits.length));
});
