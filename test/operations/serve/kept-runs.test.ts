// What a server keeps of runs is what folding all their events anew says, however it is asked for. proves: A10
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { JournalRow } from "../../../src/journal/reader.ts";
import { keptRuns, timedFold } from "../../../src/operations/serve/kept-runs.ts";
import { numbered } from "../../journal/appends.ts";
import { TOLD } from "./told-runs.ts";

const events = TOLD.one;

/** A journal in memory that tells how many rows were read of it. */
function journal() {
  const runs = new Map<string, RunEvent[]>();
  const counted = { rows: 0 };
  const read = (run: string, from: number, limit: number): Promise<readonly JournalRow[]> => {
    const rows = (runs.get(run) ?? []).slice(from - 1, from - 1 + limit);
    counted.rows += rows.length;
    // As text and back: what is read is never the same object twice.
    return Promise.resolve(
      rows.map((event, index) => {
        const text = JSON.stringify(event);
        return { seq: from + index, event: JSON.parse(text) as RunEvent, size: text.length };
      }),
    );
  };
  const write = (run: string, count: number): void => {
    const known = runs.get(run) ?? [];
    runs.set(run, [...known, ...events.slice(known.length, known.length + count)]);
  };
  return { runs, counted, read, write };
}

const anew = (of: readonly RunEvent[]) => {
  const fold = timedFold();
  for (const event of of) fold.add(event);
  return said(fold);
};

const said = ({ state, history, times }: ReturnType<typeof timedFold>) => ({
  ...{ state: state(), history: history() },
  times: [times.waits, times.questions, times.incidents()],
});

const moves = fc.oneof(
  fc.record({ do: fc.constant("write"), run: fc.nat(3), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant("ask"), run: fc.nat(3), count: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ do: fc.constant("clean"), run: fc.nat(3), count: fc.constant(0) }),
);

test("kept is folded anew, whatever was written, cleaned and asked for, within its limits", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(moves, { maxLength: 30, size: "max" }),
      fc.record({ runs: fc.integer({ min: 0, max: 3 }), chars: fc.constantFrom(0, 9000, 1e7) }),
      async (done, limits) => {
        const { runs, read, write } = journal();
        const kept = keptRuns({ read }, limits);
        for (const { do: what, run: number, count } of done) {
          const run = `run ${number}`;
          if (what === "write") write(run, count);
          if (what === "clean") runs.delete(run);
          if (what !== "ask") continue;
          const expected = anew(runs.get(run) ?? []);
          const asked = Array.from({ length: count }, () => kept.folded(run));
          for (const fold of await Promise.all(asked)) assert.deepEqual(said(fold), expected);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("only what is new is read again, with the last known event", async () => {
  const { counted, read, write } = journal();
  const kept = keptRuns({ read });
  const rowsFor = async (): Promise<number> => {
    counted.rows = 0;
    await kept.recorded("a");
    return counted.rows;
  };
  write("a", 12);
  assert.equal(await rowsFor(), 12);
  assert.equal(await rowsFor(), 1);
  write("a", 3);
  assert.equal(await rowsFor(), 4);
});

test("what was told of a run stays as it was when the run goes on", async () => {
  const { read, write } = journal();
  const kept = keptRuns({ read });
  const told = [];
  for (const _ of events) {
    write("a", 1);
    told.push(await kept.recorded("a"));
  }
  for (const [index, recorded] of told.entries()) {
    const { state, history } = anew(events.slice(0, index + 1));
    assert.deepEqual(recorded, { state, history });
  }
});

test("a run that was replaced by another of the same id and length is folded anew", async () => {
  const { runs, read } = journal();
  const kept = keptRuns({ read });
  runs.set("a", events.slice(0, 8));
  await kept.folded("a");
  for (const other of [
    [...events.slice(0, 7), numbered(1)],
    [...events.slice(0, 7), numbered(2)],
    events.slice(0, 5),
    [],
  ]) {
    runs.set("a", other);
    assert.deepEqual(said(await kept.folded("a")), anew(other));
  }
});

test("no more runs are kept than are allowed: those asked for last", async () => {
  const { counted, read, write } = journal();
  const kept = keptRuns({ read }, { runs: 2, chars: 1e9 });
  for (const run of ["a", "b", "c"]) write(run, 9);
  for (const run of ["a", "b", "a", "c"]) await kept.folded(run);
  const rowsFor = async (run: string): Promise<number> => {
    counted.rows = 0;
    await kept.folded(run);
    return counted.rows;
  };
  assert.deepEqual([await rowsFor("a"), await rowsFor("c"), await rowsFor("b")], [1, 1, 9]);
  const small = keptRuns({ read }, { runs: 9, chars: 10 });
  await small.folded("a");
  counted.rows = 0;
  await small.folded("a");
  assert.equal(counted.rows, 9, "one that is larger than all that may be kept is not kept");
});
