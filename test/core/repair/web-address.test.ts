// proves: C1, C6
import assert from "node:assert/strict";
import { test } from "node:test";
import { archiveUrl, mirrorUrl, safeUrl } from "../../../src/core/repair/web-address.ts";

for (const [text, expected] of [
  ["https://a.example/x", "https://a.example/x"],
  ["https://a.example/x?key=1#y", "https://a.example/x"],
  ["http://a.example:8080/x.", "http://a.example:8080/x"],
  ["https://u@a.example/x", undefined],
  ["https://u:p@a.example/x", undefined],
  ["file:///etc/passwd", undefined],
  ["javascript:alert(1)", undefined],
  ["https://", undefined],
  ["not an address", undefined],
  [undefined, undefined],
] as const)
  test(`${String(text)} is ${expected === undefined ? "not used" : "used"}`, () => {
    assert.equal(safeUrl(text), expected);
  });

test("archives are named as the hosts name them", () => {
  const at = (host: string, branch: string): string =>
    archiveUrl({ host, owner: "ada", name: "engine", branch });
  assert.equal(
    at("github.com", "main"),
    "https://github.com/ada/engine/archive/refs/heads/main.tar.gz",
  );
  assert.equal(
    at("gitlab.example.com", "a/b"),
    "https://gitlab.example.com/ada/engine/-/archive/a/b/engine-a-b.tar.gz",
  );
  assert.equal(
    at("git.gitlab.example", "x"),
    "https://git.gitlab.example/ada/engine/-/archive/x/engine-x.tar.gz",
  );
  assert.equal(
    at("notgitlab.example", "x"),
    "https://notgitlab.example/ada/engine/archive/refs/heads/x.tar.gz",
  );
});

for (const [address, expected] of [
  [
    "https://github.com/ada/engine/blob/main/src/a.c",
    "https://raw.githubusercontent.com/ada/engine/main/src/a.c",
  ],
  [
    "https://github.com/ada/engine/raw/v1/a.c",
    "https://raw.githubusercontent.com/ada/engine/v1/a.c",
  ],
  [
    "https://github.com/ada/engine/blob/main",
    "https://web.archive.org/web/2/https://github.com/ada/engine/blob/main",
  ],
  [
    "https://github.com/ada/engine/tree/main/src",
    "https://web.archive.org/web/2/https://github.com/ada/engine/tree/main/src",
  ],
  [
    "https://data.example.org/a.csv",
    "https://web.archive.org/web/2/https://data.example.org/a.csv",
  ],
  ["http://localhost/a", undefined],
  ["http://127.0.0.1/a", undefined],
  ["http://build/a", undefined],
  ["https://wiki.corp/a", undefined],
  ["https://x.internal/a", undefined],
  ["https://data.example.org:8443/a", undefined],
] as const)
  test(`the same content as ${address}`, () => {
    assert.equal(mirrorUrl(address), expected);
  });
