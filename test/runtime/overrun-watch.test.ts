// proves: C7
// The policy's own cut-off: never for length alone, never while news come, never for time asleep.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../src/core/stuck/step.ts";
import { watchOverrun } from "../../src/runtime/overrun-watch.ts";

const MINUTE = 60_000;

/** Half an hour is too long, ten minutes without news are quiet. */
function watching(seen: readonly number[] = []) {
  let now = 0;
  let tree = "a";
  let waiting: { readonly due: number; readonly call: () => void } | undefined;
  const told: number[] = [];
  const clock = {
    now: () => now,
    at(due: number, call: () => void) {
      waiting = { due, call };
      return () => (waiting = undefined);
    },
  };
  const watch = watchOverrun({
    ...{ clock, tooLongMs: 30 * MINUTE, quietMs: 10 * MINUTE, seen },
    treeMark: () => Promise.resolve(tree),
    tooLong: (ranMs) => void told.push(ranMs / MINUTE),
  });
  return {
    told,
    watch,
    change: () => (tree += "a"),
    /** Fires what is due until then; `late`: it comes so much later. */
    to: async (minute: number, late = 0): Promise<void> => {
      while (waiting !== undefined && waiting.due <= minute * MINUTE) {
        const { due, call } = waiting;
        waiting = undefined;
        now = due + late;
        call();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = Math.max(now, minute * MINUTE);
    },
  };
}
const result = (output: string): Step => ({ kind: "tool_result", tool: "Bash", output });

describe("an attempt that takes three times as long as usual", () => {
  test("is ended once it had no news for a while, once only", async () => {
    const { told, to } = watching();
    await to(29);
    assert.deepEqual(told, []);
    await to(90);
    assert.deepEqual(told, [30]);
  });

  test("goes on while tools tell it something new, and not for what was told before", async () => {
    const { told, to, watch } = watching();
    for (let minute = 5; minute <= 60; minute += 5) {
      await to(minute);
      watch.step(result(`line of file ${"x".repeat(minute)}`));
    }
    assert.deepEqual(told, []);
    for (let minute = 65; minute <= 69; minute += 1) {
      await to(minute);
      watch.step(result(`line of file ${"x".repeat(60)}`));
    }
    await to(75);
    assert.deepEqual(told, [70]);
  });

  test("goes on while its tree changes", async () => {
    const { told, to, change } = watching();
    for (let minute = 5; minute <= 60; minute += 5) {
      await to(minute);
      change();
    }
    assert.deepEqual(told, []);
    await to(90);
    assert.equal(told.length, 1);
  });

  test("what an earlier attempt was told is no news; words are none, a plain command's output is", async () => {
    const words = watching();
    const output = watching();
    for (let minute = 5; minute <= 60; minute += 5) {
      await words.to(minute);
      await output.to(minute);
      const text = `still thinking about ${"it ".repeat(minute)}`;
      words.watch.step({ kind: "message", text, channel: "thought" });
      words.watch.step({ ...result(text), veto: true } as Step);
      output.watch.step({ kind: "message", text, channel: "output" });
    }
    assert.deepEqual(words.told, [30]);
    assert.deepEqual(output.told, []);
  });

  test("time in which it waits for a person's word does not count, however many calls wait", async () => {
    const { told, to, watch } = watching();
    await to(5);
    const [first, second] = [watch.hold(), watch.hold()];
    await to(100);
    first();
    await to(200);
    assert.deepEqual(told, []);
    second();
    await to(224);
    assert.deepEqual(told, []);
    await to(240);
    assert.deepEqual(told, [30]);
  });

  test("time asleep does not count, and an attempt that has ended is left alone", async () => {
    const slept = watching();
    await slept.to(25, 8 * 60 * MINUTE);
    await slept.to(8 * 60 + 25);
    assert.deepEqual(slept.told, []);
    await slept.to(8 * 60 + 40);
    assert.deepEqual(slept.told, [30]);
    const over = watching();
    over.watch.end();
    await over.to(90);
    assert.deepEqual(over.told, []);
  });
});
