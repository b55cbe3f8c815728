// proves: J27
import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "../../../src/core/defined.ts";
import { itemsShown } from "../../../src/core/run/decide/attempt-failure.ts";
import { failingOnBase, pastAttempts } from "../../../src/core/run/past-attempts.ts";
import type { AttemptRecord } from "../../../src/core/run/attempt.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";

type Left = Pick<AttemptRecord, "failing"> & Partial<AttemptRecord>;

interface Beside {
  readonly spokenAt?: number;
  readonly onBase?: readonly string[];
}

/** These failed attempts, as a policy is told of them. */
function toldOf(left: readonly Left[], { spokenAt = 0, onBase = [] }: Beside = {}) {
  const entry = { agent: "small", tier: 1 };
  const attempts = left.map((more, index) => ({
    ...{ attempt: index + 1, entry, counted: true, success: false, kind: "verification_failed" },
    ...more,
  }));
  const state = { attempts, spokenAt, banned: [], entry, progress: { status: "progressing" } };
  const settings = { progress: { threshold: 0.15, stuckAfter: 3, warnAfter: 2 } };
  return pastAttempts(state as unknown as SubtaskState, settings, onBase);
}

const told = (...left: readonly Left[]) => toldOf(left).at(-1);

/** A check whose runner nobody reads is one failing item; what its output shows is told apart all the same. */
const shows = (...shown: readonly string[]): Left => ({ failing: ["sh check.sh"], shown });

test("what fails is compared by the items that the output shows", () => {
  assert.equal(told(shows("a", "b"), shows("a"))?.items, "fewer");
  assert.equal(told(shows("a"), shows("a", "b"))?.items, "more");
  assert.equal(told(shows("a", "b"), shows("b", "c"))?.items, "other");
  assert.equal(told(shows("a", "b"), shows("b", "a"))?.items, "same");
});

test("near misses: where one of them shows no names, the failing items are what there is", () => {
  const silent: Left = { failing: ["sh check.sh"] };
  assert.equal(told(silent, shows("a"))?.items, "same");
  assert.equal(told(shows("a", "b"), silent)?.items, "same");
  assert.equal(told({ failing: ["x", "y"] }, { failing: ["x"] })?.items, "fewer");
  assert.equal(told(shows("a"))?.items, undefined, "there is nothing to compare it with");
});

test("a first attempt is held against what failed on the base", () => {
  const told = (onBase: readonly string[], failing: readonly string[], more: Partial<Left> = {}) =>
    toldOf([{ failing, ...more }], { onBase })[0]?.items;
  assert.equal(told(["a", "b"], ["a"]), "fewer");
  assert.equal(told(["a", "b"], ["a", "b"]), "same");
  assert.equal(told(["a"], ["a", "b"]), "more");
  assert.equal(told(["a"], ["b"]), "other");
  assert.equal(told([], ["a"]), undefined, "the base was green, or shows no names");
  assert.equal(told(["a"], ["a"], { recovery: "fresh" }), undefined, "no first attempt");
});

test("an attempt that carries a cut-off first one on is held against the base as well", () => {
  const carriedOn = (recovery: "continue" | "retry", first: Partial<Left> = {}) =>
    toldOf(
      [
        { failing: [], kind: "lost", counted: false, ...first },
        { failing: ["a"], recovery },
      ],
      { onBase: ["a", "b"] },
    ).at(-1)?.items;
  assert.equal(carriedOn("continue"), "fewer");
  assert.equal(carriedOn("retry"), "fewer");
  assert.equal(carriedOn("continue", { recovery: "fresh" }), undefined, "the first was a new move");
});

test("only the first attempt is: a later one is held against the one before it", () => {
  const onBase = ["a", "b"];
  const [, second] = toldOf([{ failing: ["a"] }, { failing: ["a"] }], { onBase });
  assert.equal(second?.items, "same");
  const spoken = toldOf([{ failing: ["a"] }, { failing: ["a"] }], { onBase, spokenAt: 1 });
  assert.deepEqual(
    spoken.map(({ items }) => items),
    [undefined],
    "what came before a person's words is not told, and what follows them does not start from the base",
  );
});

test("what never came to its checks is passed over: the last that did, or the base, tells what has changed", () => {
  const crashed: Left = { failing: [], kind: "agent_crash" };
  const items = (left: readonly Left[], onBase: readonly string[] = []) =>
    toldOf(left, { onBase }).map((one) => one.items);
  const [full, part]: readonly Left[] = [{ failing: ["a", "b"] }, { failing: ["a"] }];
  assert.deepEqual(items([full!, crashed, part!]), [undefined, undefined, "fewer"]);
  assert.deepEqual(items([crashed, part!], ["a", "b"]), [undefined, "fewer"]);
  assert.deepEqual(items([part!, crashed, part!], ["a", "b"]), ["fewer", undefined, "same"]);
  assert.deepEqual(items([crashed, part!]), [undefined, undefined], "nothing was ever told");
  const again: Left = { ...crashed, recovery: "fresh" };
  assert.deepEqual(items([again, part!], ["a", "b"]), [undefined, undefined], "no first attempt");
});

