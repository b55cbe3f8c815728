/**
 * What the tests of whole runs share: a plan file, an owner in the background, waiting for events,
 * what came of it.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { phases } from "../../../src/core/run/view.ts";
import type { Repository } from "./repository.ts";

/**
 * Writes a plan outside the repository; subtasks are given as YAML flow maps without their braces.
 */
export function planFile(
  here: Repository,
  agent: string,
  subtasks: readonly string[],
  more: readonly string[] = ["grounding: false"],
): string {
  const file = join(here.path, "..", "plan.yaml");
  const lines = subtasks.map((subtask) => `  - { ${subtask} }`);
  const plan = [`agent: ${JSON.stringify(agent)}`, ...more, "subtasks:", ...lines];
  writeFileSync(file, `${plan.join("\n")}\n`);
  return file;
}

export interface Owner {
  readonly child: ChildProcess;
  /** Its exit code; null when it was killed. */
  readonly ended: Promise<number | null>;
  readonly kill: () => Promise<void>;
}

export function owner(child: ChildProcess): Owner {
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { child, ended, kill };
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

type Events = ReturnType<Repository["events"]>;

/** How long a test waits for what has to come: long enough for a machine that is busy with other things. */
const PATIENCE_MS = 300_000;

/** Waits until the run's events are as asked. */
export async function until(here: Repository, isSo: (events: Events) => boolean): Promise<void> {
  await untilSo(
    () => isSo(here.events()),
    () => `it never came: ${JSON.stringify(here.events().at(-1))}`,
  );
}

/** Waits until something is so, whatever the machine's speed. */
export async function untilSo(isSo: () => boolean, otherwise: () => string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isSo(); await pause(50))
    if (Date.now() > end) assert.fail(otherwise());
}

export const inputsOf = (
  events: Events,
  kind: string,
): readonly Readonly<Record<string, unknown>>[] =>
  events
    .map(({ event }) => event["input"] as Readonly<Record<string, unknown>> | undefined)
    .filter((input) => input !== undefined)
    .filter((input) => input["kind"] === kind);

export const eventsOf = (
  events: Events,
  kind: string,
): readonly Readonly<Record<string, unknown>>[] =>
  events.map(({ event }) => event).filter((event) => event.kind === kind);

export const isStarted = (events: Events): boolean =>
  inputsOf(events, "attempt-started").length > 0;

/** Kinds of failures in order, as `subtask kind`. */
export const failuresOf = (events: Events): string[] =>
  eventsOf(events, "failure-classified").map(
    (event) => `${String(event["subtask"])} ${(event["failure"] as { kind: string }).kind}`,
  );

/** Kinds of recoveries in order, of all subtasks. */
export const recoveriesOf = (events: Events): string[] =>
  eventsOf(events, "recovery-chosen").map((event) =>
    (event["recoveries"] as { kind: string }[]).map(({ kind }) => kind).join("+"),
  );

/** The published branch of the newest run. */
export function branchOf(here: Repository): string {
  const [run = ""] = here.runs();
  return `unstuck/${run}`;
}

/** As `status` would show them, from what is recorded of the newest run. */
export function phasesOf(here: Repository): Record<string, string> {
  const events = here.events().map(({ event }) => event as unknown as RunEvent);
  const state = foldAll(NEW_RUN, events);
  const shown = phases(state);
  return Object.fromEntries(state.plan.subtasks.map(({ id }, index) => [id, shown[index] ?? ""]));
}

/** Ids of processes that carry the mark of an attempt of this run. */
export function orphansOf(run: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`UNSTUCK_ATTEMPT=${run}/`);
    } catch {
      return false;
    }
  });
}
