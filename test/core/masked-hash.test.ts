// Texts are compared without what changes from run to run; counts and places stay.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { masked, maskedHash } from "../../src/core/masked-hash.ts";

const same = (one: string, other: string): boolean => maskedHash(one) === maskedHash(other);

const SAME: readonly (readonly [string, string])[] = [
  ["at 2026-11-15T02:37:32.606Z it failed", "at 2025-01-01 01:02:03 it failed"],
  ["[15/Nov/2026:02:37:32 +0000] GET /", "[15/Nov/2026:03:40:01 +0000] GET /"],
  ["started 10:20:30, ended 10:20:31.5", "started 11:02:03, ended 11:02:04.25"],
  ["on 01/02/2026 at last", "on 17/11/2025 at last"],
  ["passed in 0.34s", "passed in 12.5s"],
  ["took 5 seconds", "took 61 seconds"],
  ["Time:        1.234 s", "Time:  11.2 s"],
  ["after 1m23s", "after 59s"],
  ["elapsed 00:12", "elapsed 01:47"],
  ["pid 123 died", "pid 99123 died"],
  ["(pid=12)", "(pid=4)"],
  ["cron[4711]: bad", "cron[12]: bad"],
  ["(node:123) Warning", "(node:98765) Warning"],
  ["attempt 3/5 failed", "attempt 4/5 failed"],
  ["Retry #2", "Retry #3"],
  ["commit a1b2c3d made", "commit f9e8d7c made"],
  [
    "session 550e8400-e29b-41d4-a716-446655440000 lost",
    "session 12345678-aaaa-4bbb-8ccc-1234567890ab lost",
  ],
  ["at 0x7ffe12 in main", "at 0x55 in main"],
  ["token req_01HZX3A9B2C7D4 used", "token req_07KQW8M2N5P1R3 used"],
  ["wrote /tmp/abc/x.log ok", "wrote /tmp/zz-9/y ok"],
  ["in /var/folders/x1/T/run: no", "in /var/folders/b7/T/other: no"],
  ["listening on 127.0.0.1:43817", "listening on 127.0.0.1:55000"],
  ["at epoch 1794710333658 now", "at epoch 1794710399999 now"],
  ['{"messageId": "om_0"}', '{"messageId": "om_17"}'],
  ['{"id":"room-1"}', '{"id":"room-22"}'],
  ['{"durationMs":12,"ok":true}', '{"durationMs":9999,"ok":true}'],
  ['{"startedAt": 5, "n": 1}', '{"startedAt": 6, "n": 1}'],
  ["request_id=a1 done", "request_id=b27 done"],
  ["done  \n", "done"],
];

describe("the same but for what varies", () => {
  for (const [one, other] of SAME)
    test(one, () => {
      assert.ok(same(one, other));
      assert.equal(masked(one), masked(other));
    });
});

const DIFFERENT: readonly (readonly [string, string])[] = [
  ["40 failed", "39 failed"],
  ["[10%] compiling", "[20%] compiling"],
  ["line 1", "line 2"],
  ["page 0", "page 1"],
  ["revision 3", "revision 4"],
  ["error TS2300: x", "error TS2301: x"],
  ["src/a.ts:12:34 bad", "src/a.ts:12:35 bad"],
  ["src/a.ts:12:34 bad", "src/a.ts:13:34 bad"],
  ["src/a.ts:43817: bad", "src/a.ts:43818: bad"],
  ["valid 3", "valid 4"],
  ["grid: 3", "grid: 4"],
  ["format: 3", "format: 4"],
  ["3/10", "4/10"],
  ["v1.2.3", "v1.2.4"],
  ["port 8080", "port 8081"],
  ["2026", "2027"],
  ["abc", "abd"],
  ["a b", "ab"],
  ["", "x"],
];

describe("not the same", () => {
  for (const [one, other] of DIFFERENT)
    test(`${one} / ${other}`, () => assert.ok(!same(one, other)));
});

