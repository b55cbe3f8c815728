/**
 * The contract suite: what any engine has to show before the runtime may stand on it. Real time, real `decide`, preset
 * policies; nothing in it knows how the engine stores or runs things.
 * Imports node:test, ports, core and the scripted inputs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Policy } from "../core/policy/policy.ts";
import type { Command } from "../core/run/command.ts";
import type { RunEvent } from "../core/run/decision.ts";
import { foldAll } from "../core/run/fold.ts";
import type { RunInput } from "../core/run/input.ts";
import { NEW_RUN } from "../core/run/state.ts";
import type { Engine, OwnedRun, Perform } from "../runtime/ports.ts";
import {
  attemptEnded,
  attemptFailed,
  attemptOverloaded,
  FIRST_WAIT_MS,
  goodAnswer,
  POLICY,
  runStarted,
  scriptedPlan,
  serially,
  stopRequested,
} from "./engine-script.ts";

/** An engine in a process of its own, as far as anyone can tell. */
export interface EngineProcess {
  readonly engine: Engine;
  /** Ends it without a word: nothing is released, and whoever asks learns that it is dead. */
  kill(): Promise<void>;
}

/** A fresh store that several processes share. */
export interface EngineStore {
  start(): Promise<EngineProcess>;
  close(): Promise<void>;
}

type Body = (store: EngineStore) => Promise<void>;
type StartCommand = Extract<Command, { readonly kind: "start" }>;
const RUN = "run-1";
const PATIENCE_MS = 20_000;

export function engineSuite(name: string, makeStore: () => Promise<EngineStore>): void {
  for (const [title, body] of [...RECORDING, ...OWNING, ...TIMING, ...WATCHING])
    test(`${name}: ${title}`, async () => {
      const store = await makeStore();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });
}

const RECORDING: readonly (readonly [string, Body])[] = [
  [
    "an input and its decisions are recorded in order, and read from any place",
    async (store) => {
      const { engine } = await store.start();
      const { given } = await owning(engine);
      const begin = runStarted(RUN, scriptedPlan(["a", "b"], "row"), 1000);
      const delivery = await engine.deliver(RUN, begin);
      const [start] = await given.starts(1);
      const end = attemptEnded(start, 2000);
      await engine.deliver(RUN, end);
      const expected = serially([begin, end], POLICY);
      const all = await engine.read(RUN, 1, 1000);
      assert.deepEqual(
        all.map(({ event }) => event),
        expected.events,
      );
      assert.deepEqual(
        all.map(({ seq }) => seq),
        all.map((_, index) => index + 1),
      );
      assert.deepEqual(await engine.read(RUN, 3, 2), all.slice(2, 4));
      assert.deepEqual(await engine.read(RUN, all.length + 1, 10), []);
      assert.ok(delivery.recorded);
      assert.deepEqual(delivery.state, serially([begin], POLICY).state);
    },
  ],
  [
    "a command is performed only after its decision can be read, and in order",
    async (store) => {
      const { engine } = await store.start();
      const reads: Promise<readonly RunEvent[]>[] = [];
      const performed: string[] = [];
      await engine.own(RUN, POLICY, (command) => {
        performed.push(command.id);
        reads.push(events(engine));
      });
      const plan = scriptedPlan(["a", "b", "c", "d"], "beside");
      await engine.deliver(RUN, runStarted(RUN, plan, 1000));
      await eventually(() => performed.length === 4);
      assert.deepEqual(
        performed,
        ["a", "b", "c", "d"].map((id) => `${RUN}/${id}/1`),
      );
      for (const seen of await Promise.all(reads))
        assert.equal(seen.filter(({ kind }) => kind === "attempt-dispatched").length, 4);
    },
  ],
  [
    "stale and duplicate inputs change nothing",
    async (store) => {
      const { engine } = await store.start();
      const { given } = await owning(engine);
      const begin = runStarted(RUN, scriptedPlan(["a"], "row"), 1000);
      await engine.deliver(RUN, begin);
      const [start] = await given.starts(1);
      const end = attemptEnded(start, 2000);
      await engine.deliver(RUN, end);
      const before = await events(engine);
      for (const stale of [begin, end, { ...end, attempt: 7 }]) {
        const delivery = await engine.deliver(RUN, stale);
        assert.ok(!delivery.recorded && "ignored" in delivery && delivery.ignored !== "");
      }
      assert.deepEqual(await events(engine), before);
    },
  ],
  [
    "many callers at once, here and elsewhere, equal some serial order with each input once",
    async (store) => {
      const here = await store.start();
      const there = await store.start();
      const { given, run } = await owning(here.engine);
      const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
      await here.engine.deliver(RUN, runStarted(RUN, scriptedPlan(ids, "beside"), 1000));
      const starts = await given.starts(30);
      await Promise.all(
        starts.flatMap((start, index) => {
          const end = attemptEnded(start, 2000 + index);
          const elsewhere = index % 3 === 0 ? there.engine : here.engine;
          return [here.engine.deliver(RUN, end), elsewhere.deliver(RUN, end)];
        }),
      );
      await eventually(() => run.state().agents === 0);
      const recorded = await events(here.engine);
      const inputs = inputsOf(recorded);
      assert.equal(inputs.length, 31);
      assert.deepEqual(serially(inputs, POLICY).events, recorded);
      assert.deepEqual(foldAll(NEW_RUN, recorded), run.state());
    },
  ],
  [
    "a policy that throws corrupts nothing: the caller hears of it, the run stays usable",
    async (store) => {
      const { engine } = await store.start();
      let broken = true;
      const policy: Policy = {
        ...POLICY,
        choose: (situation) => {
          if (broken) throw new Error("the policy is broken");
          return POLICY.choose(situation);
        },
      };
      const { given } = await owning(engine, policy);
      await engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      const [start] = await given.starts(1);
      const before = await events(engine);
      const failing = attemptFailed(start, { kind: "agent_crash", origin: "agent" }, 2000);
      await assert.rejects(engine.deliver(RUN, failing), /the policy is broken/);
      assert.deepEqual(await events(engine), before);
      broken = false;
      const delivery = await engine.deliver(RUN, failing);
      assert.ok(delivery.recorded);
      assert.ok((await events(engine)).length > before.length);
    },
  ],
];

