/**
 * What a run was started with: plan, where it works. Never read again from a file an agent can write (U13). The
 * plan itself is a file in the run's folder that only the user can read, because it may hold secrets and a resume
 * must run the very same commands; the run's first event holds it without secrets, to be looked at, and the hash
 * of the file.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunPlan } from "../core/plan/run-plan.ts";
import { redactDeep } from "../core/redact/redaction.ts";
import type { JournalReader } from "../journal/reader.ts";
import { UsageError } from "./io.ts";

export interface Pinned {
  readonly plan: RunPlan;
  /** The workspace's folder. */
  readonly workspace: string;
  /** Agents work in the user's own checkout. */
  readonly inPlace?: boolean;
}

/** As the first event has it. */
export interface RecordedPin extends Pinned {
  /** Of the plan's file; absent in runs that have no such file. */
  readonly planSha256?: string;
}

const PLAN_FILE = "plan.json";

/** To be looked at. */
export async function pinnedOf(journal: JournalReader, run: string): Promise<RecordedPin> {
  const [first] = await journal.read(run, 1, 1);
  const input = first?.event.kind === "received" ? first.event.input : undefined;
  if (input?.kind !== "run-started" || input.pinned === undefined)
    throw new UsageError(`run ${run} was never started: see unstuck status`);
  const pinned = input.pinned as RecordedPin;
  return { ...pinned, plan: completed(pinned.plan) };
}

/** What plans of 0.1.0 do not name. */
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

/** To be carried out: exactly what the run was started with. */
export async function wholePinOf(
  journal: JournalReader,
  run: string,
  runDir: string,
): Promise<Pinned> {
  const { planSha256, ...recorded } = await pinnedOf(journal, run);
  if (planSha256 === undefined) return recorded;
  const text = textOf(join(runDir, PLAN_FILE));
  if (text === undefined || sha256(text) !== planSha256)
    throw new UsageError(
      `run ${run} cannot go on: ${PLAN_FILE} in its folder ${text === undefined ? "is gone" : "was changed"}. ` +
        `What it did is kept: see unstuck diff ${run}, and start anew with unstuck run --history ${run}`,
    );
  return { ...recorded, plan: JSON.parse(text) as RunPlan };
}

/** Keeps the plan, and says what the first event is to hold. */
export function keepPin(
  runDir: string,
  pinned: Pinned,
  redact: (text: string) => string,
): RecordedPin {
  const text = JSON.stringify(pinned.plan);
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const file = join(runDir, PLAN_FILE);
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return { ...pinned, plan: redactDeep(pinned.plan, redact), planSha256: sha256(text) };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