/** A text, and the one piece of it that varies; empty for none. */
const PIECES: readonly (readonly [string, string])[] = [
  ["on 2026-11-15 at", "2026-11-15"],
  ["on 2026-11-15T10:20:30Z at", "2026-11-15T10:20:30Z"],
  ["on 2026-11-15 10:20:30 at", "2026-11-15 10:20:30"],
  ["on 2026-11-15_10:20:30.123456 at", "2026-11-15_10:20:30.123456"],
  ["on 2026-11-15T10:20:30,5+02:00 at", "2026-11-15T10:20:30,5+02:00"],
  ["on 2026-11-15T10:20:30 -0700 at", "2026-11-15T10:20:30 -0700"],
  ["on 2026-11-15T10:20 at", "2026-11-15T10:20"],
  ["on 2026-11-15T05_24_17_527Z-debug at", "2026-11-15T05_24_17_527Z"],
  ["on 2026-11 at", ""],
  ["at 9:20:30 it", "9:20:30"],
  ["at 10:20:30, it", "10:20:30"],
  ["at 10:20:30. It", "10:20:30"],
  ["at 10:20:30 +2 it", "10:20:30"],
  ["at 10:20 it", ""],
  ["x.10:20:30 it", ""],
  ["on 15/11/2026 it", "15/11/2026"],
  ["on 15/11/26 it", ""],
  ["Nov/2026:02:37:32 +0000]", "2026:02:37:32 +0000"],
  ["running (session exec-7, it", "7"],
  ["session 12 it", "12"],
  ["on port 127.0.0.1:43817 up", "43817"],
  ["version exec-7 it", ""],
  ["took 5ms it", "5ms"],
  ["in 12.5 s it", "12.5 s"],
  ["in 12.5 seconds it", "12.5 seconds"],
  ["in 3 min.", "3 min"],
  ["some 3 days ago", "3 days"],
  ["in 1 hour 5 minutes it", "1 hour 5 minutes"],
  ["in 5 milliseconds it", "5 milliseconds"],
  ["in 5 S it", "5 S"],
  ["in 5 sheep it", ""],
  ["in 5 millisecondsx it", ""],
  ["in 1m23s it", "1m23s"],
  ["in 2h5m it", "2h5m"],
  ["at 1794710333 now", "1794710333"],
  ["at 1794710333658 now", "1794710333658"],
  ["at 1234567890 now", ""],
  ["at 17947103331 now", ""],
  ["at 2794710333 now", ""],
  ["no 1234567890123456 now", "1234567890123456"],
  ["at 0x7ffe12 in", "0x7ffe12"],
  ["at 0X1F in", "0X1F"],
  ["is 12x8 in", ""],
  ["commit a1b2c3d made", "a1b2c3d"],
  ["commit 1a2b3c4 made", "1a2b3c4"],
  ["commit A1B2C3D made", "A1B2C3D"],
  ["commit 12345678 made", ""],
  ["id 550e8400-e29b-41d4-a716-446655440000 x", "550e8400-e29b-41d4-a716-446655440000"],
  ["no 12345678-e29b-41d4-a716-446655440000 x", "12345678-e29b-41d4-a716-446655440000"],
  ["token req_01HZX3A9B2C7D4 used", "req_01HZX3A9B2C7D4"],
  ["name handler12of34and56 used", "handler12of34and56"],
  ["name handler12of34 used", ""],
  ["on localhost:43817 up", "43817"],
  ["on [::x]:43817 up", "43817"],
  ["on localhost: 43817 up", ""],
  ["cron[4711]: bad", "4711"],
  ["cron[4]: bad", ""],
  ["(node:4711) bad", "4711"],
  ["elapsed 00:12 it", "00:12"],
  ["elapsed: 01:00:12 it", "01:00:12"],
];

describe("where a piece begins and ends", () => {
  for (const [text, piece] of PIECES)
    test(text, () => {
      const at = text.lastIndexOf(piece);
      const rest = [text.slice(0, at).trimEnd(), text.slice(at + piece.length).replace(/^ +/, "")];
      assert.equal(masked(text), piece === "" ? text : rest.join("~"));
    });
});

const UNITS =
  "ns us ms s sec secs second seconds min mins minute minutes hour hours day days millisecond milliseconds";
const LABELS =
  "pid ppid tid process attempt attempts retry retries try elapsed took duration timestamp ts " +
  "nonce durationms duration_ms elapsedms elapsed_ms latencyms latency_ms uptime session";

test("every unit and every label makes a number vary, as a whole word only", () => {
  for (const unit of UNITS.split(" ")) {
    assert.ok(same(`in 3 ${unit}, x`, `in 45 ${unit}, x`), unit);
    assert.ok(same(`in 3${unit.toUpperCase()}, x`, `in 45${unit.toUpperCase()}, x`), unit);
    assert.ok(!same(`in 3 q${unit}, x`, `in 4 q${unit}, x`), unit);
  }
  for (const label of LABELS.split(" ")) {
    assert.ok(same(`${label} 3, x`, `${label} 45, x`), label);
    assert.ok(same(`${label.toUpperCase()}=3, x`, `${label.toUpperCase()}=45, x`), label);
    assert.ok(!same(`q${label} 3, x`, `q${label} 4, x`), label);
  }
});