const OWNING: readonly (readonly [string, Body])[] = [
  [
    "after a restart in the middle, what has no answer is performed again, and only that",
    async (store) => {
      const first = await store.start();
      const { given } = await owning(first.engine);
      const plan = scriptedPlan(["a", "b", "c"], "beside");
      await first.engine.deliver(RUN, runStarted(RUN, plan, 1000));
      const starts = await given.starts(3);
      await first.engine.deliver(RUN, attemptEnded(at(starts, 0), 2000));
      assert.ok(given.all.every(({ again }) => !again));
      await first.kill();
      const second = await store.start();
      const { given: later } = await owning(second.engine);
      await eventually(() => later.all.length === 3);
      assert.deepEqual(later.all.map(({ command, again }) => `${command.id} ${again}`).sort(), [
        `${RUN}/a/1/check/1 true`,
        `${RUN}/b/1 true`,
        `${RUN}/c/1 true`,
      ]);
      await answerAll(second.engine, later);
      assert.equal((await events(second.engine)).at(-1)?.kind, "run-ended");
    },
  ],
  [
    "the end of a run is performed by a later owner if the first died before it",
    async (store) => {
      const first = await store.start();
      await first.engine.own(RUN, POLICY, () => {});
      await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      await first.engine.deliver(RUN, stopRequested(2000));
      await first.engine.deliver(RUN, attemptEnded({ subtask: "a", attempt: 1 }, 3000));
      await first.kill();
      const second = await store.start();
      const { given } = await owning(second.engine);
      await eventually(() => given.all.length > 0);
      assert.deepEqual(
        given.all.map(({ command }) => command.kind),
        ["end"],
      );
    },
  ],
  [
    "one owner per run: a living one keeps it, a released or dead one gives it up",
    async (store) => {
      const first = await store.start();
      const second = await store.start();
      const { run } = await owning(first.engine);
      await assert.rejects(
        second.engine.own(RUN, POLICY, () => {}),
        { code: "run-owned" },
      );
      await run.release();
      const taken = await owning(second.engine);
      await assert.rejects(
        first.engine.own(RUN, POLICY, () => {}),
        { code: "run-owned" },
      );
      await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      await taken.given.starts(1);
      await second.kill();
      const { given } = await owning(first.engine);
      await given.starts(1);
    },
  ],
  [
    "inputs that come while nobody owns the run are handled at the next own, in order",
    async (store) => {
      const poster = await store.start();
      const inputs = [
        runStarted(RUN, scriptedPlan(["a", "b"], "beside"), 1000),
        attemptEnded({ subtask: "b", attempt: 1 }, 2000),
        attemptEnded({ subtask: "a", attempt: 1 }, 3000),
        stopRequested(4000),
      ];
      for (const input of inputs) await poster.engine.deliver(RUN, input);
      const owner = await store.start();
      await owning(owner.engine);
      await eventually(async () => inputsOf(await events(owner.engine)).length >= inputs.length);
      assert.deepEqual(inputsOf(await events(owner.engine)), inputs);
    },
  ],
  [
    "a released run performs nothing and loses no input",
    async (store) => {
      const { engine } = await store.start();
      const { given, run } = await owning(engine);
      const plan = scriptedPlan(["a", "b"], "row");
      await engine.deliver(RUN, runStarted(RUN, plan, 1000));
      const [start] = await given.starts(1);
      const ended = engine.deliver(RUN, attemptEnded(start, 2000));
      await run.release();
      await ended;
      assert.equal(given.all.length, 1, "nothing is performed once release was called");
      const checked = goodAnswer({ ...start, kind: "check", round: 1 }, 3000);
      assert.ok(checked !== undefined);
      await engine.deliver(RUN, checked);
      await sleep(50);
      assert.equal(given.all.length, 1);
      const { given: later } = await owning(engine);
      await eventually(() => later.all.some(({ command }) => command.kind === "merge"));
    },
  ],
];

