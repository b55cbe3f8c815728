// Everybody's turn comes in time, however often it is asked.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { turns } from "../../../src/operations/serve/turns.ts";

const EVERY_MS = 5000;

test("everybody's turn comes within the time, and after a pause it is all of them", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.array(fc.integer({ min: 0, max: 7000 }), { minLength: 1, maxLength: 60 }),
      (size, pauses) => {
        const all = new Map(Array.from({ length: size }, (_, index) => [`run ${index}`, index]));
        const { next, everybody } = turns(EVERY_MS);
        const looked = new Map<string, number>();
        let now = 1_000_000;
        for (const pause of [EVERY_MS, ...pauses]) {
          now += pause;
          for (const id of next(all, now)) looked.set(id, now);
          for (const id of all.keys()) {
            const age = now - (looked.get(id) ?? 0);
            // It may be asked a little before its time, and not again until the next request.
            assert.ok(age < EVERY_MS * 2, `${id} was looked at ${age} ms ago`);
            if (pause >= EVERY_MS) assert.equal(age, 0, id);
          }
        }
        everybody();
        assert.equal(new Set(next(all, now)).size, size);
      },
    ),
    { numRuns: 200 },
  );
});

test("asked often, it is a few at a time", () => {
  const all = new Map(Array.from({ length: 10_000 }, (_, index) => [String(index), index]));
  const { next } = turns(EVERY_MS);
  assert.equal(next(all, 1_000_000).length, 10_000);
  assert.equal(next(all, 1_000_100).length, 200);
  assert.equal(next(all, 1_000_100).length, 0);
});
