// Writes runs into the journal of a home, as another process would: argv = path, repository; a line of JSON each.
import { createInterface } from "node:readline";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { fold } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { runSummary } from "../../../src/core/run/run-summary.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { systemProcesses } from "../../../src/engines/system.ts";
import { eventText } from "../../../src/journal/event-text.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import type { Claim } from "../../../src/journal/owners.ts";
import { TOLD, type Told } from "./told-runs.ts";

export interface Asked {
  readonly do: "write" | "leave" | "pause" | "remove";
  readonly run: string;
  readonly told: Told;
  readonly count: number;
}

interface Written {
  claim: Claim | undefined;
  readonly events: readonly RunEvent[];
  done: number;
  state: RunState;
}

const [path = "", repo = ""] = process.argv.slice(2);
const journal = await openJournal({ path, processes: systemProcesses() });
const runs = new Map<string, Written>();
const at = 1_700_000_000_000;
let created = at;

async function claimed(run: string, told: Told): Promise<readonly [Written, Claim]> {
  const anew: Written = { claim: undefined, events: TOLD[told], done: 0, state: NEW_RUN };
  const one = runs.get(run) ?? anew;
  if (!runs.has(run)) await journal.describe(run, { repo, title: "a run", at: (created += 1) });
  const claim = (one.claim ??= await journal.claim(run, at));
  runs.set(run, one);
  return [one, claim];
}

async function perform(asked: Asked): Promise<void> {
  const { run, told, count } = asked;
  if (asked.do === "pause") {
    if (runs.has(run))
      await journal.post(run, {
        ...{ kind: "pause-requested", at, chance: 0.5, pause: 1, by: "user", reason: "a test" },
      });
    return;
  }
  if (asked.do === "leave" && !runs.has(run)) return;
  const [one, claim] = await claimed(run, told);
  if (asked.do === "remove") {
    await journal.remove(claim);
    runs.delete(run);
  } else if (asked.do === "leave") {
    await journal.release(claim);
    one.claim = undefined;
  } else {
    const next = one.events.slice(one.done, one.done + count);
    for (const event of next) one.state = fold(one.state, event);
    await journal.append({
      ...{ claim, expected: one.done, events: next.map(eventText), taken: [] },
      ...{ phase: one.state.phase, summary: runSummary(one.state), at: at + one.done },
      ...(one.state.outcome === undefined ? {} : { outcome: one.state.outcome.kind }),
    });
    one.done += next.length;
  }
}

for await (const line of createInterface(process.stdin)) {
  await perform(JSON.parse(line) as Asked);
  process.stdout.write("done\n");
}
await journal.close();
