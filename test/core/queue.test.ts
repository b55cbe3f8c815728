import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dequeue, enqueue, queueFrom, queueItems } from "../../src/core/persistent-collections.ts";

test("first in, first out, and older versions stay as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.array(fc.option(fc.nat())), (start, moves) => {
      const first = queueFrom(start);
      const expected = [...start];
      let queue = first;
      for (const move of moves) {
        if (move !== null) {
          queue = enqueue(queue, move);
          expected.push(move);
          continue;
        }
        const taken = dequeue(queue);
        assert.equal(taken?.item, expected.shift());
        queue = taken?.rest ?? queue;
      }
      assert.deepEqual(queueItems(queue), expected);
      assert.deepEqual(queueItems(first), start);
    }),
  );
});
