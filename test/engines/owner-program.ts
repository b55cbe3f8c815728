// Owns run "r" and answers its commands until it ends, or kills itself at a named point: argv = path, log, point, nth.
// The log gets a line per command before it is performed.
import { appendFileSync } from "node:fs";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { systemProcesses } from "../../src/engines/system.ts";
import { openJournal } from "../../src/journal/journal.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import { attemptOverloaded, goodAnswer, POLICY } from "./contract/script.ts";

const [path = "", log = "", point = "", nth = "1"] = process.argv.slice(2);

/** Waits take no time. It begins anew in every process: for the second one it was put back. */
let now = 1_000_000;
const clock: Clock = {
  now: () => (now += 1),
  at(time, callback) {
    const timer = setImmediate(() => {
      now = Math.max(now, time);
      callback();
    });
    return () => clearImmediate(timer);
  },
};

let passed = 0;
const journal = await openJournal({ path, processes: systemProcesses() });
const engine = embeddedEngine({
  journal,
  clock,
  random: () => 0.5,
  onProblem: (_, problem) => {
    throw problem;
  },
  onPoint: (name) => {
    if (name === point && (passed += 1) === Number(nth)) process.kill(process.pid, "SIGKILL");
  },
  snapshotSize: 1,
});
const ended = Promise.withResolvers<void>();
const run = await engine.own("r", POLICY, (command, again) => {
  appendFileSync(log, `${command.id} ${again}\n`);
  if (command.kind === "end") return ended.resolve();
  const overloaded = command.kind === "start" && command.id === "r/b/1";
  const answer = overloaded
    ? attemptOverloaded(command, clock.now())
    : goodAnswer(command, clock.now());
  if (answer !== undefined)
    setImmediate(() => void engine.deliver("r", answer).catch(ended.reject));
});
await ended.promise;
await run.release();
await journal.close();
