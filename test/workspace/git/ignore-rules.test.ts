// proves: U6
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { FULL } from "../../large-form.ts";
import fc from "fast-check";
import { freezeRules } from "../../../src/workspace/git/ignore-rules.ts";
import { folder, git, write } from "../fixture.ts";

test("rules of an inner folder, said at the top", async () => {
  const table: [string, string, string][] = [
    ["", "*.log\n# note\n\n", "*.log\n# note\n"],
    ["a", "*.log", "/a/**/*.log\n"],
    ["a", "/top", "/a/top\n"],
    ["a/b", "x/y", "/a/b/x/y\n"],
    ["a", "dir/", "/a/**/dir/\n"],
    ["a", "!keep", "!/a/**/keep\n"],
    ["a", "!/keep/", "!/a/keep/\n"],
    ["a", "**/deep", "/a/**/deep\n"],
    ["a", "\\!bang\n\\#hash", "/a/**/\\!bang\n/a/**/\\#hash\n"],
    ["a [1]*", "x", "/a\\ \\[1\\]\\*/**/x\n"],
    ["a", "x\r\n/\n \n", "/a/**/x\n"],
    ["a", "#comment", "#comment\n"],
    ["bad\nname", "x", ""],
  ];
  for (const [place, lines, expected] of table) {
    const root = folder("rules");
    const path = place === "" ? ".gitignore" : `${place}/.gitignore`;
    write(root, { [path]: lines });
    assert.equal(await freezeRules(root, [path], ""), expected);
  }
  assert.equal(await freezeRules(folder(), ["none/.gitignore"], "outside"), "outside\n");
});

const name = fc.constantFrom("a", "b", "c d", "x.log", "[z]", "ä");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const piece = fc.constantFrom("a", "b", "*.log", "*", "?", "c d", "\\[z\\]", "ä", "[ab]", "**");
const rule = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/"),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", "  "),
  )
  .map(([not, root, parts, end]) => `${not}${root}${parts.join("/")}${end}`);

test("frozen rules ignore exactly what git ignores by the files themselves", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 3, maxLength: 12 }),
      fc.dictionary(
        fc.constantFrom("", "a/", "b/", "a/b/", "[z]/", "c d/"),
        fc.array(rule, { maxLength: 3 }),
      ),
      async (files, rules) => {
        const root = folder("rules");
        git(root, "init", "-q");
        for (const file of files) {
          try {
            write(root, { [file]: "" });
          } catch {
            // a file stands where this one needs a folder, or the other way round
          }
        }
        const ignoreFiles: string[] = [];
        for (const [place, lines] of Object.entries(rules)) {
          try {
            write(root, { [`${place}.gitignore`]: lines.join("\n") });
            ignoreFiles.push(Buffer.from(`${place}.gitignore`).toString("latin1"));
          } catch {
            // as above
          }
        }
        const frozen = `${root}.rules`;
        writeFileSync(frozen, await freezeRules(root, ignoreFiles, ""), "latin1");
        const live = git(root, "ls-files", "-o", "-z", "--exclude-per-directory=.gitignore");
        const dead = git(root, "ls-files", "-o", "-z", `--exclude-from=${frozen}`);
        assert.deepEqual(dead.split("\0").sort(), live.split("\0").sort());
      },
    ),
    { numRuns: FULL ? 60 : 25 },
  );
});
