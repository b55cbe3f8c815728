// proves: U11
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkGate } from "../../../src/agents/checks/checker.ts";

const turns = (number: number): Promise<void> =>
  number === 0 ? Promise.resolve() : Promise.resolve().then(() => turns(number - 1));

test("who is alone has nobody beside it, everybody gets in, and others run side by side", async () => {
  let together = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ alone: fc.boolean(), length: fc.nat(6), fails: fc.boolean() }), {
        maxLength: 20,
      }),
      async (asked) => {
        const gate = checkGate();
        let inside = 0;
        let done = 0;
        const work = asked.map(({ alone, length, fails }) =>
          gate(alone, async () => {
            inside += 1;
            together = Math.max(together, inside);
            assert.ok(!alone || inside === 1, "alone");
            await turns(length);
            assert.ok(!alone || inside === 1, "still alone");
            inside -= 1;
            done += 1;
            if (fails) throw new Error("the check broke");
          }).catch((error: unknown) => {
            if (error instanceof assert.AssertionError) throw error;
          }),
        );
        await Promise.all(work);
        assert.equal(done, asked.length);
      },
    ),
  );
  assert.ok(together > 1);
});

test("one that wants to be alone is not passed over by those who come later", async () => {
  const gate = checkGate();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = gate(false, () => first.promise);
  const alone = gate(true, async () => void order.push("alone"));
  const late = gate(false, async () => void order.push("late"));
  first.resolve();
  await Promise.all([running, alone, late]);
  assert.deepEqual(order, ["alone", "late"]);
});
