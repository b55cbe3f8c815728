// proves: U1, U2
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { untilText } from "../../../src/cli/screen/clock-text.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, failuresOf, owner, pause, planFile, until, untilSo } from "./runs.ts";

const IS_TWO = "checks: [sh check.sh]";
const right = { write: { "value.txt": "2\n" }, print: "done" };
const MINUTE = 60_000;

async function inRepository(body: (here: Repository) => Promise<void> | void): Promise<void> {
  const here = repository();
  try {
    await body(here);
  } finally {
    here.remove();
  }
}

const isWaiting = (events: ReturnType<Repository["events"]>): boolean =>
  eventsOf(events, "wait-scheduled").length > 0;

/** A whole minute, some hours from now, as a clock on a wall in Tokyo shows it. */
function inTokyo(): { readonly at: number; readonly words: string } {
  const at = Math.ceil((Date.now() + 200 * MINUTE) / MINUTE) * MINUTE;
  const clock = new Intl.DateTimeFormat("en-US", {
    ...{ hour: "numeric", minute: "2-digit", timeZone: "Asia/Tokyo" },
  });
  return { at, words: clock.format(at).replace(/\s/g, "").toLowerCase() };
}

test("U1: a usage limit is slept through until its reset and a minute, shown, uncounted; it can be stopped", () =>
  inRepository(async (here) => {
    const { at, words } = inTokyo();
    const limited = {
      ...{ print: `You've hit your session limit · resets ${words} (Asia/Tokyo)`, exit: 1 },
    };
    const plan = planFile(here, here.agent({ a: [limited, right] }), [
      `id: a, prompt: p, ${IS_TWO}`,
    ]);
    const run = owner(here.start("run", plan, "--trust"));
    try {
      await until(here, isWaiting);
      const [wait] = eventsOf(here.events(), "wait-scheduled");
      assert.equal(wait?.["dueAt"], at + MINUTE);
      assert.deepEqual(failuresOf(here.events()), ["a rate_limited"]);
      const [failure] = eventsOf(here.events(), "failure-classified");
      assert.equal(failure?.["counted"], false);
      const [name = ""] = here.runs();
      const lifted = untilText(at + MINUTE, Date.now());
      assert.match(here.unstuck("status", name).out, new RegExp(`waiting until ${lifted} `));
      assert.match(here.unstuck("status").out, new RegExp(`waiting until ${lifted} `));
    } finally {
      await run.kill();
    }
    const later = owner(here.start("resume"));
    try {
      await untilSo(
        () => here.owner() === later.child.pid,
        () => "nobody took the run up",
      );
      await pause(500);
      assert.equal(eventsOf(here.events(), "attempt-dispatched").length, 1, "it still waits");
      assert.equal(here.unstuck("stop").code, 0);
      assert.equal(await later.ended, 5);
    } finally {
      await later.kill();
    }
  }));

test("U1: a limit that is lifted later than the longest wait is a question, not a sleep of weeks", () =>
  inRepository((here) => {
    const far = new Date(Date.now() + 40 * 24 * 60 * MINUTE).toISOString();
    const limited = { error: `usage limit reached, resets at ${far}`, exit: 1 };
    const plan = planFile(here, here.agent({ a: [limited] }), [`id: a, prompt: p, ${IS_TWO}`]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.equal(eventsOf(here.events(), "wait-scheduled").length, 0);
    assert.match(here.unstuck("inbox").out, /a\/c1/);
  }));

interface Subject {
  readonly subtask?: string;
  readonly attempt?: number;
}

test(
  "U2: subtasks that share a provider share its outage: one probe at a time, none counted, all done after it",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const down = { error: "API Error: 503 Service Unavailable. Retry after 1 second.", exit: 1 };
      const ids = ["a", "b", "c", "d", "e", "f"];
      const works = { write: { "value.txt": "2\n" }, print: "done" };
      const agent = here.agent(Object.fromEntries(ids.map((id) => [id, [down, works]])));
      const plan = planFile(
        here,
        agent,
        ids.map((id) => `id: ${id}, prompt: p, ${IS_TWO}`),
        ["grounding: false", "concurrency: 6"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      const events = here.events();
      const counted = eventsOf(events, "failure-classified").filter((event) => event["counted"]);
      assert.deepEqual(counted, []);
      const started = new Set<string>();
      const moves = events.flatMap(({ event }) => {
        const { kind, ...of } = (event["input"] ?? {}) as { readonly kind?: string } & Subject;
        const key = `${of.subtask}/${of.attempt}`;
        if (kind === "attempt-started") started.add(key);
        return started.has(key) && (kind === "attempt-started" || kind === "attempt-ended")
          ? [kind]
          : [];
      });
      assert.equal(started.size, 12);
      assert.deepEqual(
        moves.slice(12, 14),
        ["attempt-started", "attempt-ended"],
        "the seventh was a probe, and ended well, before others came",
      );
      assert.ok(
        readFileSync(join(here.path, "value.txt"), "utf8") === "1\n",
        "the checkout is as it was",
      );
    }),
);
