// A diff as the page reads it.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { changedWords, readDiff } from "../../web/attempt/diff-text.ts";

const DIFF = `diff --git a/src/a.js b/src/a.js
index 1..2 100644
--- a/src/a.js
+++ b/src/a.js
@@ -1,3 +1,3 @@ function a() {
 first
-const x = one(1);
+const x = two(1);
 last
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-diff --git is only a text here
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
diff --git "a/tab\\"quote" "b/tab\\"quote"
--- "a/tab\\"quote"
+++ "b/tab\\"quote"
@@ -0,0 +1 @@
+x
`;

test("files with their counts, lines with their numbers, and the words that changed", () => {
  const files = readDiff(DIFF);
  assert.deepEqual(
    files.map(({ path, added, removed, note }) => [path, added, removed, note]),
    [
      ["src/a.js", 1, 1, undefined],
      ["old.txt", 0, 1, undefined],
      ["pic.png", 0, 0, "A binary file"],
      ['tab"quote', 1, 0, undefined],
    ],
  );
  const [part] = files[0]?.parts ?? [];
  assert.equal(part?.head, "function a() {");
  assert.deepEqual(
    part?.lines.map(({ kind, oldNumber, newNumber, words }) => [kind, oldNumber, newNumber, words]),
    [
      ["same", 1, 1, undefined],
      ["removed", 2, undefined, [[10, 13]]],
      ["added", undefined, 2, [[10, 13]]],
      ["same", 3, 3, undefined],
    ],
  );
});

test("lines with little in common are not compared by the word", () => {
  assert.equal(changedWords("return one;", "throw new Error('gone');"), undefined);
  assert.equal(changedWords("x ".repeat(300), "y ".repeat(300)), undefined);
});

test("any text is read without harm, and marks lie within their line", () => {
  const line = fc.string({ maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), line, line, (lines, before, after) => {
      readDiff(lines.join("\n"));
      const [file] = readDiff(
        `diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-${before.replaceAll("\n", "")}\n+${after.replaceAll("\n", "")}\n`,
      );
      for (const { text, words = [] } of file?.parts[0]?.lines ?? [])
        for (const [from, to] of words) assert.ok(0 <= from && from < to && to <= text.length);
    }),
  );
});
