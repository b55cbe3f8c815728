// proves: J9, J29, U1
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { inRepository, type Repository } from "../run/repository.ts";
import { eventsOf, failuresOf, owner, planFile, until } from "../run/runs.ts";

const MINUTE = 60_000;
const right = { write: { "value.txt": "2\n" }, print: "done" };

const planOf = (here: Repository, error: string): string =>
  planFile(here, here.agent({ a: [{ error, exit: 1 }, right] }), [
    "id: a, prompt: p, checks: [sh check.sh]",
  ]);

test("J9: an API that names when access is regained is waited for, and nobody is asked to pay", () =>
  inRepository(async (here) => {
    const at = Math.ceil((Date.now() + 200 * MINUTE) / MINUTE) * MINUTE;
    const [day, clock] = new Date(at).toISOString().slice(0, 16).split("T");
    const message =
      "You have reached your specified API usage limits. " +
      `You will regain access on ${day} at ${clock} UTC.`;
    const error = `API Error: 400 ${JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } })}`;
    const run = owner(here.start("run", planOf(here, error), "--trust"));
    try {
      await until(here, (events) => eventsOf(events, "wait-scheduled").length > 0);
      const [wait] = eventsOf(here.events(), "wait-scheduled");
      assert.equal(wait?.["dueAt"], at + MINUTE);
      assert.deepEqual(failuresOf(here.events()), ["a rate_limited"]);
      assert.equal(eventsOf(here.events(), "failure-classified")[0]?.["counted"], false);
      assert.equal(here.unstuck("inbox").out.includes("a/c1"), false);
    } finally {
      await run.kill();
    }
  }));

test("J9: a limit that ends at a second is waited for to the second", inLargeForm("kinds"), () =>
  inRepository((here) => {
    const at = Math.ceil(Date.now() / 1000) * 1000 + 8_000;
    const error = `usage limit reached, resets at ${new Date(at).toISOString().replace(".000", "")}`;
    const ran = here.unstuck("run", planOf(here, error), "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const [wait] = eventsOf(here.events(), "wait-scheduled");
    const dueAt = Number(wait?.["dueAt"]);
    // On a machine so busy that the time had passed, it comes back after the shortest wait.
    assert.ok(dueAt >= at + 1_000, `due ${dueAt - at} ms after the reset`);
    assert.ok(dueAt - at < MINUTE, `due ${dueAt - at} ms after the reset`);
  }),
);

/** A rate limit that names no time, met again after the wait. */
function limitedTwice(here: Repository): string {
  const limited = { error: "Error: 429 Too Many Requests: rate limit exceeded", exit: 1 };
  return planFile(
    here,
    here.agent({ a: [limited, limited, right] }),
    ["id: a, prompt: p, checks: [sh check.sh]"],
    ["policy: recovery-strategies", "grounding: false"],
  );
}

test("J29: recovery-strategies waits a minute for a rate limit, not by the schedule of an outage", () =>
  inRepository(async (here) => {
    const before = Date.now();
    const run = owner(here.start("run", limitedTwice(here), "--trust"));
    try {
      await until(here, (events) => eventsOf(events, "wait-scheduled").length > 0);
      assert.deepEqual(failuresOf(here.events()), ["a rate_limited"]);
      const [wait] = eventsOf(here.events(), "wait-scheduled");
      const dueAt = Number(wait?.["dueAt"]);
      assert.ok(dueAt >= before + MINUTE && dueAt <= Date.now() + MINUTE, `due at ${dueAt}`);
    } finally {
      await run.kill();
    }
  }));

test("J29: after that minute the second strategy of the chain", inLargeForm("kinds"), () =>
  inRepository((here) => {
    const ran = here.unstuck("run", limitedTwice(here), "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const chosen = eventsOf(here.events(), "recovery-chosen").flatMap(
      ({ recoveries }) => recoveries as readonly { kind: string; strategy?: string }[],
    );
    assert.deepEqual(
      chosen.map(({ kind, strategy }) => strategy ?? kind),
      ["wait", "rate_limited/reduce_request_frequency"],
    );
  }),
);
