// Posts inputs to run "r" from a process of its own: argv = path, subtasks (by comma). Each is posted twice.
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { systemClock, systemProcesses } from "../../src/engines/system.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { attemptEnded } from "./contract/script.ts";

const [path = "", subtasks = ""] = process.argv.slice(2);
const journal = await openJournal({ path, processes: systemProcesses() });
const engine = embeddedEngine({
  journal,
  clock: systemClock(),
  random: () => 0.5,
  onProblem: (_, problem) => {
    throw problem;
  },
});
for (const subtask of subtasks.split(",")) {
  const input = attemptEnded({ subtask, attempt: 1 }, 2000);
  for (let times = 0; times < 2; times += 1) {
    const delivery = await engine.deliver("r", input);
    if (delivery.recorded || !("posted" in delivery)) throw new Error("not posted");
  }
}
await journal.close();
