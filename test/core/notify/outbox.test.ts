// proves: U10
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Notice } from "../../../src/core/notify/notice.ts";
import {
  requeued,
  CHANNELS,
  delivered,
  EMPTY,
  failed,
  leased,
  nextDue,
  queued,
  quieted,
  readOutbox,
  type Outbox,
  type Waiting,
} from "../../../src/core/notify/outbox.ts";

const MINUTE = 60_000;

function item(
  seq: number,
  more: Partial<Notice> = {},
  channel: Waiting["channel"] = "slack",
): Waiting {
  const words = { cause: "question: build broken", words: "a needs you: build broken" };
  const notice: Notice = {
    ...{ id: `r1/${seq}`, run: "r1", repository: "shop", severity: "question", at: 0 },
    ...words,
    ...more,
  };
  return { channel, notice, due: 0, tries: 0 };
}
const put = (outbox: Outbox, upTo: number, ...items: Waiting[]): Outbox =>
  queued(outbox, { run: "r1", upTo, items });
const ids = (items: readonly Waiting[]): string[] => items.map(({ notice }) => notice.id);

test("a notice is queued once, however often its events are read", () => {
  const once = put(EMPTY, 5, item(3), item(5));
  const twice = put(once, 9, item(3), item(5), item(9));
  assert.deepEqual(ids(twice.waiting), ["r1/3", "r1/5", "r1/9"]);
  assert.deepEqual(put(twice, 4, item(3)).seen, [["r1", 9]]);
});

test("of one cause at most one message a minute, with all that waits; other causes and channels go at once", () => {
  const first = leased(put(EMPTY, 1, item(1)), 0);
  assert.deepEqual(ids(first.items), ["r1/1"]);
  const sent = delivered(first.outbox, first.items);
  const more = put(
    sent,
    6,
    item(2),
    item(3),
    item(4, { cause: "ended: failed" }),
    item(5, {}, "ntfy"),
  );
  const other = leased(more, 1000);
  assert.deepEqual(ids(other.items), ["r1/4"]);
  const third = leased(delivered(other.outbox, other.items), 1000);
  assert.deepEqual(ids(third.items), ["r1/5"]);
  const rest = delivered(third.outbox, third.items);
  assert.deepEqual(leased(rest, MINUTE - 1).items, []);
  assert.equal(nextDue(rest), MINUTE);
  assert.deepEqual(ids(leased(rest, MINUTE).items), ["r1/2", "r1/3"]);
});

test("what is being sent is nobody else's until its lease is over: then it is sent again", () => {
  const { outbox } = leased(put(EMPTY, 1, item(1)), 0);
  assert.deepEqual(leased(outbox, MINUTE - 1).items, []);
  assert.deepEqual(ids(leased(outbox, MINUTE).items), ["r1/1"]);
});

test("a failure is tried again later and ever later, at most an hour apart, and is given up in the end", () => {
  let outbox = put(EMPTY, 1, item(1));
  let now = 0;
  const waits: number[] = [];
  for (;;) {
    const { items, outbox: next } = leased(outbox, now);
    assert.equal(items.length, 1);
    outbox = failed(next, items, { now, problem: "HTTP 500", forGood: false });
    assert.deepEqual(outbox.problems, [["slack", "HTTP 500"]]);
    const due = nextDue(outbox);
    if (due === undefined) break;
    waits.push(due - now);
    now = due;
  }
  assert.deepEqual(waits.slice(0, 4), [5000, 10_000, 20_000, 40_000]);
  assert.equal(Math.max(...waits), 60 * MINUTE);
  assert.equal(waits.length, 19);
});

test("what the other side refuses is given up at once; a success forgets the problem", () => {
  const first = leased(put(EMPTY, 1, item(1)), 0);
  const refused = failed(first.outbox, first.items, { now: 0, problem: "HTTP 404", forGood: true });
  assert.equal(refused.waiting.length, 0);
  const second = leased(put(refused, 2, item(2)), 0);
  assert.deepEqual(delivered(second.outbox, second.items).problems, []);
});

test("in quiet hours what is due waits, but for what comes through", () => {
  const outbox = put(EMPTY, 2, item(1), item(2, { severity: "critical", cause: "ended: failed" }));
  const quiet = quieted(outbox, 0, (severity) => (severity === "critical" ? 0 : 5 * MINUTE));
  assert.deepEqual(ids(leased(quiet, 0).items), ["r1/2"]);
  assert.deepEqual(ids(leased(quiet, 5 * MINUTE).items), ["r1/1"]);
});

test("quiet hours move nothing that is due later, and nothing once they are over", () => {
  const later = { ...item(1), due: 10 * MINUTE };
  const outbox = put(EMPTY, 2, later, { ...item(2), due: MINUTE });
  const quiet = quieted(outbox, MINUTE, () => 5 * MINUTE);
  assert.deepEqual(quiet.waiting, [later, { ...item(2), due: 6 * MINUTE }]);
  assert.deepEqual(
    quieted(outbox, MINUTE, () => 0),
    outbox,
  );
});

