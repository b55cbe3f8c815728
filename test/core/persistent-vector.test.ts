import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  vectorFrom,
  vectorGet,
  vectorItems,
  vectorSet,
} from "../../src/core/persistent-collections.ts";

test("behaves like an array and never changes an existing vector", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1, maxLength: 1200 }),
      fc.array(fc.tuple(fc.nat(), fc.integer()), { maxLength: 30 }),
      (items, writes) => {
        const first = vectorFrom(items);
        const expected = [...items];
        let vector = first;
        for (const [at, value] of writes) {
          const index = at % items.length;
          expected[index] = value;
          vector = vectorSet(vector, index, value);
          assert.equal(vectorGet(vector, index), value);
        }
        assert.deepEqual(vectorItems(vector), expected);
        assert.deepEqual(vectorItems(first), items);
        assert.equal(vector.length, items.length);
      },
    ),
  );
});

test("depth grows with the length and every index is found", () => {
  for (const length of [0, 1, 31, 32, 33, 1023, 1024, 1025, 40_000]) {
    const vector = vectorFrom(Array.from({ length }, (_, index) => index));
    for (const index of [0, length >> 1, length - 1])
      if (index >= 0 && index < length) assert.equal(vectorGet(vector, index), index);
    assert.throws(() => vectorGet(vector, length));
    assert.throws(() => vectorGet(vector, -1));
    assert.throws(() => vectorSet(vector, length, 1));
  }
});

test("at every depth a written element is found again and the others are as they were", () => {
  for (const [length, shift] of [
    [0, 0],
    [1, 0],
    [32, 0],
    [33, 5],
    [1024, 5],
    [1025, 10],
  ] as const) {
    const items = Array.from({ length }, (_, index) => index);
    const vector = vectorFrom(items);
    assert.equal(vector.shift, shift, `${length}`);
    assert.deepEqual(vectorItems(vector), items);
    assert.throws(() => vectorSet(vector, -1, 0));
    for (const index of new Set([0, 31, 32, 1023, 1024, length - 1])) {
      if (index < 0 || index >= length) continue;
      assert.deepEqual(vectorItems(vectorSet(vector, index, -7)), items.with(index, -7));
      assert.deepEqual(vectorItems(vector), items);
    }
  }
});
