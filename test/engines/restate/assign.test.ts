// proves: U24
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  completed,
  afterBeat,
  withoutLostWorker,
  returned,
  NEW_FLEET,
  enqueued,
  type Assigned,
} from "../../../src/engines/restate/assign.ts";
import type {
  Errand,
  FleetState,
  WorkerBeat,
} from "../../../src/engines/restate/fleet-messages.ts";

const SOURCE = { url: "https://example.test/r.git", commit: "c", labels: [] };

const errand = (id: string, more: Partial<Errand> = {}): Errand => ({
  ...{ id, run: "r", seq: 1, kind: "start", again: false, subtask: id, agent: "a" },
  ...{ repository: SOURCE.url, labels: [], ...more },
});

const word = (id: string, more: Partial<WorkerBeat> = {}): WorkerBeat => ({
  ...{
    id,
    epoch: `${id}-1`,
    address: `http://${id}`,
    labels: [],
    slots: 2,
    version: "1",
    blobs: "",
  },
  ...{ draining: false, has: [], ...more },
});

const want = (state: FleetState, ...errands: readonly Errand[]): Assigned =>
  enqueued(state, { run: "r", source: SOURCE, errands }, 0);

const fleetOf = (...words: readonly WorkerBeat[]): FleetState =>
  words.reduce((state, one) => afterBeat(state, one, 0).state, NEW_FLEET);

const placed = ({ sends }: Assigned): string =>
  sends.map((one) => `${one.id}@${one.worker}`).join();

test("attempts go to the emptiest worker, within its slots; the rest waits and goes first come, first served", () => {
  const first = want(
    fleetOf(word("x"), word("y")),
    ...["a", "b", "c", "d", "e", "f"].map((id) => errand(id)),
  );
  assert.equal(placed(first), "a@x,b@y,c@x,d@y");
  const next = completed(first.state, "b", "y-1", 0);
  assert.equal(placed(next), "e@y");
  assert.deepEqual(
    next.state.waiting.map(({ id }) => id),
    ["f"],
  );
});

test("what follows an attempt goes where it was; to another worker once that one is lost, marked as given before", () => {
  const begun = want(fleetOf(word("x"), word("y")), errand("a", { subtask: "s" }));
  const ended = completed(begun.state, "a", "x-1", 0);
  const check = want(ended.state, errand("a/check/1", { kind: "check", subtask: "s" }));
  assert.equal(placed(check), "a/check/1@x");
  const moved = withoutLostWorker(check.state, "x", "x-1", 0);
  assert.equal(placed(moved), "a/check/1@y");
  assert.equal(moved.sends[0]?.again, true);
});

test("a worker is lost by its epoch alone, and comes back as another process with what it had marked", () => {
  const begun = want(fleetOf(word("x")), errand("a"));
  assert.deepEqual(withoutLostWorker(begun.state, "x", "x-0", 0), {
    state: begun.state,
    sends: [],
  });
  const back = afterBeat(begun.state, word("x", { epoch: "x-2" }), 10);
  assert.equal(placed(back), "a@x");
  assert.equal(back.sends[0]?.again, true);
  assert.deepEqual(
    completed(back.state, "a", "x-1", 0).sends,
    [],
    "an answer of the old one counts for nothing",
  );
  assert.ok("a" in completed(back.state, "a", "x-1", 0).state.given);
});

test("what a worker cannot begin goes to the others, each once, and is no repetition", () => {
  const fleet = fleetOf(word("x"), word("y"), word("z", { labels: ["gpu"] }));
  const back = (state: FleetState, worker: string, begun = false): Assigned =>
    returned(state, { id: "a", epoch: `${worker}-1`, begun }, 0);
  const first = want(fleet, errand("a"));
  assert.equal(placed(first), "a@x");
  const second = back(first.state, "x");
  assert.equal(placed(second), "a@y");
  assert.equal(second.sends[0]?.again, false);
  const third = back(second.state, "y");
  assert.equal(placed(third), "a@z");
  const fourth = back(third.state, "z");
  assert.equal(placed(fourth), "a@x");
  assert.equal(placed(back(fourth.state, "x", true)), "a@y");
  assert.equal(back(fourth.state, "x", true).sends[0]?.again, true);
  assert.deepEqual(back(fourth.state, "y").sends, [], "only who has it can give it back");
  const untold = returned(first.state, { id: "a", epoch: "x-1" }, 0);
  assert.equal(untold.sends[0]?.again, true, "an older worker may have begun it");
});

test("it waits for a busy worker that may be able to, and stays where there is no other", () => {
  const busy = want(fleetOf(word("x"), word("y", { slots: 0 })), errand("a"));
  assert.equal(placed(busy), "a@x");
  const waiting = returned(busy.state, { id: "a", epoch: "x-1", begun: false }, 0);
  assert.deepEqual(waiting.sends, []);
  assert.equal(placed(afterBeat(waiting.state, word("y"), 0)), "a@y");
  const next = want(waiting.state, errand("b"));
  assert.deepEqual(next.sends, [], "the one that could not begin the last is spared the next");
  const later = enqueued(
    afterBeat(waiting.state, word("x"), 61_000).state,
    { run: "r", source: SOURCE, errands: [errand("b")] },
    61_000,
  );
  assert.equal(placed(later), "b@x");
  const alone = want(fleetOf(word("x")), errand("a"));
  assert.equal(placed(returned(alone.state, { id: "a", epoch: "x-1", begun: false }, 0)), "a@x");
});

