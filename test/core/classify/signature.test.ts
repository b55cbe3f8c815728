// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classify } from "../../../src/core/classify/classify.ts";
import { signatureOf } from "../../../src/core/classify/signature.ts";

test("what differs from run to run is masked", () => {
  for (const [one, other] of [
    ["error in /srv/a/cart.ts:12:5", "error in /home/b/deep/cart.ts:340:1"],
    ["error in C:\\srv\\cart.ts", "error in D:\\home\\cart.ts"],
    ["cart.ts:12: bad", "shelf.ts:9: bad"],
    ["worker 4711 died", "worker 9 died"],
    ["at 0x7ffe01 and a1b2c3d4e5f6", "at 0x10 and 0f9e8d7c6b5a"],
    ["run 2f1c8e70-1111-4222-8333-444455556666", "run 00000000-aaaa-4bbb-8ccc-ddddeeeeffff"],
    ["2026-01-02T03:04:05Z stopped", "2025-11-12 13:14:15 stopped"],
    ["stopped at 03:04:05", "stopped at 23:59"],
    ["gave up after 2m30s", "gave up after 45s"],
    ["gave up after 120 ms", "gave up after 3 seconds"],
    ["see https://carts.example/a?b=1", "see http://other.example/zzz"],
    ["tmp-ab12cd held", "tmp_xyz9876 held"],
    ["\x1b[31mred\x1b[0m   cart", "red cart"],
  ] as const)
    assert.equal(signatureOf(one), signatureOf(other), `${one} | ${other}`);
});

test("what means something is kept", () => {
  for (const [one, other] of [
    ["permission denied", "no such file"],
    ["undefined: total", "undefined: sum"],
    ["cannot find module cart", "cannot find module shelf"],
    ["", "x"],
  ] as const)
    assert.notEqual(signatureOf(one), signatureOf(other));
});

test("changed pids, paths and times leave a failure's signature alone", () => {
  const words = (pid: number, folder: string, clock: string): string =>
    `[${clock}] worker ${pid}: ENOENT: no such file or directory, open '/srv/${folder}/cart'`;
  const folder = fc.stringMatching(/^[a-z]{1,12}$/);
  const clock = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) });
  fc.assert(
    fc.property(fc.nat(99_999), folder, clock, (pid, name, time) => {
      const one = classify({ stderr: words(1, "a", "2026-01-02T03:04:05.000Z") });
      const other = classify({ stderr: words(pid, name, time.toISOString()) });
      assert.equal(other.signature, one.signature);
    }),
  );
});

test("a failure no rule knows is signed by its last words, or by how it ended", () => {
  const unknown = classify({ stderr: "line one\nthe shelf fell over 3 times\n" });
  assert.equal(unknown.kind, "unknown");
  assert.equal(
    unknown.signature,
    classify({ stderr: "line one\nthe shelf fell over 9 times" }).signature,
  );
  assert.notEqual(unknown.signature, classify({ stderr: "line one\nthe roof leaks" }).signature);
  assert.notEqual(classify({ exitCode: 1 }).signature, classify({ signal: "SIGINT" }).signature);
});

test("any text is signed, in bounded time and size", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      assert.match(signatureOf(text), /^[\da-f]{16}$/);
    }),
  );
  assert.equal(signatureOf("a".repeat(10_000_000)), signatureOf("a".repeat(5_000)));
});
