import assertNode from "node:assert/strict";
import { test } from "node:test";
import { assert, unreachable } from "../../src/core/assert.ts";

test("a broken invariant crashes and says which", () => {
  assertNode.doesNotThrow(() => assert(1 < 2, "order"));
  assertNode.throws(() => assert(undefined, "order"), new Error("broken invariant: order"));
  assertNode.throws(
    () => unreachable({ kind: "cart" } as never),
    new Error('broken invariant: unexpected {"kind":"cart"}'),
  );
});
