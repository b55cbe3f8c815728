// proves: C9, U1, U2
import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import type { Agent } from "../../src/runtime/ports-agent.ts";
import type { AgentResult } from "../../src/runtime/agent-result.ts";
import { violationsOf } from "./properties/all.ts";
import type { History } from "./world/history.ts";
import type { Sabotage } from "./world/sabotage.ts";
import type { Scenario } from "./world/scenario.ts";
import { simulate } from "./world/simulation.ts";
import type { MakeEngine } from "./world/surroundings.ts";

const SUBTASKS = 50;
const OUTAGE_MS = 2 * 3_600_000;
const makeEngine: MakeEngine = (parts) => embeddedEngine(parts);

/** Fifty subtasks, ten at a time, on one provider; nothing else goes wrong. */
const fifty = (drawn: Scenario): Scenario => {
  const ids = Array.from({ length: SUBTASKS }, (_, index) => `s${index}`);
  const details = Object.values(drawn.plan.subtasks)[0];
  assert.ok(details !== undefined);
  return {
    ...drawn,
    missingAgents: [],
    plan: {
      ...drawn.plan,
      plan: {
        goal: "fifty",
        subtasks: ids.map((id) => ({ id, prompt: id, dependsOn: [], checks: 0 })),
        ladder: [{ agent: "small", tier: 1 }],
        concurrency: 10,
        budget: {},
        attemptCap: {},
      },
      subtasks: Object.fromEntries(
        ids.map((id) => [id, { ...details, prompt: id, checks: [], inputs: [] }]),
      ),
    },
    faults: {
      ...{
        deathRate: 0,
        deathsMax: 0,
        guardLossRate: 0,
        refusalRate: 0,
        flakyRate: 0,
        brokenCheckRate: 0,
        brokenBase: false,
      },
      ...{
        writeFaultRate: 0,
        diskFullPeriods: 0,
        clockJumps: 0,
        duplicates: 0,
        cancelled: false,
        pauses: 0,
      },
      ...{ leavesWhenPaused: false, usurper: false, snapshotSize: 50_000 },
    },
  };
};

const TOO_MANY = "429 Too Many Requests: rate limit reached, please try again later";

/** The provider answers 429 until the outage is over; each start is written down. */
function outage(starts: number[]): Sabotage {
  let began: number | undefined;
  return {
    ports: (ports, { process }) => {
      const { clock } = process;
      const agent: Agent = {
        async start({ place }) {
          began ??= clock.now();
          const isDown = clock.now() - began < OUTAGE_MS;
          starts.push(clock.now() - began);
          const { promise, resolve } = Promise.withResolvers<AgentResult>();
          const release = (): void =>
            void clock.at(clock.now() + (isDown ? 2000 : 30_000), () => resolve(ended(isDown)));
          const identity = {
            attemptId: place.attemptId,
            groupId: 1,
            startTime: "1",
            bootId: "boot",
          };
          return { ok: true, attempt: { identity, release, stop: release, result: promise } };
        },
      };
      return { ...ports, agent: () => agent };
    },
  };
}

const ended = (isDown: boolean): AgentResult => ({
  end: { kind: "exited", code: isDown ? 1 : 0 },
  stdout: isDown ? "" : "all done",
  stderr: isDown ? TOO_MANY : "",
  transcript: { path: "t", bytes: 0, sha256: "", complete: true },
  durations: { activeMs: 1000, sleptMs: 0 },
  leftBehind: 0,
  survivors: [],
  promptBy: "argument",
});

const outcomeOf = ({ happened }: History): unknown =>
  happened.flatMap((one) =>
    one.kind === "committed" && one.event.kind === "run-ended" ? [one.event.outcome] : [],
  )[0];

test("fifty subtasks on a provider that is down for two hours: one probe at a time, all finish, nothing counted", async () => {
  for (const seed of [1, 2, 3]) {
    const starts: number[] = [];
    const options = { seed, makeEngine, policy: "standard", scenario: fifty } as const;
    const history = await simulate({ ...options, sabotage: outage(starts) });
    assert.equal(outcomeOf(history), "unverified", "all finished; they have no checks");
    const during = starts.filter((at) => at < OUTAGE_MS);
    // ten may be under way when the first of them meets it; after that there is one probe per interval
    const probes = during.filter((at) => at > 10_000);
    for (const [index, at] of probes.entries()) {
      const before = probes[index - 1] ?? 0;
      assert.ok(at - before >= 5000, `probes ${at - before} ms apart`);
    }
    assert.ok(probes.length <= 40, `${probes.length} probes in two hours`);
    assert.equal(starts.length - during.length, SUBTASKS, "after it, each starts once");
    const [back = 0, ...woken] = starts.filter((at) => at >= OUTAGE_MS);
    // An attempt takes 30 s here; what the simulated disk adds is less than as much again.
    assert.ok((woken[0] ?? 0) - back <= 60_000, "V14: at once, when the probe has ended well");
    const took = (woken.at(-1) ?? 0) - back;
    assert.ok(took <= 60_000 + 30_000 * (SUBTASKS / 10), `V14: the last of them after ${took} ms`);
    const reasons = history.happened.flatMap((one) =>
      one.kind === "committed" && one.event.kind === "wait-scheduled" ? [one.event.reason] : [],
    );
    assert.ok(!reasons.includes("retry-after"), "V14: no server has said so");
    const counted = history.happened.filter(
      (one) =>
        one.kind === "committed" && one.event.kind === "failure-classified" && one.event.counted,
    );
    assert.equal(counted.length, 0);
    const asked = history.happened.filter(
      (one) => one.kind === "committed" && one.event.kind === "checkpoint-opened",
    );
    assert.equal(asked.length, 0);
    assert.deepEqual(violationsOf(history), []);
  }
});
