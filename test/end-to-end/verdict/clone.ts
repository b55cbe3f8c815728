/**
 * What "verified" promises, as a property of the whole suite: a fresh clone of the result branch of every run that ended
 * verified passes the plan's checks, with nothing there but the commit, what the plan carries and what its setup makes. Every
 * repository of a test asks for it before it is removed. Runs in place have no branch, and a run whose branch its test removed
 * has no result; both are passed over.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CheckPlan, RunPlan } from "../../../src/core/plan/run-plan.ts";
import { PLACES_PER_RUN } from "../../../src/journal/database.ts";

/** Where runs were made, and what their commands were told. */
export interface Place {
  readonly path: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

const LIMIT_MS = 600_000;

/** Returns how many results were cloned and checked. */
export function assertCloneHolds(here: Place): number {
  let held = 0;
  for (const { id, plan } of verifiedRuns(here)) {
    const checks = checksOf(plan);
    const branch = `unstuck/${id}`;
    if (checks.length === 0 || !hasBranch(here, branch)) continue;
    const clone = join(here.home, "..", "clones", id);
    mkdirSync(dirname(clone), { recursive: true });
    try {
      must(here, dirname(clone), ["git", "clone", "-q", "--branch", branch, here.path, clone]);
      carry(here, id, plan, clone);
      for (const command of plan.setup) must(here, clone, ["sh", "-c", command]);
      for (const { run } of checks) must(here, clone, ["sh", "-c", run], `run ${id} is "verified"`);
    } finally {
      rmSync(clone, { recursive: true, force: true });
    }
    held += 1;
  }
  return held;
}

/** A check that asks for "no worse" may go on failing; the others may not, each of them once. */
function checksOf({ subtasks }: RunPlan): readonly CheckPlan[] {
  const all = Object.values(subtasks).flatMap(({ checks }) => checks);
  return [...new Map(all.map((check) => [check.run, check])).values()].filter(
    ({ noWorse }) => noWorse !== true,
  );
}

function verifiedRuns({ path, home }: Place): { readonly id: string; readonly plan: RunPlan }[] {
  const file = join(home, "unstuck.db");
  if (!isDatabase(file)) return [];
  const journal = new DatabaseSync(file, { readOnly: true });
  try {
    // A run that was killed at once may leave a journal without its tables.
    if (journal.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").get() === undefined)
      return [];
    const runs = journal
      .prepare("SELECT id, number FROM runs WHERE outcome = 'verified' AND repo = ?")
      .all(realpathSync(path)) as { id: string; number: number }[];
    const first = journal.prepare("SELECT event FROM events WHERE place = ?");
    return runs.flatMap(({ id, number }) => {
      const row = first.get(number * PLACES_PER_RUN + 1) as { event: string } | undefined;
      const event = JSON.parse(row?.event ?? "{}") as FirstEvent;
      const { plan, inPlace = false } = event.input?.pinned ?? {};
      // The first event has it without secrets.
      const whole = join(home, "runs", id, "plan.json");
      if (plan === undefined || inPlace) return [];
      const text = existsSync(whole) ? readFileSync(whole, "utf8") : undefined;
      return [{ id, plan: text === undefined ? plan : (JSON.parse(text) as RunPlan) }];
    });
  } finally {
    journal.close();
  }
}

/** Tests of what happens to a broken journal leave one behind. */
function isDatabase(file: string): boolean {
  if (!existsSync(file)) return false;
  return readFileSync(file).subarray(0, 15).toString("latin1") === "SQLite format 3";
}

interface FirstEvent {
  readonly input?: { readonly pinned?: { readonly plan: RunPlan; readonly inPlace?: boolean } };
}

const hasBranch = (here: Place, branch: string): boolean =>
  inside(here, here.path, ["git", "show-ref", "--verify", "-q", `refs/heads/${branch}`]).status ===
  0;

/** As the run itself lays it: what named the checkout names the clone. */
function carry(here: Place, run: string, plan: RunPlan, clone: string): void {
  if (plan.carry.length === 0) return;
  const program = join(import.meta.dirname, "lay-carried.ts");
  const workspace = join(here.home, "runs", run, "workspace");
  const argv = [process.execPath, program, workspace, clone, JSON.stringify(plan.carry)];
  must(here, here.path, argv);
}

function must(here: Place, cwd: string, argv: readonly string[], claim?: string): void {
  const { status, signal, stdout, stderr } = inside(here, cwd, argv);
  const said = `${stdout}${stderr}`.slice(-2000);
  const what = `${argv.at(-1) ?? ""} ends with ${String(status ?? signal)} in a fresh clone`;
  assert.equal(status, 0, `${claim === undefined ? "" : `${claim}, but `}${what}:\n${said}`);
}

function inside({ env }: Place, cwd: string, [program = "", ...args]: readonly string[]) {
  // A check that is `node --test` passes whatever it finds where a test runner's own variable stands.
  const { NODE_TEST_CONTEXT: _, ...around } = process.env;
  return spawnSync(program, args, {
    cwd,
    env: { ...around, NODE_OPTIONS: "", ...env, CI: "1" },
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
}
