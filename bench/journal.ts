/**
 * The cost of durability, as ratios in one run: the journal alone and the whole path (decide, fold, append, perform)
 * compared with raw SQLite that commits the same JSON in the same groups. 100 subtasks are in progress at any time and
 * fail their checks until the policy has no recovery left; merges are omitted, because they are serial by design and
 * wait for one commit each. Exits 1 if a goal is missed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ladder } from "../src/core/policy/ladder.ts";
import { PRESETS } from "../src/core/policy/presets.ts";
import type { Command } from "../src/core/run/command.ts";
import type { RunEvent } from "../src/core/run/decision.ts";
import type { RunInput } from "../src/core/run/input.ts";
import { embeddedEngine } from "../src/engines/embedded.ts";
import { systemClock, systemProcesses } from "../src/engines/system.ts";
import { eventText } from "../src/journal/event-text.ts";
import { openJournal, type Journal } from "../src/journal/journal.ts";
import { goodAnswer, runStarted, scriptedPlan } from "../test/engines/contract/script.ts";

const SUBTASKS = 300;
const CONCURRENT = 100;
const ROUNDS = 5;
const GOALS = { journal: 0.7, whole: 0.25 };

const folder = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
const ids = Array.from({ length: SUBTASKS }, (_, index) => `subtask-${index}`);
const plan = { ...scriptedPlan(ids, "beside"), concurrency: CONCURRENT };
const policy = ladder(PRESETS.standard);
let files = 0;
const nextPath = (): string => join(folder, `journal-${(files += 1)}.db`);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Each recorded input with its decisions, in order. */
type Step = readonly RunEvent[];

async function withJournal(work: (journal: Journal) => Promise<void>): Promise<void> {
  const journal = await openJournal({ path: nextPath(), processes: systemProcesses() });
  await work(journal);
  await journal.close();
}

/** Checks never pass; the failure differs from attempt to attempt, so that nothing looks like a circle. */
function answerTo(command: Command): RunInput | undefined {
  const good = goodAnswer(command, 1000);
  if (good?.kind !== "checks-ended") return good;
  const failing = [`test of ${good.subtask}`, `case ${good.attempt}`];
  const stdout = failing.map((name) => `not ok - ${name}: expected 1, got 2`).join("\n");
  return { ...good, result: { kind: "failed", failing, evidence: { exitCode: 1, stdout } } };
}

/** Runs the plan through the engine; every answer comes at once, so that 100 inputs are queued at a time. */
async function whole(): Promise<number> {
  let elapsed = 0;
  await withJournal(async (journal) => {
    const engine = embeddedEngine({
      journal,
      clock: systemClock(),
      random: () => 0.5,
      onProblem: (_, problem) => {
        throw problem;
      },
    });
    let asked = 0;
    const ended = Promise.withResolvers<void>();
    const perform = (command: Command): void => {
      if (command.kind === "ask" && (asked += 1) === SUBTASKS) ended.resolve();
      const answer = answerTo(command);
      if (answer !== undefined) engine.deliver("run", answer).catch(ended.reject);
    };
    const run = await engine.own("run", policy, perform);
    const started = performance.now();
    await engine.deliver("run", runStarted("run", plan, 1000));
    await ended.promise;
    elapsed = performance.now() - started;
    steps ??= groupedByInput(await journal.read("run", 1, 1_000_000));
    await run.release();
  });
  return elapsed;
}

let steps: readonly Step[] | undefined;

function groupedByInput(rows: readonly { readonly event: RunEvent }[]): readonly Step[] {
  const groups: RunEvent[][] = [];
  for (const { event } of rows) {
    if (event.kind === "received") groups.push([]);
    groups.at(-1)?.push(event);
  }
  return groups;
}

/** The journal alone: as many steps per append as are in progress. */
async function journalAlone(all: readonly Step[]): Promise<number> {
  let elapsed = 0;
  await withJournal(async (journal) => {
    const claim = await journal.claim("run", 1000);
    const started = performance.now();
    let expected = 0;
    for (let at = 0; at < all.length; at += CONCURRENT) {
      const events = all.slice(at, at + CONCURRENT).flatMap((step) => step.map(eventText));
      const appended = await journal.append({
        ...{ claim, expected, events, taken: [], phase: "active", at: 1000 },
      });
      expected = appended.seq;
    }
    elapsed = performance.now() - started;
  });
  return elapsed;
}

/** The journal alone, with each step as an append of a run of its own. */
async function journalManyRuns(all: readonly Step[]): Promise<number> {
  let elapsed = 0;
  await withJournal(async (journal) => {
    const names = Array.from({ length: CONCURRENT }, (_, index) => `run-${index}`);
    const claims = await Promise.all(names.map((name) => journal.claim(name, 1000)));
    const seqs = claims.map(() => 0);
    const started = performance.now();
    for (let at = 0; at < all.length; at += CONCURRENT)
      await Promise.all(
        all.slice(at, at + CONCURRENT).map(async (step, index) => {
          const claim = claims[index];
          if (claim === undefined) return;
          const appended = await journal.append({
            ...{ claim, expected: seqs[index] ?? 0, events: step.map(eventText), taken: [] },
            ...{ phase: "active", at: 1000 },
          });
          seqs[index] = appended.seq;
        }),
      );
    elapsed = performance.now() - started;
  });
  return elapsed;
}

async function raw(all: readonly Step[]): Promise<number> {
  const database = new DatabaseSync(nextPath());
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE events (id INTEGER PRIMARY KEY, run INTEGER, event TEXT)");
  const insert = database.prepare("INSERT INTO events (run, event) VALUES (?, ?)");
  const started = performance.now();
  for (let at = 0; at < all.length; at += CONCURRENT) {
    await nextTurn();
    database.exec("BEGIN");
    for (const step of all.slice(at, at + CONCURRENT))
      for (const event of step) insert.run(1, JSON.stringify(event));
    database.exec("COMMIT");
  }
  const elapsed = performance.now() - started;
  database.close();
  return elapsed;
}

/** The best of several rounds: other work on the machine only ever adds time. */
const best = (values: readonly number[]): number => Math.min(...values);

try {
  await whole();
  const all = steps ?? [];
  const events = all.reduce((sum, step) => sum + step.length, 0);
  const bytes = all.flat().reduce((sum, event) => sum + eventText(event).length, 0);
  const times = { raw: [0], journal: [0], "journal, 100 runs": [0], whole: [0] };
  for (const list of Object.values(times)) list.pop();
  for (let round = 0; round < ROUNDS; round += 1) {
    times.raw.push(await raw(all));
    times.journal.push(await journalAlone(all));
    times["journal, 100 runs"].push(await journalManyRuns(all));
    times.whole.push(await whole());
  }
  console.log(
    `${SUBTASKS} subtasks, ${CONCURRENT} at a time: ${all.length} inputs, ${events} events of ` +
      `${Math.round(bytes / events)} bytes; best of ${ROUNDS} interleaved rounds`,
  );
  const ratioOf = (name: keyof typeof times): number => best(times.raw) / best(times[name]);
  for (const name of Object.keys(times) as (keyof typeof times)[])
    console.log(
      `${name.padEnd(18)} ${((events / best(times[name])) * 1000).toFixed(0).padStart(8)} events/s  ` +
        `ratio ${ratioOf(name).toFixed(2)}`,
    );
  const met = ratioOf("journal") >= GOALS.journal && ratioOf("whole") >= GOALS.whole;
  console.log(`goals: journal ${GOALS.journal}, whole ${GOALS.whole}: ${met ? "met" : "MISSED"}`);
  process.exitCode = met ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
