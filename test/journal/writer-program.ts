// Appends to three runs as fast as it can, three events at a time, and says what was acknowledged: argv = path.
import { writeSync } from "node:fs";
import { systemProcesses } from "../../src/engines/system.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { appendOf, numbered } from "./appends.ts";

const [path = ""] = process.argv.slice(2);
const journal = await openJournal({ path, processes: systemProcesses() });
await Promise.all(
  ["r1", "r2", "r3"].map(async (run) => {
    const claim = await journal.claim(run, 1);
    let seq = (await journal.run(run))?.seq ?? 0;
    for (;;) {
      const events = [1, 2, 3].map((part) => numbered(seq + part, "w".repeat(300)));
      const appended = await journal.append(appendOf(claim, seq, events));
      if (!appended.ok) throw new Error(appended.why);
      seq = appended.seq;
      writeSync(1, `${run} ${seq}\n`);
    }
  }),
);