const TIMING: readonly (readonly [string, Body])[] = [
  [
    "a timer fires at its due time, once, and the run goes on",
    async (store) => {
      const { engine } = await store.start();
      const { given } = await owning(engine);
      await engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), Date.now()));
      const [start] = await given.starts(1);
      const dueAt = Date.now() + 300;
      await engine.deliver(RUN, attemptOverloaded(start, dueAt - FIRST_WAIT_MS));
      const [, again] = await given.starts(2);
      assert.equal(again?.attempt, 2);
      const fired = timersFired(await events(engine));
      assert.equal(fired.length, 1);
      assert.ok((fired[0]?.at ?? 0) >= dueAt, "not before its time");
      assert.ok(given.all.every(({ command }) => command.kind !== "timer"));
    },
  ],
  [
    "an overdue timer fires once after a restart, however many restarts there were",
    async (store) => {
      const first = await store.start();
      const { given } = await owning(first.engine);
      await first.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      const [start] = await given.starts(1);
      await first.engine.deliver(RUN, attemptOverloaded(start, Date.now() - FIRST_WAIT_MS + 200));
      await first.kill();
      await sleep(250);
      const second = await store.start();
      const { given: later } = await owning(second.engine);
      await later.starts(1);
      await second.kill();
      const third = await store.start();
      await owning(third.engine);
      await sleep(100);
      assert.equal(timersFired(await events(third.engine)).length, 1);
    },
  ],
];

const WATCHING: readonly (readonly [string, Body])[] = [
  [
    "a run is followed live from here and from another process, to its end",
    async (store) => {
      const owner = await store.start();
      const other = await store.start();
      const { given } = await owning(owner.engine);
      const never = new AbortController().signal;
      const seen = [owner, other].map(({ engine }) => collect(engine.follow(RUN, 2, never)));
      await owner.engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a", "b"], "row"), 1000));
      await answerAll(owner.engine, given);
      const all = await owner.engine.read(RUN, 2, 1000);
      assert.equal(all.at(-1)?.event.kind, "run-ended");
      for (const rows of await Promise.all(seen)) assert.deepEqual(rows, all);
      assert.deepEqual(await collect(other.engine.follow(RUN, 10_000, never)), []);
    },
  ],
  [
    "following ends when its signal aborts, also while nothing happens",
    async (store) => {
      const { engine } = await store.start();
      await owning(engine);
      await engine.deliver(RUN, runStarted(RUN, scriptedPlan(["a"], "row"), 1000));
      const all = await engine.read(RUN, 1, 1000);
      const abort = new AbortController();
      const rows = collect(engine.follow(RUN, 1, abort.signal));
      await sleep(30);
      abort.abort();
      assert.deepEqual(await rows, all);
    },
  ],
];

interface Given {
  readonly all: { readonly command: Command; readonly again: boolean }[];
  /** Waits for so many start commands. */
  starts(count: number): Promise<readonly [StartCommand, ...StartCommand[]]>;
}

async function owning(
  engine: Engine,
  policy: Policy = POLICY,
): Promise<{ readonly run: OwnedRun; readonly given: Given }> {
  const all: { command: Command; again: boolean }[] = [];
  const perform: Perform = (command, again) => void all.push({ command, again });
  const run = await engine.own(RUN, policy, perform);
  const starts = (): StartCommand[] =>
    all.flatMap(({ command }) => (command.kind === "start" ? [command] : []));
  return {
    run,
    given: {
      all,
      async starts(count) {
        await eventually(() => starts().length >= count);
        const [first, ...others] = starts();
        assert.ok(first !== undefined);
        return [first, ...others];
      },
    },
  };
}

/** Answers every command well until the run has ended. */
async function answerAll(engine: Engine, given: Given): Promise<void> {
  let next = 0;
  while (!given.all.some(({ command }) => command.kind === "end")) {
    await eventually(() => given.all.length > next);
    const command = given.all[next]?.command;
    next += 1;
    const input = command === undefined ? undefined : goodAnswer(command, 5000 + next);
    if (input !== undefined) await engine.deliver(RUN, input);
  }
}

async function events(engine: Engine): Promise<readonly RunEvent[]> {
  return (await engine.read(RUN, 1, 10_000)).map(({ event }) => event);
}

const inputsOf = (recorded: readonly RunEvent[]): readonly RunInput[] =>
  recorded.flatMap((event) => (event.kind === "received" ? [event.input] : []));

const timersFired = (recorded: readonly RunEvent[]): readonly RunInput[] =>
  inputsOf(recorded).filter(({ kind }) => kind === "timer-fired");

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; !(await holds()); await sleep(5))
    assert.ok(Date.now() < until, "it did not happen in time");
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  assert.ok(item !== undefined);
  return item;
}
