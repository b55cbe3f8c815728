// proves: A11, U16
/** Stopping costs nothing: whoever does it, however, the run goes on from where it stood; only cancel is the end. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inRepository, repository, type Repository } from "../run/repository.ts";
import {
  branchOf,
  eventsOf,
  failuresOf,
  inputsOf,
  isStarted,
  orphansOf,
  owner,
  pause,
  phasesOf,
  planFile,
  until,
} from "../run/runs.ts";

const IS_TWO = 'checks: ["grep -q ^2$ value.txt"]';
const CAPPED = ["grounding: false", "budget: { attempts: 2 }"];
const half = { write: { "half.txt": "half\n" }, hang: true };
const right = { write: { "value.txt": "2\n" }, print: "done" };
const KEY = { error: "Error: Invalid API key. Please run /login", exit: 1 };

/** A run whose first attempt hangs in the middle of its work. */
async function atWork(here: Repository): Promise<ReturnType<typeof owner>> {
  const agent = here.agent({ a: [half, right] });
  const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`], CAPPED);
  const run = owner(here.start("run", plan, "--trust"));
  await until(here, isStarted);
  const file = join(here.home, "runs", here.runs()[0] ?? "", "workspace/slots/1/half.txt");
  while (!existsSync(file)) await pause(50);
  return run;
}

type Stop = (here: Repository, run: ReturnType<typeof owner>) => void;

const STOPS: readonly (readonly [name: string, by: "user" | "system", stop: Stop])[] = [
  ["Ctrl-C", "user", (_, run) => void run.child.kill("SIGINT")],
  ["SIGTERM, as at a shutdown,", "system", (_, run) => void run.child.kill("SIGTERM")],
  [
    "unstuck stop",
    "user",
    (here) => {
      const said = here.unstuck("stop");
      assert.equal(said.code, 0, said.err);
      assert.match(said.out, /is paused; continue with: unstuck resume /);
    },
  ],
];

for (const [name, by, stop] of STOPS)
  test(
    `V8: ${name} pauses a run, uses nothing up, and resume goes on`,
    name === "unstuck stop" ? inLargeForm("lifetime") : {},
    () =>
      inRepository(async (here) => {
        const run = await atWork(here);
        try {
          stop(here, run);
          assert.equal(await run.ended, 5);
          const [paused] = inputsOf(here.events(), "pause-requested");
          assert.equal(paused?.["by"], by);
          assert.equal(eventsOf(here.events(), "run-ended").length, 0);
          assert.deepEqual(orphansOf(here.runs()[0] ?? ""), []);
          assert.match(here.unstuck("diff", "--attempt", "a/1").out, /half\.txt/);
          assert.deepEqual(phasesOf(here), { a: "pending" });
          assert.match(
            here.unstuck("status").out,
            by === "user" ? /paused by you/ : /paused by the system/,
          );
          const resumed = here.unstuck("resume");
          assert.equal(resumed.code, 0, resumed.out + resumed.err);
          assert.deepEqual(failuresOf(here.events()), []);
          assert.equal(here.git("show", `${branchOf(here)}:value.txt`), "2\n");
          assert.equal(here.git("show", `${branchOf(here)}:half.txt`), "half\n");
        } finally {
          await run.kill();
        }
      }),
  );

test(
  "V8: a paused run can be paused again, and its two attempts are still two",
  inLargeForm("lifetime"),
  () =>
    inRepository(async (here) => {
      const agent = here.agent({ a: [half, half, half, right] });
      const plan = planFile(here, agent, [`id: a, prompt: a, ${IS_TWO}`], CAPPED);
      for (const words of [["run", plan, "--trust"], ["resume"], ["resume"]]) {
        const before =
          here.runs().length === 0 ? 0 : inputsOf(here.events(), "attempt-started").length;
        const run = owner(here.start(...words));
        try {
          await until(here, (events) => inputsOf(events, "attempt-started").length > before);
          run.child.kill("SIGINT");
          assert.equal(await run.ended, 5);
        } finally {
          await run.kill();
        }
      }
      const last = here.unstuck("resume");
      assert.equal(last.code, 0, last.out + last.err);
      assert.equal(eventsOf(here.events(), "attempt-cut-off").length, 3);
    }),
);

test("U16: the service leaves alone what a person stopped; a typed resume --all takes it up", () =>
  inRepository(async (here) => {
    const run = await atWork(here);
    try {
      run.child.kill("SIGINT");
      assert.equal(await run.ended, 5);
      assert.equal(here.unstuck("resume", "--all", "--only-cut-off").out, "no run to resume\n");
      const [id = ""] = here.runs();
      assert.equal(here.unstuck("resume", "--all").out, `resumed ${id}\n`);
      await until(here, (events) => events.at(-1)?.event.kind === "run-ended");
    } finally {
      await run.kill();
    }
  }));

test(
  "U16: the service takes up what the system paused, unless a person stopped it since",
  inLargeForm("lifetime"),
  () =>
    inRepository(async (here) => {
      const run = await atWork(here);
      try {
        run.child.kill("SIGTERM");
        assert.equal(await run.ended, 5);
        const [id = ""] = here.runs();
        const said = here.unstuck("stop", id);
        assert.equal(said.code, 0, said.err);
        assert.equal(here.unstuck("resume", "--all", "--only-cut-off").out, "no run to resume\n");
        const resumed = here.unstuck("resume", id);
        assert.equal(resumed.code, 0, resumed.out + resumed.err);
      } finally {
        await run.kill();
      }
    }),
);

test("U16: after a crash the service goes on with the run", inLargeForm("lifetime"), () =>
  inRepository(async (here) => {
    const run = await atWork(here);
    await run.kill();
    const [id = ""] = here.runs();
    assert.equal(here.unstuck("resume", "--all", "--only-cut-off").out, `resumed ${id}\n`);
    await until(here, (events) => events.at(-1)?.event.kind === "run-ended");
    assert.deepEqual(failuresOf(here.events()), ["a lost"]);
  }),
);

test("V10, U16: cancel ends a run for good: one at work, one that asks, one that is paused", () =>
  inRepository(async (here) => {
    const run = await atWork(here);
    try {
      const [atItsWork = ""] = here.runs();
      const said = here.unstuck("cancel", atItsWork);
      assert.equal(said.code, 0, said.err);
      assert.equal(await run.ended, 1);
      const asking = planFile(here, here.agent({ a: [KEY] }), [`id: a, prompt: a, ${IS_TWO}`]);
      assert.equal(here.unstuck("run", asking, "--trust").code, 3);
      const [asks = ""] = here.runs();
      assert.equal(here.unstuck("cancel", asks).code, 0);
      for (const id of [atItsWork, asks]) {
        const [end] = eventsOf(here.events(id), "run-ended");
        assert.equal(end?.["outcome"], "cancelled", id);
      }
      assert.match(here.unstuck("resume", asks).out, /has ended: cancelled/);
      assert.equal(here.unstuck("inbox").out, "No open questions here.\n");
    } finally {
      await run.kill();
    }
  }));

test("V8: a stop does not wait for a check that takes its time", inLargeForm("lifetime"), () =>
  inRepository(async (here) => {
    const agent = here.agent({ a: [right] });
    const slow =
      'checks: ["test ! -e ../slow && grep -q ^2$ value.txt && test -e $HOME/fast || sleep 3600"]';
    const plan = planFile(here, agent, [`id: a, prompt: a, ${slow}`], ["grounding: false"]);
    writeFileSync(join(here.path, "..", "fast"), "");
    const run = owner(here.start("run", plan, "--trust"));
    try {
      await until(here, (events) => eventsOf(events, "baseline-dispatched").length > 0);
      await pause(300);
      const began = Date.now();
      run.child.kill("SIGINT");
      assert.equal(await run.ended, 5);
      assert.ok(Date.now() - began < 600_000, "it did not wait for the check on the base");
    } finally {
      await run.kill();
    }
  }),
);

test(
  "V9: a run that was killed while its clone was made is taken up, and is no other run",
  inLargeForm("lifetime"),
  async () => {
    for (const point of ["open:pinned", "open:cloned", "open:based"]) {
      const here = repository({ "value.txt": "1\n" });
      try {
        const plan = planFile(here, here.agent({ a: [right] }), [`id: a, prompt: a, ${IS_TWO}`]);
        const killed = here.unstuckWith({ UNSTUCK_CRASH_AT: point }, "run", plan, "--trust");
        assert.notEqual(killed.code, 0);
        const [id = ""] = here.runs();
        const resumed = here.unstuck("resume");
        assert.equal(resumed.code, 0, point + resumed.out + resumed.err);
        assert.deepEqual(here.runs(), [id]);
        assert.equal(here.git("show", `unstuck/${id}:value.txt`), "2\n");
        assert.equal(existsSync(join(here.home, "runs", id, "start.json")), false);
      } finally {
        here.remove();
      }
    }
  },
);

test("V9: a run that was killed during its first checks is taken up", () =>
  inRepository(async (here) => {
    const plan = planFile(
      here,
      here.agent({ a: [right] }),
      [`id: a, prompt: a, ${IS_TWO}`],
      ["grounding: false", 'workspace: { setup: ["sleep 1"] }'],
    );
    const run = owner(here.start("run", plan, "--trust"));
    const isChecking = (events: ReturnType<typeof here.events>): boolean =>
      eventsOf(events, "baseline-dispatched").length > 0;
    await until(here, isChecking).finally(run.kill);
    const resumed = here.unstuck("resume", "--all");
    assert.match(resumed.out, /^resumed /);
    await until(here, (events) => events.at(-1)?.event.kind === "run-ended");
    const log = join(here.home, "runs", here.runs()[0] ?? "", "log.txt");
    assert.doesNotMatch(readFileSync(log, "utf8"), /bug/);
  }));
