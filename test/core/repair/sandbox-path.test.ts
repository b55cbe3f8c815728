// proves: C1
import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { sandboxPath, withinSandbox } from "../../../src/core/repair/sandbox-path.ts";
import { anyText } from "./any-text.ts";

const ROOT = "/srv/run/tree";

for (const [path, expected] of [
  ["/etc/app.conf", "/srv/run/tree/etc/app.conf"],
  ["../../etc/passwd", "/srv/run/tree/etc/passwd"],
  ["a/../../b", "/srv/run/tree/a/b"],
  ["./x//y/.", "/srv/run/tree/x/y"],
  ["C:\\Windows\\System32\\drivers", "/srv/run/tree/C/Windows/System32/drivers"],
  ["\\\\server\\share\\f", "/srv/run/tree/server/share/f"],
  ["\u2025/\u2024\u2024/secret", "/srv/run/tree/secret"],
  ["\uff0e\uff0e\uff0fsecret", "/srv/run/tree/secret"],
  ["..\u2215..\u2044x", "/srv/run/tree/x"],
  [".. /... /x", "/srv/run/tree/x"],
  ["~/.ssh/id", "/srv/run/tree/~/.ssh/id"],
  ["/repo/.git/hooks/post-commit", "/srv/run/tree/repo/_git/hooks/post-commit"],
  ["/repo/.G\u200bIT/config", "/srv/run/tree/repo/_git/config"],
  ["GIT~1/config", "/srv/run/tree/_git/config"],
  ["tools/git/x", "/srv/run/tree/tools/git/x"],
  [".gitignore", "/srv/run/tree/.gitignore"],
  ["file.txt:stream", "/srv/run/tree/file.txtstream"],
  ["a\u0000b\nc", "/srv/run/tree/abc"],
  ["\ud800x", "/srv/run/tree/x"],
  ["name.", "/srv/run/tree/name"],
  ["x".repeat(150), `/srv/run/tree/${"x".repeat(100)}`],
  [
    Array.from({ length: 30 }, (_, n) => `d${n}`).join("/"),
    `/srv/run/tree/${Array.from({ length: 20 }, (_, n) => `d${n + 10}`).join("/")}`,
  ],
  ["", undefined],
  ["/", undefined],
  ["../..", undefined],
  [" . ", undefined],
] as const)
  test(`${JSON.stringify(path).slice(0, 60)} becomes ${String(expected).slice(0, 60)}`, () => {
    assert.equal(sandboxPath(ROOT, path), expected);
  });

test("the root may end with a slash, be the disk's or be unnamed", () => {
  assert.equal(sandboxPath("/srv/run/tree//", "/etc/x"), "/srv/run/tree/etc/x");
  assert.equal(sandboxPath("/", "/etc/x"), "/etc/x");
  assert.equal(sandboxPath("", "/etc/x"), "./etc/x");
  assert.equal(sandboxPath(".", "../x"), "./x");
});

const path = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "/",
        "\\",
        "~",
        "C:",
        "\u2024",
        "\u2025",
        "\u2026",
        "\uff0e",
        "\uff0f",
        "\u2215",
        " ",
        ".git",
        "GIT~1",
        "\0",
        "\n",
        ":",
        "-",
        "a",
        "etc",
        "\u200b",
        "\u202e",
        "%2e%2e",
        "...",
        "con",
      ),
      anyText(3),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(""));

test("whatever the path, the result lies below the root by the rules of POSIX and of Windows", () => {
  fc.assert(
    fc.property(path, (given) => {
      const result = sandboxPath(ROOT, given);
      if (result === undefined) return;
      const below = result.slice(ROOT.length + 1);
      assert.ok(result.startsWith(`${ROOT}/`));
      assert.equal(posix.resolve(result), result);
      for (const folded of [below, below.normalize("NFKC"), below.normalize("NFD")]) {
        assert.ok(posix.resolve(ROOT, folded).startsWith(`${ROOT}/`));
        assert.ok(win32.resolve("D:\\run", folded).startsWith("D:\\run\\"));
        assert.ok(!folded.split(/[/\\]/).some((name) => /^\.git[. ]*$/i.test(name)));
      }
      assert.ok(!/[\0\n\\:]/.test(below));
    }),
    { numRuns: 2000 },
  );
});

for (const [given, expected] of [
  ["a/b.txt", "/srv/run/tree/a/b.txt"],
  ["./r.sh", "/srv/run/tree/r.sh"],
  ["/srv/run/tree/x/y", "/srv/run/tree/x/y"],
  ["/srv/run/tree", undefined],
  ["/srv/run/tree2/x", undefined],
  ["/srv/run/tree/../x", undefined],
  ["/etc/x", undefined],
  ["../x", undefined],
  ["a/../b", undefined],
  ["~/x", undefined],
  ["C:/x", undefined],
  ["c:x", undefined],
  ["\\x", undefined],
  ["a\\b", undefined],
  ["\u2025/x", undefined],
  [".git/config", undefined],
  ["x.", undefined],
  [".", undefined],
  ["", undefined],
] as const)
  test(`${JSON.stringify(given)} ${expected === undefined ? "is not taken" : "is taken"} as lying inside`, () => {
    assert.equal(withinSandbox(ROOT, given), expected);
  });

test("what is taken as lying inside resolves to the same place", () => {
  fc.assert(
    fc.property(path, (given) => {
      const result = withinSandbox(ROOT, given);
      if (result !== undefined) assert.equal(posix.resolve(ROOT, given), result);
    }),
    { numRuns: 2000 },
  );
});
