/** A fleet whose agent is at work, opened by a process that is about to be killed; says its run once that is so. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openFleet, planOf, until } from "./fleet.ts";

const fleet = await openFleet();
const mark = join(fleet.folder, "mark");
const worker = await fleet.worker("w1", ["--slots", "1"]);
const run = await fleet.submit(planOf(1, `touch ${mark}; sleep 900`, 1));
await until(
  () => existsSync(mark),
  () => worker.log(),
);
console.log(run);
