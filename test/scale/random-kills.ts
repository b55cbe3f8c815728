/**
 * A long run on three workers, of which one after the other is killed at a moment of chance and comes back under its name.
 * All subtasks have to end, every file has to be in the result, and nobody may be left. Chance is a seed's.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { orphansOf } from "../end-to-end/run/runs.ts";
import { chanceOf } from "../simulation/world/chance.ts";
import { lostIn, planOf, type Fleet, type Worker } from "./fleet.ts";
import { inHandOf } from "./kill-scene.ts";

export interface KillsAsked {
  readonly count: number;
  readonly forMs: number;
  readonly slots: number;
  readonly agentSeconds: number;
  readonly seed: string;
}

export interface KillsSeen {
  readonly seconds: number;
  readonly kills: number;
  readonly lost: number;
  /** From a kill until what the dead worker had was begun elsewhere, at most; of kills with anything in hand. */
  readonly slowestFailover: number;
}

const NAMES = ["w1", "w2", "w3"] as const;
const LIMIT_MS = 3_600_000;

export async function underKills(fleet: Fleet, asked: KillsAsked): Promise<KillsSeen> {
  const { count, forMs, slots, agentSeconds, seed } = asked;
  const chance = chanceOf(seed);
  const workers = new Map<string, Worker>();
  const start = async (name: string): Promise<void> =>
    void workers.set(name, await fleet.worker(name, ["--slots", String(slots)]));
  for (const name of NAMES) await start(name);
  const began = performance.now();
  const run = await fleet.submit(planOf(count, `sleep ${agentSeconds}`, NAMES.length * slots));
  let kills = 0;
  let slowestFailover = 0;
  const ending = new AbortController();
  const killing = async (): Promise<void> => {
    for (const stop = Date.now() + forMs; Date.now() < stop && !ending.signal.aborted;) {
      await sleep(chance.between(4000, 12_000));
      const name = chance.pick(NAMES);
      const dead = workers.get(name);
      if (dead === undefined || ending.signal.aborted) continue;
      const open = inHandOf(dead);
      await dead.kill();
      kills += 1;
      const others = [...workers.values()].filter((one) => one !== dead);
      slowestFailover = Math.max(slowestFailover, await takenAfter(open, others));
      await start(name);
    }
  };
  const ended = fleet.ended(run, LIMIT_MS).finally(() => ending.abort());
  const [{ kind }] = await Promise.all([ended, killing()]);
  const seconds = (performance.now() - began) / 1000;
  assert.equal(kind, "verified");
  const names = Array.from({ length: count }, (_, index) => `s${index + 1}.txt`);
  const tree = fleet.git("ls-tree", "--name-only", `unstuck/${run}`).trim().split("\n");
  assert.deepEqual(tree.toSorted(), [...names, "value.txt"].toSorted(), "no work is lost");
  assert.deepEqual(orphansOf(run), [], "no agent is left");
  return { seconds, kills, lost: lostIn(await fleet.events(run)).length, slowestFailover };
}

const TAKEN_LIMIT_MS = 60_000;

/** Seconds until one of these commands was begun by one of these workers. */
async function takenAfter(open: readonly string[], others: readonly Worker[]): Promise<number> {
  const began = performance.now();
  const isTaken = (): boolean =>
    open.length === 0 || open.some((id) => others.some((one) => one.log().includes(`${id} began`)));
  while (!isTaken() && performance.now() - began < TAKEN_LIMIT_MS) await sleep(100);
  return (performance.now() - began) / 1000;
}
