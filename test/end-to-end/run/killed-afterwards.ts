/**
 * What is done with a run after its end, killed on the way and done again: `apply`, `undo`, `clean`. For `npm run kill-runs`. Each ends
 * in exactly one of two states; afterwards nothing of the run is left but its result.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Chance } from "../../simulation/world/chance.ts";
import { stateOf } from "../apply/killed-results.ts";
import type { Repository } from "./repository.ts";
import { branchOf, owner, pause } from "./runs.ts";

/** Longer than any of these commands takes here: some are killed after their end. */
const KILLED_WITHIN_MS = 700;

export async function killedAfterwards(here: Repository, chance: Chance): Promise<number> {
  const [run = ""] = here.runs();
  const result = here.git("rev-parse", `${branchOf(here)}^{tree}`);
  const before = stateOf(here);
  let kills = 0;
  const killed = async (...words: string[]): Promise<void> => {
    const command = owner(here.start(...words));
    await Promise.race([command.ended, pause(chance.between(0, KILLED_WITHIN_MS))]);
    await command.kill();
    kills += 1;
  };
  const again = (words: readonly string[], idle = /^$/): void => {
    const { code, out, err } = here.unstuck(...words);
    assert.ok(code === 0 || idle.test(err), `${words.join(" ")}: ${out}${err}`);
  };
  await killed("apply", run);
  again(["apply", run]);
  assert.equal(here.git("rev-parse", "HEAD^{tree}"), result, "all of the result is there");
  await killed("undo", run);
  again(["undo", run], /nothing of it was applied/);
  assert.deepEqual(stateOf(here), before, "as before the apply");
  again(["apply", run]);
  await killed("clean", run);
  if (here.runs().length > 0) again(["clean", run]);
  assert.deepEqual(here.runs(), []);
  assert.equal(existsSync(join(here.home, "runs", run)), false);
  assert.equal(here.git("for-each-ref", "refs/unstuck", "refs/heads/unstuck"), "");
  assert.equal(here.git("rev-parse", "HEAD^{tree}"), result, "the result stays");
  return kills;
}
