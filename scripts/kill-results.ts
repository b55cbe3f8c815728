/**
 * Kills `apply` and `undo` with kill -9 at random times and gives them again: `npm run kill-results -- --times 100 [--seed 1]`. Needs a
 * build. Each must end with the checkout as it was or with the result in it, nothing of the user's lost. Prints the first that does
 * not, with its seed, and exits 1.
 */
import { parseArgs } from "node:util";
import { chanceOf } from "../src/testing/world/chance.ts";
import { assertFinished, endedRun, endsOf } from "../test/apply/killed-results.ts";
import { owner, pause } from "../test/run/runs.ts";

const WAYS = ["apply", "undo"] as const;

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
  },
});
const chance = chanceOf(values.seed);
const ended = endedRun();
try {
  const started = Date.now();
  const ends = endsOf(ended);
  const tookMs = (Date.now() - started) / 2;
  for (let time = 1; time <= Number(values.times); time += 1) {
    const first = chance.pick(WAYS);
    const next = chance.pick(WAYS);
    if (first === "undo") assertFinished(ended, "apply", ends);
    const killed = owner(ended.here.start(first, ended.run));
    const after = chance.between(0, Math.round(tookMs));
    await pause(after);
    await killed.kill();
    console.log(`${time}: ${first} killed after ${after} ms, then ${next}`);
    assertFinished(ended, next, ends);
    if (next === "apply") assertFinished(ended, "undo", ends);
  }
} finally {
  ended.here.remove();
}
console.log(`${values.times} kills, all mended`);