const LABELLED: readonly (readonly [string, boolean])[] = [
  ["pid 47", true],
  ["PID 47", true],
  ["pid: 47", true],
  ["pid=47", true],
  ["(pid 47)", true],
  ['"pid": "47"', true],
  ["retry #4", true],
  ["attempt   47", true],
  ["attempt     47", false],
  ["rapid 47", false],
  ["my.pid 47", false],
  ["a_pid 47", false],
  ["id: 47", true],
  ["id 47", false],
  ["userId: 47", true],
  ["user_id=47", true],
  ["userid: 47", false],
  ["valid: 47", false],
  ["startedAt: 47", true],
  ["format: 47", false],
  ["at: 47", true],
  ["waitMs: 47", true],
  ["items: 47", false],
  ["startTime: 47", true],
  ["start_time=47", true],
  ["sometime: 47", false],
  ["etag: 47", true],
  ["guid: 47", true],
  ["stage: 47", false],
  ["count: 47", false],
  ["duration_ms 47", true],
  ["averylongnamethatgoesonpid 47", false],
  ['{"id": "room-47"}', true],
  ['{"id": "a.b-47"}', true],
  ['{"name": "room-47"}', false],
  ["pid room-47", false],
];

describe("values that a key before them makes vary", () => {
  for (const [text, varies] of LABELLED)
    test(text, () => assert.equal(same(text, text.replace("4", "5")), varies));
});

test("white space around a piece goes with it, and nothing else does", () => {
  assert.ok(same("a 5ms b", "a   12ms  b"));
  assert.ok(!same("a 5ms b", "a 5ms, b"));
  assert.ok(!same("a 5ms b", "a 5ms b 5ms"));
  assert.ok(!same("a 5ms b", "5ms a b"));
  assert.ok(same("5ms", "7ms"));
  assert.ok(!same("5ms", ""));
});

test("paths below a temporary folder vary, up to where they end", () => {
  for (const end of [" x", '" x', "' x", ": x", ", x", ") x", "\nx"]) {
    assert.ok(same(`in /tmp/a${end}`, `in /tmp/bcd/e${end}`), end);
    assert.ok(!same(`in /tmp/a${end}`, `in /tmp/a${end}y`), end);
  }
  assert.ok(same("in /tmp/a and /var/folders/b/c", "in /tmp/d/e and /var/folders/f"));
  for (const folder of ["/tmpa", "/var/files", "/opt"])
    assert.ok(!same(`in ${folder}/b x /tmp/q`, `in ${folder}/c x /tmp/q`), folder);
});

test("random names vary, whatever letters and digits they are made of", () => {
  const group = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 2, maxLength: 3 });
  const letters = group(fc.constantFrom(..."ghjkmnpqrstvwxyz"));
  const digits = group(fc.constantFrom(..."0123456789"));
  const name = fc
    .tuple(letters, digits, letters, digits, letters, digits)
    .map((all) => all.join(""));
  const hex = fc.stringMatching(/^[a-f][0-9][0-9a-f]{5,38}$/);
  fc.assert(
    fc.property(fc.oneof(name, hex), fc.oneof(name, hex), (one, other) => {
      assert.ok(same(`made ${one} now`, `made ${other} now`));
    }),
  );
});

test("any two texts of letters that differ have different hashes", () => {
  const letters = fc.stringMatching(/^[a-z ]{1,80}$/).map((text) => text.trim());
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      fc.pre(one !== other);
      assert.ok(!same(one, other));
    }),
  );
});

test("pieces that vary, anywhere in any text, make no difference", () => {
  const words = fc.stringMatching(/^[a-z,.;]{1,12}$/);
  const piece = fc
    .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 9999 }))
    .chain(([a, b]) =>
      fc.constantFrom<[string, string]>(
        [`${a}ms`, `${b}ms`],
        [`pid ${a}`, `pid ${b}`],
        [`2026-01-02 03:04:${10 + (a % 50)}`, `2026-03-04 05:06:${10 + (b % 50)}`],
        [`attempt ${a}`, `attempt ${b}`],
      ),
    );
  fc.assert(
    fc.property(fc.array(fc.tuple(words, piece), { maxLength: 12 }), (parts) => {
      const text = (side: 0 | 1): string =>
        parts.map(([word, pair]) => `${word} ${pair[side]}`).join(" ");
      assert.ok(same(text(0), text(1)));
    }),
  );
});

test("very long texts are compared by both ends", () => {
  const long = (start: string, end: string): string => start + "x".repeat(3_000_000) + end;
  assert.ok(same(long("a", "b"), long("a", "b")));
  assert.ok(!same(long("a", "b"), long("c", "b")));
  assert.ok(!same(long("a", "b"), long("a", "c")));
});

test("hostile texts take linear time", () => {
  const pieces = [
    "1",
    "a1",
    "1a",
    "id: ",
    "-1",
    "1:",
    "1.",
    " ",
    "0x",
    "aa-",
    "1 s ",
    "/tmp/",
    "é1",
  ];
  for (const one of pieces)
    for (const other of pieces) {
      const began = performance.now();
      masked((one + other).repeat(15_000));
      assert.ok(performance.now() - began < 2_000, JSON.stringify(one + other));
    }
});
