// When the list is looked at for those who listen: at once after a pause, and no more often than it can be told.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { OpenHome } from "../../../src/operations/runs/open-run.ts";
import { openFeed } from "../../../src/operations/serve/feed.ts";
import type { KeptList } from "../../../src/operations/serve/kept-list.ts";

/** When it is looked at, in milliseconds, where the journal is written to at these times. */
async function looks(
  { mock }: TestContext,
  { listeners, written }: { readonly listeners: number; readonly written: readonly number[] },
): Promise<readonly number[]> {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
  const at: number[] = [];
  let notice = (): void => assert.fail("nobody watches");
  const look = (): Promise<void> => Promise.resolve(void at.push(Date.now() - 1_000_000));
  const feed = openFeed(
    {
      journal: {
        watch(listener: () => void) {
          notice = listener;
          return () => undefined;
        },
      } as unknown as OpenHome["journal"],
    },
    {
      ...{ look, onChange: () => undefined, all: () => [], listed: () => undefined },
      newest: () => 0,
    } as unknown as KeptList,
  );
  const leaving = new AbortController();
  const streams = Array.from({ length: listeners }, () =>
    feed.all(0, leaving.signal)[Symbol.asyncIterator](),
  );
  for (const stream of streams) await stream.next();
  at.length = 0;
  for (let ms = 0; ms < 1000; ms += 10) {
    if (written.includes(ms)) notice();
    mock.timers.tick(ms === 0 ? 1 : 10);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }
  leaving.abort();
  for (const stream of streams) await stream.return?.();
  mock.timers.reset();
  return at;
}

const gaps = (at: readonly number[]): readonly number[] =>
  at.slice(1).map((time, index) => time - (at[index] ?? 0));

const NOTICES = [0, 120, 240, 360, 480, 600, 720, 840];

test("each notice of other processes' writing is followed at once, whoever wrote before", async (t) => {
  const at = await looks(t, { listeners: 1, written: NOTICES });
  assert.equal(at.length, NOTICES.length);
  for (const [index, time] of at.entries())
    assert.ok(time - (NOTICES[index] ?? 0) <= 11, `${time} ms`);
});

test("what is written all the time is gathered, and its last change is not lost", async (t) => {
  const written = Array.from({ length: 30 }, (_, index) => index * 10);
  const at = await looks(t, { listeners: 1, written });
  assert.ok(gaps(at).every((gap) => gap >= 100));
  assert.ok((at.at(-1) ?? 0) > 290 && at.length <= 5, at.join(" "));
});

test("500 listeners are told no more often than four times a second", async (t) => {
  const at = await looks(t, { listeners: 500, written: NOTICES });
  assert.ok(gaps(at).every((gap) => gap >= 250) && at.length >= 3, at.join(" "));
});
