// proves: U24
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fleetJournal } from "../../src/engines/restate/fleet-journal.ts";
import { ingress, type Ingress } from "../../src/engines/restate/ingress.ts";
import { INDEX_OBJECT, ONLY, type RunHead } from "../../src/engines/restate/messages.ts";
import { NEW_HEAD } from "../../src/engines/restate/run-turn.ts";
import { FULL } from "../large-form.ts";
import { restateStore } from "./restate-store.ts";
import { WITHOUT_RESTATE } from "./server.ts";

const RUNS = FULL ? 10_000 : 400;
const OPEN = RUNS / 100;
const AT_ONCE = 64;

const idOf = (number: number): string => `r${String(number).padStart(6, "0")}`;
const head = (number: number, more: Partial<RunHead> = {}): RunHead => ({
  ...NEW_HEAD,
  ...{ seq: 10, created: number, changed: number, repo: "https://git.example.com/team/app.git" },
  ...{ title: "make the tests pass", phase: number <= OPEN ? "active" : "ended" },
  ...{ outcome: "verified", chunks: [1, 200, 400], mark: "0123456789abcdef" },
  ...more,
});

async function filled(engine: Ingress): Promise<void> {
  let next = 1;
  const fill = async (): Promise<void> => {
    for (let number = next++; number <= RUNS; number = next++)
      await engine.call(INDEX_OBJECT, ONLY, "put", { run: idOf(number), head: head(number) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fill));
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly of: T }> {
  const begun = performance.now();
  const of = await work();
  return { ms: Math.round(performance.now() - begun), of };
}

test("U24: a fleet's list of thousands of runs", { skip: WITHOUT_RESTATE }, async (t) => {
  const store = await restateStore();
  after(() => store.close());
  await store.start();
  const engine = ingress({ urls: [store.server.ingressUrl] });
  const journal = fleetJournal(engine);
  const put = (number: number, more: Partial<RunHead>): Promise<unknown> =>
    engine.call(INDEX_OBJECT, ONLY, "put", { run: idOf(number), head: head(number, more) });
  const lately = async (at: number): Promise<readonly string[]> =>
    (await journal.runsSince(at)).rows.map(({ id, phase, seq }) => `${id} ${phase} ${seq}`);
  const going = Array.from({ length: OPEN }, (_, index) => `${idOf(OPEN - index)} active 10`);

  await t.test("all of it, newest first, and what changed lately", async () => {
    await filled(engine);
    const all = await timed(() => journal.runs());
    assert.equal(all.of.length, RUNS);
    assert.deepEqual(
      all.of.slice(0, 3).map(({ id }) => id),
      [idOf(RUNS), idOf(RUNS - 1), idOf(RUNS - 2)],
    );
    const news = await timed(() => journal.runsSince(RUNS - 1));
    assert.equal(news.of.total, RUNS);
    assert.deepEqual(await lately(RUNS), [`${idOf(RUNS)} ended 10`, ...going]);
    console.log(`${RUNS} runs: all in ${all.ms} ms, what changed lately in ${news.ms} ms`);
  });

  await t.test(
    "a run that ends and is tried on stands in one place, and never goes back",
    async () => {
      const soon = RUNS + 1;
      await put(1, { seq: 20, phase: "ended", changed: soon });
      assert.deepEqual(await lately(soon), [...going.slice(0, -1), `${idOf(1)} ended 20`]);
      await put(1, { seq: 15, phase: "active", changed: soon + 1 });
      assert.deepEqual(await lately(soon), [...going.slice(0, -1), `${idOf(1)} ended 20`]);
      await put(1, { seq: 21, phase: "ended", changed: soon });
      await put(1, { seq: 30, phase: "active", changed: soon });
      assert.deepEqual(await lately(soon), [...going.slice(0, -1), `${idOf(1)} active 30`]);
      const { total } = await journal.runsSince(soon);
      assert.equal(total, RUNS);
      assert.equal((await journal.runs()).length, RUNS);
    },
  );
});
