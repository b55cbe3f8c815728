/**
 * `npm run overnight`: every scenario with real agents and a scripted model, with Unstuck and with a plain loop.
 * `--small`: a few of them, in minutes, without time bars, because CI may run anywhere. `--short`: all of them, with
 * short waits. `--runs 3`: medians. `--json`. `--only "no fault"` and `--agent claude` (repeatable) select. `--write`
 * writes docs/overnight.md. Exits 1 if a bar is missed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { AGENT_SCENARIOS } from "./agent-scenarios.ts";
import { judged, summaryOf, type Row } from "./judge.ts";
import { RUN_SCENARIOS } from "./run-scenarios.ts";
import { withLoop, withUnstuck, type Outcome } from "./runners.ts";
import type { NightScenario, OvernightAgent, Scale } from "./scenario.ts";
import { NO_FAULT, SERVICE_SCENARIOS } from "./service-scenarios.ts";
import { line, page, type Night } from "./table.ts";
import { agentVersions } from "./versions.ts";

/**
 * A user who leaves a loop alone overnight allows it tens of turns, because hard work needs them and nobody is there to
 * add more.
 */
const LOOP_TURNS = 30;
const FULL: Scale = {
  wait: 20,
  outage: 60,
  patience: 60,
  loop: { turn: 150, turns: LOOP_TURNS, total: 600 },
  total: 900,
};
const SHORT: Scale = {
  wait: 4,
  outage: 8,
  patience: 15,
  loop: { turn: 20, turns: LOOP_TURNS, total: 150 },
  total: 240,
};
/** Only what is over within seconds, and a loop that is given up soon. */
const SMALL: Scale = { ...SHORT, wait: 3, loop: { turn: 10, turns: 3, total: 40 } };

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    runs: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
    agent: { type: "string", multiple: true },
  },
});
const runs = Number(values.runs);
const scale = values.small ? SMALL : values.short ? SHORT : FULL;
const AGENTS = ["claude", "codex"] as const;
const agents = AGENTS.filter((agent) => values.agent?.includes(agent) ?? true);
const scenarios = [...SERVICE_SCENARIOS, ...AGENT_SCENARIOS, ...RUN_SCENARIOS];
const picked = scenarios
  .filter(({ small }) => !values.small || small === true)
  .filter(({ name }) => values.only?.includes(name) ?? true);
const rowsOf = (agent: OvernightAgent, from: readonly NightScenario[]): readonly NightScenario[] =>
  from.filter((scenario) => scenario.agents?.includes(agent) ?? true);
const night: Night = {
  command: ["npm run overnight --", ...process.argv.slice(2).map(typed)].join(" "),
  date: new Date().toISOString().slice(0, 10),
  ...{ runs, scale, versions: agentVersions() },
  asked: agents.flatMap((agent) =>
    rowsOf(agent, picked).map(({ name }) => ({ agent, scenario: name })),
  ),
  whole: AGENTS.flatMap((agent) => rowsOf(agent, scenarios)).length,
};

const PAGE = join(import.meta.dirname, "..", "..", "docs", "overnight.md");
const soFar: Row[] = [];
const prices: Partial<Record<OvernightAgent, Promise<number>>> = {};
const MOST_RUNS = 3;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const columns = await Promise.all(agents.map(column));
const rows = columns.flat();
if (values.json) console.log(JSON.stringify(rows, undefined, 2));
const missed = rows.flatMap(({ agent, scenario, missed: bars }) =>
  bars.map((bar) => `${agent}, ${scenario}: ${bar}`),
);
for (const bar of missed) console.error(`missed: ${bar}`);
console.error(
  `${rows.length - rows.filter((row) => row.missed.length > 0).length} of ${rows.length} rows hold`,
);
process.exitCode = missed.length === 0 && rows.length > 0 ? 0 : 1;

/** One agent's rows; agents run side by side, so that Unstuck and the loop meet the same machine in each scenario. */
async function column(agent: OvernightAgent): Promise<Row[]> {
  const done: Row[] = [];
  for (const scenario of rowsOf(agent, picked))
    done.push(await told(await measured(agent, scenario)));
  return done;
}

/** Quoted as a user would type it. */
function typed(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word;
}

/** Written at once: an interrupted night keeps what it had. */
async function told(row: Row): Promise<Row> {
  if (!values.json) console.log(line(row));
  soFar.push(row);
  if (values.write)
    writeFileSync(
      PAGE,
      await format(page(soFar, night), { ...(await resolveConfig(PAGE)), filepath: PAGE }),
    );
  return row;
}

/**
 * Runs a row as often as requested. For a single run, a missed bar is measured again, and the least time counts: other
 * work on the machine only ever adds to it.
 */
async function measured(agent: OvernightAgent, scenario: NightScenario): Promise<Row> {
  const unstuck: Outcome[] = [];
  const loop: Outcome[] = [];
  for (;;) {
    loop.push(await withLoop(agent, scenario, scale));
    unstuck.push(await withUnstuck(agent, scenario, scale));
    if (loop.length < runs) continue;
    const time = runs === 1 ? "least" : "median";
    const [ours, theirs] = [summaryOf(unstuck, time), summaryOf(loop, time)];
    const isUnpaid = !theirs.right && theirs.refused > 0;
    const row = judged(agent, scenario, ours, theirs, {
      timed: !values.small,
      work: isUnpaid ? await priceOfWork(agent) : 0,
    });
    if (row.missed.length === 0 || !row.unstuck.right || loop.length >= MOST_RUNS) return row;
  }
}

/** What the loop pays without a fault. */
async function priceOfWork(agent: OvernightAgent): Promise<number> {
  prices[agent] ??= withLoop(agent, NO_FAULT, scale).then(({ tokens }) => tokens);
  return prices[agent];
}
