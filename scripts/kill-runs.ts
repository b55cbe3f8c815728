/**
 * Kills runs with kill -9 at random times (at work, while they pause, publish or are resumed) and resumes them; then
 * kills `apply`, `undo` and `clean` and repeats them: `npm run kill-runs -- --runs 300 [--seed 1] [--from 1]`. Needs a
 * build. Each run must end like one that was not killed: same tree, same decisions apart from those about lost
 * attempts, nothing twice, no process left, no snapshot missing. Prints each failure with its replay line; exits 1 if
 * there is one, 2 on bad input.
 */
import { parseArgs } from "node:util";
import { chanceOf, type Chance } from "../test/simulation/world/chance.ts";
import {
  assertUnharmed,
  killPlan,
  resultOf,
  resumeToEnd,
} from "../test/end-to-end/run/killed-run.ts";
import type { Result } from "../test/end-to-end/run/killed-run.ts";
import { killedAfterwards } from "../test/end-to-end/run/killed-afterwards.ts";
import { repository, type Repository } from "../test/end-to-end/run/repository.ts";
import { owner, pause } from "../test/end-to-end/run/runs.ts";

const FILES = { "base.txt": "base\n", ".gitignore": "made/\n" };
const SECOND_KILL = 0.3;
const PAUSED_FIRST = 0.4;
const PAUSING_MS = 800;
const KILLED_PUBLISHING = 0.2;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
  },
});
const [runs, seed, from] = [values.runs, values.seed, values.from].map(wholeNumber) as [
  number,
  number,
  number,
];

interface Killed {
  /** Milliseconds after its start at which each owner was killed. */
  readonly kills: readonly number[];
  readonly lost: number;
  /** Kills of the commands after its end. */
  readonly later: number;
}

const undisturbed = {
  standard: await undisturbedRun("standard"),
  adaptive: await undisturbedRun("adaptive"),
};
const { tookMs } = undisturbed.standard;
console.log(`undisturbed it takes ${tookMs} ms; killing ${runs} runs, seed ${seed}`);
let failing = 0;
let kills = 0;
let lost = 0;
for (let number = from; number < from + runs; number += 1) {
  const policy = number % 2 === 0 ? "adaptive" : "standard";
  const here = repository(FILES, policy);
  try {
    const { expected } = undisturbed[policy];
    const killed = await killedRun(here, expected, chanceOf(`${seed}/${number}`));
    kills += killed.kills.length + killed.later;
    lost += killed.lost;
  } catch (error) {
    failing += 1;
    console.log(`run ${number}: ${error instanceof Error ? error.message : String(error)}`);
    console.log(here.unstuck("events").out);
    console.log(`  replay: npm run kill-runs -- --runs 1 --seed ${seed} --from ${number}`);
  } finally {
    here.remove();
  }
  if ((number - from + 1) % 10 === 0) console.log(`${number - from + 1} done, ${failing} failing`);
}
console.log(
  `${runs} runs, ${kills} kills, ${lost} attempts lost and played again: ${failing} failing`,
);
process.exitCode = failing > 0 ? 1 : 0;

async function undisturbedRun(
  policy: "standard" | "adaptive",
): Promise<{ expected: Result; tookMs: number }> {
  const here = repository(FILES, policy);
  try {
    const plan = killPlan(here);
    const began = Date.now();
    const { ended } = owner(here.start("run", plan, "--trust"));
    if ((await ended) !== 0) throw new Error("the run that nobody kills does not end well");
    const tookMs = Date.now() - began;
    return { expected: resultOf(here), tookMs };
  } finally {
    here.remove();
  }
}

async function killedRun(here: Repository, expected: Result, chance: Chance): Promise<Killed> {
  const plan = killPlan(here);
  const times: number[] = [];
  const killAt = async (words: readonly string[]): Promise<void> => {
    const after = chance.between(0, tookMs);
    const { child, ended, kill } = owner(here.start(...words));
    await Promise.race([ended, pause(after)]);
    if (chance.happens(PAUSED_FIRST)) {
      child.kill(chance.pick(["SIGINT", "SIGTERM"] as const));
      await Promise.race([ended, pause(chance.between(0, PAUSING_MS))]);
    }
    await kill();
    times.push(after);
  };
  await killAt(["run", plan, "--trust"]);
  if (chance.happens(SECOND_KILL)) await killAt(["resume"]);
  if (chance.happens(KILLED_PUBLISHING)) {
    here.unstuckWith({ UNSTUCK_CRASH_AT: "publish:packed" }, "resume");
    times.push(tookMs);
  }
  resumeToEnd(here, plan);
  assertUnharmed(here, expected);
  const text = JSON.stringify(here.events());
  const later = await killedAfterwards(here, chance);
  return { later, kills: times, lost: text.split('"because":["its owner died"]').length - 1 };
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  console.error(`expected a whole number above 0, not ${JSON.stringify(text)}`);
  process.exit(2);
}
