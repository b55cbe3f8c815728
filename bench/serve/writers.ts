/** A separate process: 50 runs that write, each twice a second, until it is ended. `node writers.ts HOME REPOSITORY` */
import { openHomeJournal, playedRun, runWriter } from "./fill-home.ts";

const [home = "", repo = ""] = process.argv.slice(2);
const WRITERS = 50;
const EVERY_MS = 500;

const events = await playedRun(200);
const journal = await openHomeJournal(home);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
await Promise.all(
  Array.from({ length: WRITERS }, async (_, index) => {
    await pause((index * EVERY_MS) / WRITERS);
    for (let round = 0; ; round += 1) {
      const run = `20270101-${String(round).padStart(4, "0")}-${index.toString(16).padStart(6, "0")}`;
      const write = await runWriter(journal, run, { events, at: Date.now(), repo });
      if (index === 0 && round === 0) process.stdout.write(`${run}\n`);
      while (await write(2)) await pause(EVERY_MS);
    }
  }),
);