test("a check that its own worker cannot begin goes to another", () => {
  const begun = want(fleetOf(word("x"), word("y")), errand("a", { subtask: "s" }));
  const ended = completed(begun.state, "a", "x-1", 0);
  const check = want(ended.state, errand("c", { kind: "check", subtask: "s" }));
  const moved = returned(check.state, { id: "c", epoch: "x-1", begun: false }, 0);
  assert.equal(placed(moved), "c@y");
});

test("labels, draining and limits hold an attempt back; words for an attempt go where it runs, or nowhere", () => {
  const fleet = fleetOf(word("x", { labels: ["gpu"] }), word("y", { draining: true }));
  assert.equal(
    placed(want(fleet, errand("a", { labels: ["gpu"] }), errand("b", { labels: ["arm"] }))),
    "a@x",
  );
  assert.equal(placed(want(fleetOf(word("y", { draining: true })), errand("a"))), "");
  const limited = { ...fleet, limits: { "agent a": { atOnce: 1 } } };
  assert.equal(placed(want(limited, errand("a"), errand("b"))), "a@x");
  const running = want(fleet, errand("a"));
  const nudge = want(running.state, errand("a/nudge", { kind: "nudge", subtask: "a" }));
  assert.equal(placed(nudge), "a/nudge@x");
  assert.deepEqual(nudge.state.given, running.state.given, "it is not waited for");
  assert.equal(placed(want(fleet, errand("z/nudge", { kind: "nudge", subtask: "z" }))), "");
});

test("a worker that was not heard of lately begins nothing; what it began still goes to it", () => {
  const fleet = want(fleetOf(word("x")), errand("a")).state;
  const ask = { run: "r", source: SOURCE };
  assert.equal(placed(enqueued(fleet, { ...ask, errands: [errand("b")] }, 60_000)), "");
  const check = errand("a/check/1", { kind: "check", subtask: "a" });
  assert.equal(placed(enqueued(fleet, { ...ask, errands: [check] }, 60_000)), "a/check/1@x");
});

test("what a worker has not heard of after a while is sent again, what it has is not", () => {
  const begun = want(fleetOf(word("x")), errand("a"), errand("b"));
  assert.equal(placed(afterBeat(begun.state, word("x"), 1000)), "", "it may be on its way");
  assert.equal(placed(afterBeat(begun.state, word("x", { has: ["a"] }), 60_000)), "b@x");
});

test("with thousands given out and waiting, a change costs no more than looking at each of them", () => {
  const full = fleetOf(word("x", { slots: 3000 }), word("y", { slots: 2000 }));
  const ids = Array.from({ length: 10_000 }, (_, index) => `e${index}`);
  const begun = want(full, ...ids.map((id) => errand(id)));
  assert.equal(Object.keys(begun.state.given).length, 5000);
  const cpu = process.cpuUsage();
  const { sends } = completed(begun.state, "e0", "x-1", 0);
  const { user } = process.cpuUsage(cpu);
  assert.deepEqual(
    sends.map(({ id }) => id),
    ["e5000"],
  );
  // Each with each would be 50 million looks.
  assert.ok(user < 500_000, `${user / 1000} ms`);
});

type Step =
  | { readonly kind: "want"; readonly id: number; readonly of: Errand["kind"] }
  | { readonly kind: "done" | "lost" | "restart" | "beat" | "drain"; readonly id: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("want" as const),
      id: fc.nat(30),
      of: fc.constantFrom<Errand["kind"]>("start", "check", "merge"),
    }),
    fc.record({
      kind: fc.constantFrom(
        "done" as const,
        "lost" as const,
        "restart" as const,
        "beat" as const,
        "drain" as const,
      ),
      id: fc.nat(30),
    }),
  ),
  { maxLength: 60 },
);

test("whatever happens, no command is lost, none is in two hands, and no worker has more attempts than slots", () => {
  fc.assert(
    fc.property(steps, (all: readonly Step[]) => {
      let state = fleetOf(word("w0"));
      const epochs = new Map([["w0", 1]]);
      const open = new Set<string>();
      for (const step of all) {
        const worker = `w${step.id % 3}`;
        const epoch = (): string => `${worker}-${epochs.get(worker) ?? 1}`;
        let after: Assigned = { state, sends: [] };
        if (step.kind === "want") {
          const id = `${step.of}${step.id}`;
          open.add(id);
          after = want(state, errand(id, { kind: step.of, subtask: `s${step.id}` }));
        } else if (step.kind === "done") {
          const given = Object.values(state.given)[step.id % 5];
          if (given === undefined) continue;
          open.delete(given.id);
          after = completed(state, given.id, given.epoch, 0);
        } else if (step.kind === "lost") after = withoutLostWorker(state, worker, epoch(), 0);
        else {
          if (step.kind === "restart") epochs.set(worker, (epochs.get(worker) ?? 1) + 1);
          after = afterBeat(
            state,
            word(worker, { epoch: epoch(), draining: step.kind === "drain" }),
            0,
          );
        }
        for (const send of after.sends) assert.equal(after.state.given[send.id]?.epoch, send.epoch);
        state = after.state;
        const waiting = state.waiting.map(({ id }) => id);
        const given = Object.keys(state.given);
        assert.deepEqual([...waiting, ...given].sort(), [...open].sort());
        for (const { id, slots } of Object.values(state.workers)) {
          const starts = Object.values(state.given).filter(
            (one) => one.worker === id && one.kind === "start",
          );
          assert.ok(starts.length <= slots, `${id} has ${starts.length} attempts`);
        }
        for (const one of Object.values(state.given))
          assert.equal(
            state.workers[one.worker]?.epoch,
            one.epoch,
            "in the hands of a living process",
          );
      }
    }),
  );
});