test("the same names: fewer or more failures than before count, where both are counted", () => {
  const counts = (failures?: number): Left => ({ failing: ["t"], ...defined({ failures }) });
  assert.equal(told(counts(5), counts(3))?.items, "fewer");
  assert.equal(told(counts(3), counts(5))?.items, "more");
  assert.equal(told(counts(3), counts(3))?.items, "same");
  assert.equal(told(counts(), counts(3))?.items, "same");
  assert.equal(told(counts(3), counts())?.items, "same");
});

test("where nothing is named, the same failure is the same, and another one tells nothing", () => {
  const signed = (signature: string, failing: readonly string[] = []): Left => ({
    ...{ failing, signature },
  });
  assert.equal(told(signed("s"), signed("s"))?.items, "same");
  assert.equal(told(signed("s"), signed("other"))?.items, undefined);
  assert.equal(told(signed("s"), signed("s", ["a"]))?.items, undefined);
  assert.equal(told(signed("s", ["a"]), signed("s"))?.items, undefined);
});

test("what did not count is told only while it is the last", () => {
  const cut: Left = { failing: [], counted: false, kind: "lost" };
  const kinds = (...left: readonly Left[]) => toldOf(left).map(({ failure }) => failure);
  assert.deepEqual(kinds({ failing: ["t"] }, cut), ["verification_failed", "lost"]);
  assert.deepEqual(kinds(cut, { failing: ["t"] }), ["verification_failed"]);
});

test("the branches of an exploration are one move: the last of them is told", () => {
  const branch = (name: string): Left => ({ failing: [name], branch: name });
  const items = toldOf([{ failing: ["x"] }, branch("a"), branch("b"), { failing: ["b"] }]);
  assert.equal(items.length, 3);
  assert.deepEqual(
    items.map((one) => one.items),
    [undefined, "other", "same"],
  );
});

test("what failed on the base is told by one check alone, and of a subtask that started from it", () => {
  const failed = (complete: boolean) => ({ kind: "failed", items: ["a"], complete }) as const;
  const base = (outcomes: Parameters<typeof failingOnBase>[0]["baseline"]["outcomes"]) => ({
    baseline: { awaited: undefined, outcomes, dropped: [] },
  });
  const alone = { dependsOn: [] };
  assert.deepEqual(failingOnBase(base({ t: failed(true) }), alone), ["a"]);
  assert.deepEqual(failingOnBase(base({ t: failed(false) }), alone), []);
  assert.deepEqual(failingOnBase(base({ t: { kind: "passed" } }), alone), []);
  assert.deepEqual(failingOnBase(base({ t: failed(true), u: failed(true) }), alone), []);
  assert.deepEqual(failingOnBase(base({ t: failed(true) }), { dependsOn: ["other"] }), []);
  assert.deepEqual(failingOnBase(base({}), alone), []);
});

for (const recovery of ["continue", "retry"] as const)
  test(`what picks up an attempt that was cut off is told as that one was: ${recovery}`, () => {
    const cut: Left = { failing: [], counted: false, kind: "lost" };
    const goesOn: Left = { failing: ["t"], recovery };
    assert.equal(told(cut, goesOn)?.recovery, undefined);
    assert.equal(
      told({ ...cut, recovery: "fresh" }, { ...cut, recovery }, goesOn)?.recovery,
      "fresh",
    );
    assert.equal(told({ failing: ["t"] }, goesOn)?.recovery, recovery);
  });

test("how the agent spoke of its work is told, where it said anything", () => {
  assert.equal(told({ failing: ["t"], closing: "unable" })?.closing, "unable");
  assert.equal(told({ failing: ["t"] })?.closing, undefined);
});

test("an excerpt shows items only where each of them has a name", () => {
  const excerpt = (...items: readonly { readonly name?: string }[]) => ({
    excerpt: {
      ...{ headline: "", text: "", signature: "" },
      items: items.map((item) => ({ message: "m", ...item })),
    },
  });
  assert.deepEqual(itemsShown(excerpt({ name: "a" }, { name: "b" })), ["a", "b"]);
  assert.equal(itemsShown(excerpt({ name: "a" }, {})), undefined);
  assert.equal(itemsShown(excerpt()), undefined);
  assert.equal(itemsShown({}), undefined);
});
