// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
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

for (const [name, frame, values] of [
  [
    "paths",
    "in * at",
    ["/srv", "src/a/b.ts", "a/b", "./a", "~/a-b/c+d.e", "C:\\a\\b", "z:\\a", "/srv/a/", "@x/y=1%"],
  ],
  ["addresses", "see * at", ["https://a", "http://b.c/d?e=f#g", "git+ssh://h/i", "x2://u:8/"]],
  ["quoted addresses", "see ('*') at", ["https://a", "http://b.c/d?e"]],
  ["files with a line", "in *:3 at", ["a.ts", "big-cart.py", "x_1.c"]],
  [
    "ids",
    "of * at",
    ["abcdefab-abcd-abcd-abcd-abcdefabcdef", "01234567-0123-0123-0123-012345678901"],
  ],
  [
    "dates",
    "of * at",
    [
      "2026-01-02",
      "2025-11-12T13:14",
      "2025-11-12 13:14:15",
      "2025-11-12T13:14:15.678",
      "2025-11-12T13:14:15,678901Z",
      "2025-11-12T13:14z",
      "2025-11-12T13:14:15+02:00",
      "2025-11-12T13:14:15-0500",
    ],
  ],
  [
    "clock times",
    "of * at",
    ["3:04", "13:04", "13:04:05", "13:04:05.678", "1:04:05,6", "3:04pm", "3:04 AM"],
  ],
  [
    "durations",
    "of * at",
    ["5s", "1.5 s", "20ms", "2m30s", "1 hour 5 minutes", "3 days", "9\u00b5s"],
  ],
  ["addresses in memory", "of * at", ["0x1", "0xDEADBEEF", "0x00007f"]],
  ["hashes", "of * at", ["12345ab", "abc1234", "a1b2c3d", "1234567abc", "0123456789ABCDEF"]],
  [
    "names made up",
    "of * at",
    ["tmp-abcd", "temp_wxyz123", "req.abcd-efgh", "toolu_x1y2", "run-abcde"],
  ],
  ["numbers", "of * at", ["1", "4711", "1,234.56", "1.2.3"]],
] as const)
  test(`masked: ${name}`, () => {
    const [first = "", ...others] = values.map((value) => signatureOf(frame.replace("*", value)));
    others.forEach((other, index) => assert.equal(other, first, values[index + 1]));
    assert.notEqual(signatureOf(`${frame.replace("*", values[0])} x`), first);
    assert.notEqual(signatureOf(frame.replace("*", "cart")), first);
  });

test("case and space do not matter", () => {
  for (const text of ["Cart  Lost", " cart lost", "cart\n\tlost\n"])
    assert.equal(signatureOf(text), signatureOf("cart lost"));
});

test("only the first 600 characters are signed", () => {
  const text = "cart ".repeat(120);
  assert.equal(signatureOf(`${text}lost`), signatureOf(text));
  assert.notEqual(signatureOf(`${text.slice(0, 599)}x`), signatureOf(text));
});

test("what means something is kept", () => {
  for (const [one, other] of [
    ["permission denied", "no such file"],
    ["undefined: total", "undefined: sum"],
    ["cannot find module cart", "cannot find module shelf"],
    ["", "x"],
    ["cart.ts: bad", "shelf.ts: bad"],
    ["deadbeef is lost", "feedface is lost"],
    ["tmp-abc is lost", "tmp-xyz is lost"],
    ["either/or", "either or"],
    ["cart of 3", "cart of three"],
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