test("each channel sends and fails for itself", () => {
  const both = put(EMPTY, 1, item(1, {}, "slack"), item(1, {}, "ntfy"));
  const { outbox, items } = leased(both, 0);
  assert.deepEqual(
    delivered(outbox, items).waiting.map(({ channel }) => channel),
    ["ntfy"],
  );
  const broken = failed(outbox, items, { now: 0, problem: "HTTP 500", forGood: false });
  assert.deepEqual(
    broken.waiting.map(({ channel, tries, due }) => [channel, tries, due]),
    [
      ["slack", 1, 5000],
      ["ntfy", 0, 0],
    ],
  );
  const second = leased(broken, 0);
  assert.equal(second.items[0]?.channel, "ntfy");
  const worse = failed(second.outbox, second.items, { now: 0, problem: "down", forGood: true });
  assert.deepEqual(worse.problems, [
    ["slack", "HTTP 500"],
    ["ntfy", "down"],
  ]);
  const third = leased(worse, 5000);
  assert.deepEqual(ids(third.items), ["r1/1"], "the minute is free again after a failure");
  assert.deepEqual(delivered(third.outbox, third.items).problems, [["ntfy", "down"]]);
  assert.equal(failed(worse, [], { now: 0, problem: "x", forGood: true }), worse);
});

test("all of a message that failed is tried again together", () => {
  const { outbox, items } = leased(put(EMPTY, 2, item(1), item(2)), 0);
  const later = failed(outbox, items, { now: 0, problem: "down", forGood: false });
  assert.deepEqual(
    later.waiting.map(({ tries, due }) => [tries, due]),
    [
      [1, 5000],
      [1, 5000],
    ],
  );
  const never = failed(outbox, items, { now: 0, problem: "down", forGood: true });
  assert.deepEqual(never.waiting, []);
});

test("each run's events are counted for themselves, of the newest two hundred runs", () => {
  const run = (outbox: Outbox, name: string, upTo: number): Outbox =>
    queued(outbox, { run: name, upTo, items: [item(1, { id: `${name}/1`, run: name })] });
  const two = run(run(run(EMPTY, "r1", 5), "r2", 2), "r1", 5);
  assert.deepEqual(ids(two.waiting), ["r1/1", "r2/1"]);
  assert.deepEqual(two.seen, [
    ["r2", 2],
    ["r1", 5],
  ]);
  const many = Array.from({ length: 250 }, (_, at) => `n${at}`);
  const { seen } = many.reduce<Outbox>((outbox, name) => run(outbox, name, 1), EMPTY);
  assert.deepEqual(
    seen.map(([name]) => name),
    many.slice(-200),
  );
});

test("of more than three hundred that wait, the oldest go; what is asked for again is sent again", () => {
  const many = Array.from({ length: 301 }, (_, at) => item(at + 1));
  const outbox = put(EMPTY, 301, ...many);
  assert.deepEqual([outbox.waiting.length, outbox.waiting[0]?.notice.id], [300, "r1/2"]);
  const more = requeued(outbox, [item(1)]);
  assert.deepEqual([more.waiting.length, more.waiting.at(-1)?.notice.id], [300, "r1/1"]);
});

test("the next message goes out when the first of those that wait is due", () => {
  assert.equal(nextDue(EMPTY), undefined);
  const outbox = put(EMPTY, 2, { ...item(1), due: 9 }, { ...item(2, { cause: "b" }), due: 4 });
  assert.equal(nextDue(outbox), 4);
  assert.deepEqual(leased(outbox, 3).items, []);
  assert.deepEqual(ids(leased(outbox, 4).items), ["r1/2"]);
});

test("a text that is no outbox is an empty one", () => {
  for (const text of [undefined, "", "{", "null", '{"waiting":1}'])
    assert.deepEqual(readOutbox(text), EMPTY);
  const outbox = put(
    EMPTY,
    2,
    item(1),
    item(2, { question: "a/c1", answers: ["skip"], details: "x" }),
  );
  assert.deepEqual(readOutbox(JSON.stringify(outbox)), outbox);
});

test("whatever happens: bounded, each notice goes out once where sending works, never two of a cause in a minute", () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 90_000 }),
    queue: fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom(...CHANNELS)), {
      maxLength: 3,
    }),
    fails: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let outbox = EMPTY;
      let [now, seq] = [0, 0];
      const out: { key: string; at: number }[] = [];
      const told: string[] = [];
      for (const { wait, queue, fails } of steps) {
        now += wait;
        for (const [cause, channel] of queue)
          outbox = put(outbox, ++seq, item(seq, { cause }, channel));
        for (;;) {
          const { items, outbox: next } = leased(outbox, now);
          outbox = next;
          if (items.length === 0) break;
          assert.equal(new Set(items.map(({ channel, notice }) => channel + notice.cause)).size, 1);
          if (fails) {
            outbox = failed(outbox, items, { now, problem: "x", forGood: false });
            continue;
          }
          out.push({ key: `${items[0]?.channel} ${items[0]?.notice.cause}`, at: now });
          told.push(...items.map(({ channel, notice }) => `${channel} ${notice.id}`));
          outbox = delivered(outbox, items);
        }
        assert.ok(outbox.waiting.length <= 300 && outbox.sent.length <= 200);
      }
      assert.equal(new Set(told).size, told.length);
      for (const [, all] of Map.groupBy(out, ({ key }) => key))
        for (const [index, { at }] of all.entries())
          assert.ok(index === 0 || at - (all[index - 1]?.at ?? 0) >= MINUTE);
    }),
    { numRuns: 100 },
  );
});
