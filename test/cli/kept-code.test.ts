import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder, unstuck } from "./command.ts";

const ARGS = ["classify", "--json"];
const input = "sh: 1: frobnicate: not found\n";
const answer = unstuck(ARGS, { input, env: { NODE_DISABLE_COMPILE_CACHE: "1" } });

/** The files in which the launcher keeps what V8 made of its bundles. */
const keptIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /unstuck-[0-9a-f]{32}[a-z]*$/.test(name))
    .map((name) => join(folder, name));

const classified = (folder: string): void =>
  assert.deepEqual(unstuck(ARGS, { input, env: { NODE_COMPILE_CACHE: folder } }), answer);

test("what V8 made of a bundle is kept for a few calls, for this user alone", () => {
  inFolder((folder) => {
    for (let call = 1; call <= 10; call += 1) {
      classified(folder);
      const [file = ""] = keptIn(folder);
      assert.equal(readFileSync(file).at(-1), Math.min(call, 8));
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    assert.equal(keptIn(folder).length, 1);
    assert.match(answer.out, /command_not_found/);
  });
});

test("what is broken, or what others might have written, is not run but made anew", () => {
  inFolder((folder) => {
    classified(folder);
    const [file = ""] = keptIn(folder);
    const whole = readFileSync(file);
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(5000), whole.subarray(0, 900)]) {
      writeFileSync(file, bytes);
      classified(folder);
      assert.equal(readFileSync(file).at(-1), 1);
    }
    chmodSync(file, 0o666);
    classified(folder);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file).at(-1), 1);
  });
});

test("each command keeps what it ran for itself, for a few calls; one that there is not keeps nothing", () => {
  inFolder((folder) => {
    const env = { NODE_COMPILE_CACHE: folder };
    assert.equal(unstuck(["frobnicate"], { env }).code, 2);
    assert.deepEqual(keptIn(folder), []);
    for (let call = 1; call <= 4; call += 1) {
      assert.equal(unstuck(["policy", "show"], { env }).code, 0);
      const [file = "", ...others] = keptIn(folder);
      assert.match(file, /[0-9a-f]{32}policy$/);
      assert.deepEqual(others, []);
      assert.equal(readFileSync(file).at(-1), Math.min(call, 3));
    }
  });
});
