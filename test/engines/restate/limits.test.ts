// proves: U24
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  completed,
  afterBeat,
  withLimit,
  NEW_FLEET,
  enqueued,
  type Assigned,
} from "../../../src/engines/restate/assign.ts";
import type { Errand, FleetState } from "../../../src/engines/restate/fleet-messages.ts";

const SOURCE = { url: "https://example.test/r.git", commit: "c", labels: [] };

const errand = (id: string, more: Partial<Errand> = {}): Errand => ({
  ...{ id, run: "r", seq: 1, kind: "start", again: false, subtask: id, agent: "a", provider: "p" },
  ...{ repository: SOURCE.url, labels: [], ...more },
});

const beat = (state: FleetState, id: string, at: number): Assigned =>
  afterBeat(
    state,
    {
      ...{ id, epoch: `${id}-1`, address: `http://${id}`, labels: [], slots: 50, version: "1" },
      ...{ blobs: "", draining: false, has: Object.keys(state.given) },
    },
    at,
  );

/** Two workers with room for everything. */
const fleet = ["x", "y"].reduce((state, id) => beat(state, id, 0).state, NEW_FLEET);

const want = (state: FleetState, errands: readonly Errand[], at = 0): Assigned =>
  enqueued(state, { run: "r", source: SOURCE, errands }, at);

const under = (limits: FleetState["limits"]): FleetState => ({ ...fleet, limits });

const sent = ({ sends }: Assigned): string => sends.map(({ id }) => id).join();

test("so many at once, over all workers: of a repository, an agent or a provider", () => {
  const three = [errand("1"), errand("2"), errand("3")];
  for (const key of [
    `repository ${SOURCE.url}`,
    "repository *",
    "agent a",
    "agent *",
    "provider p",
  ])
    assert.equal(sent(want(under({ [key]: { atOnce: 2 } }), three)), "1,2", key);
  for (const key of ["repository other", "agent p", "provider a", "agent"])
    assert.equal(sent(want(under({ [key]: { atOnce: 2 } }), three)), "1,2,3", key);
  const held = want(under({ "agent a": { atOnce: 2 } }), three);
  assert.equal(
    sent(completed(held.state, "1", held.sends[0]?.epoch ?? "", 0)),
    "3",
    "the next in line",
  );
});

test("a limit for each counts each for itself; one of its own stands before it", () => {
  const two = (agent: string): readonly Errand[] =>
    ["1", "2"].map((id) => errand(`${agent}${id}`, { agent }));
  const limits = { "agent *": { atOnce: 1 }, "agent b": { atOnce: 2 }, "agent c": { atOnce: 0 } };
  const all = [...two("a"), ...two("b"), ...two("c"), ...two("d")];
  assert.equal(sent(want(under(limits), all)), "a1,b1,b2,d1");
});

test("only attempts are limited: what follows one is never held back", () => {
  const check = errand("1/check", { kind: "check" });
  assert.equal(
    sent(want(under({ "repository *": { atOnce: 0 } }), [errand("1"), check])),
    "1/check",
  );
});

test("so many begin within a minute, whatever became of them; a beat after it lets the next one begin", () => {
  const limits = { "provider p": { perMinute: 2 } };
  const first = want(under(limits), [errand("1"), errand("2"), errand("3")], 1000);
  assert.equal(sent(first), "1,2");
  const ended = ["1", "2"].reduce(
    (state, id) => completed(state, id, state.given[id]?.epoch ?? "", 2000).state,
    first.state,
  );
  assert.equal(Object.keys(ended.given).length, 0);
  assert.equal(sent(beat(ended, "x", 60_900)), "");
  const later = beat(ended, "x", 61_001);
  assert.equal(sent(later), "3");
  assert.deepEqual(later.state.begun, { "provider p": [61_001] }, "what is over is forgotten");
});

test("a limit that is raised or taken away lets at once begin what it held back", () => {
  const held = want(under({ "agent a": { atOnce: 0 } }), [errand("1"), errand("2")]).state;
  const raised = withLimit(held, { key: "agent a", limit: { atOnce: 1 } }, 0);
  assert.equal(sent(raised), "1");
  assert.equal(sent(withLimit(raised.state, { key: "agent a" }, 0)), "2");
  assert.deepEqual(withLimit(raised.state, { key: "agent a" }, 0).state.limits, {});
});

test("whatever is wanted, ended and limited, no limit is ever exceeded, and nothing waits that could begin", () => {
  const step = fc.record({
    kind: fc.constantFrom("want" as const, "done" as const, "time" as const),
    pick: fc.nat(40),
    agent: fc.constantFrom("a", "b"),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.nat(3),
      fc.integer({ min: 1, max: 4 }),
      (all, atOnce, perMinute) => {
        let state = under({ "agent a": { atOnce }, "agent b": { perMinute } });
        let now = 0;
        const begunB: number[] = [];
        for (const { kind, pick, agent } of all) {
          let after: Assigned = { state, sends: [] };
          if (kind === "want") after = want(state, [errand(`${agent}${pick}`, { agent })], now);
          else if (kind === "done") {
            const given = Object.values(state.given)[pick % 5];
            if (given !== undefined) after = completed(state, given.id, given.epoch, now);
          } else {
            now += pick * 1000;
            state = beat(state, "y", now).state;
            after = beat(state, "x", now);
          }
          begunB.push(...after.sends.flatMap((one) => (one.agent === "b" ? [now] : [])));
          state = after.state;
          const running = Object.values(state.given).filter((one) => one.agent === "a").length;
          const lately = begunB.filter((at) => now - at < 60_000).length;
          assert.ok(running <= atOnce, `${running} at once`);
          assert.ok(lately <= perMinute, `${lately} within a minute`);
          if (state.waiting.some((one) => one.agent === "a")) assert.equal(running, atOnce);
        }
      },
    ),
  );
});
