// proves: U21
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Refusal } from "../../src/core/agent-words/refusal.ts";
import { permissionRequests } from "../../src/runtime/permission-requests.ts";
import type { RunUnderway } from "../../src/runtime/ports.ts";

const INSTALL: Refusal = { tool: "execute", command: "npm ci" };
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Surroundings {
  readonly presence?: "here" | "elsewhere" | "nobody";
  readonly permissionWaitMs?: number;
  readonly quietHours?: string;
  readonly recorded?: boolean;
}

/** A run at noon; what it is asked is kept. */
function running(more: Surroundings = {}) {
  const { presence = "elsewhere", recorded = true, permissionWaitMs, quietHours } = more;
  const asked: { subtask: string; request: number; waitMs: number }[] = [];
  const underway = {
    run: "r",
    running: new Map(),
    plan: { plan: { permissionWaitMs }, policy: { policy: "adaptive", quietHours } },
    stop: new AbortController().signal,
    ports: {
      ...{ presence: () => presence, timeZone: () => "UTC", random: () => 0 },
      ...{ clock: { now: () => 12 * 3_600_000 }, redact: (text: string) => text },
      engine: {
        deliver: async (_: string, input: (typeof asked)[number]) => {
          asked.push(input);
          return { recorded };
        },
      },
    },
  } as unknown as RunUnderway;
  const attempt = (subtask: string) =>
    permissionRequests(underway, { subtask, attempt: 1 } as never, undefined);
  return { asked, attempt };
}

test("one question at a time for each call and each subtask, in the order they were asked", async () => {
  const { asked, attempt } = running();
  const [a, b] = [attempt("a"), attempt("b")];
  const answers = [a.ask(INSTALL), b.ask(INSTALL), a.ask({ ...INSTALL, command: "make" })];
  await quiet();
  const names = (): readonly string[] =>
    asked.map(({ subtask, request }) => `${subtask}${request}`);
  assert.deepEqual(names(), ["a1"]);
  a.settle(1, true);
  await quiet();
  assert.deepEqual(names(), ["a1", "b1", "a2"]);
  b.end();
  assert.equal(await b.ask(INSTALL), false, "an attempt that is over waits for nobody");
  a.settle(2, false);
  assert.deepEqual(await Promise.all(answers), [true, false, false]);
});

test("how long is waited, by the plan, by who is there and by the hour", async () => {
  const rows: readonly (readonly [string, Surroundings, number | undefined])[] = [
    ["elsewhere", {}, 300_000],
    ["here", { presence: "here" }, 300_000],
    ["nobody", { presence: "nobody" }, undefined],
    ["as the plan says", { presence: "nobody", permissionWaitMs: 7 }, 7],
    ["turned off", { presence: "here", permissionWaitMs: 0 }, undefined],
    ["quiet hours", { quietHours: "11:00-13:00", permissionWaitMs: 7 }, undefined],
    ["quiet hours, at the screen", { quietHours: "11:00-13:00", presence: "here" }, 300_000],
    ["other hours", { quietHours: "13:00-11:00" }, 300_000],
  ];
  for (const [name, more, waitMs] of rows) {
    const { asked, attempt } = running(more);
    const { ask, end } = attempt("a");
    const answer = ask(INSTALL);
    await quiet();
    assert.equal(asked[0]?.waitMs, waitMs, name);
    end();
    assert.equal(await answer, false, name);
  }
});

test("what is not recorded is refused", async () => {
  assert.equal(await running({ recorded: false }).attempt("a").ask(INSTALL), false);
});
