/**
 * What a run was started with: its plan, and where it works. Never read again from a file an agent can write (U13). The
 * plan is a file in the run's folder that only the user can read, because it may contain secrets and a resume runs the
 * same commands; the run's first event contains it without secrets, and the hash of the file. Until that event is
 * recorded, another file says what is to be started, so that a run killed while its clone was made can be resumed.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseFields } from "../../agents/output/json.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { Engine } from "../../runtime/ports.ts";
import type { SharedRules } from "../../workspace/replica/open-replica.ts";
import { notNow } from "../operation.ts";
import { sha256, textIfThere } from "../text.ts";

export interface StartedWith {
  readonly plan: RunPlan;
  /** The workspace's folder. */
  readonly workspace: string;
  /** Agents work in the user's own checkout. */
  readonly inPlace?: boolean;
  /** The person who asked for it; absent in runs of earlier versions. */
  readonly startedBy?: string;
  /** For a run of a fleet: the rules by which commits are made on every machine. */
  readonly rules?: SharedRules;
}

/** In the form of the first event. */
interface RecordedStart extends StartedWith {
  /** The hash of the plan's file; absent in runs without one. */
  readonly planSha256?: string;
}

const PLAN_FILE = "plan.json";
const START_FILE = "start.json";

/** For reading only: the plan without secrets. */
export async function startedWith(
  journal: Pick<Engine, "read">,
  run: string,
): Promise<RecordedStart> {
  const [first] = await journal.read(run, 1, 1);
  const started = startedIn(first?.event);
  if (started === undefined) throw notNow(run, `run ${run} was never started: see unstuck status`);
  return started;
}

/** From the run's first event; undefined for imported history. */
export function startedIn(first: RunEvent | undefined): RecordedStart | undefined {
  const input = first?.kind === "received" ? first.input : undefined;
  if (input?.kind !== "run-started" || input.pinned === undefined) return undefined;
  const started = input.pinned as RecordedStart;
  return { ...started, plan: completed(started.plan) };
}

/** Fills in what plans of 0.1.0 lack. */
function completed(plan: RunPlan): RunPlan {
  const subtasks = Object.entries(plan.subtasks).map(
    ([id, subtask]) => [id, { ...subtask, tests: subtask.tests ?? "judge" }] as const,
  );
  return {
    ...{ setupInputs: [], finalCheck: "cold" as const },
    ...plan,
    subtasks: Object.fromEntries(subtasks),
  };
}

/** For carrying out: exactly what the run was started with. */
export async function wholeStart(
  journal: JournalReader,
  run: string,
  runDir: string,
): Promise<StartedWith> {
  const { planSha256, ...recorded } = await startedWith(journal, run);
  if (planSha256 === undefined) return recorded;
  const text = textIfThere(join(runDir, PLAN_FILE));
  if (text === undefined || sha256(text) !== planSha256)
    throw notNow(
      run,
      `run ${run} cannot go on: ${PLAN_FILE} in its folder ${text === undefined ? "is gone" : "was changed"}. ` +
        `What it did is kept: see unstuck diff ${run}, and start over with unstuck run --history ${run}`,
    );
  return { ...recorded, plan: JSON.parse(text) as RunPlan };
}

/** Stores the plan, and returns what the first event should contain. */
export function keepPlan(
  runDir: string,
  start: StartedWith,
  redact: (text: string) => string,
): RecordedStart {
  const text = JSON.stringify(start.plan);
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const file = join(runDir, PLAN_FILE);
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return { ...start, plan: redactDeep(start.plan, redact), planSha256: sha256(text) };
}

/** A requested start, before anything of it exists. */
export interface AskedStart {
  readonly repository: string;
  readonly plan: RunPlan;
  readonly withChanges: boolean;
  readonly inPlace: boolean;
}

export function keepAskedStart(runDir: string, asked: AskedStart): void {
  mkdirSync(runDir, { recursive: true });
  writeFileSync(join(runDir, START_FILE), JSON.stringify(asked), { mode: 0o600, flush: true });
}

/** Undefined if the run never got that far, or has begun. */
export function askedStart(runDir: string): AskedStart | undefined {
  return parseFields(textIfThere(join(runDir, START_FILE)) ?? "") as AskedStart | undefined;
}

export const forgetAskedStart = (runDir: string): void =>
  rmSync(join(runDir, START_FILE), { force: true });
