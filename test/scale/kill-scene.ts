/**
 * One run of a fleet that something dies in, and what must hold of it: two subtasks side by side, the first of which fails
 * once, and one that needs both. Whatever dies, the run ends as the one that nothing disturbed: same tree, same decisions
 * but for those about losses, no attempt twice, no process left.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assertNothingTwice, decisionsOf, type Result } from "../end-to-end/run/killed-run.ts";
import { orphansOf } from "../end-to-end/run/runs.ts";
import { lostIn, newFleet, until, type Fleet, type Worker } from "./fleet.ts";

/** For every kill. */
const FAILOVER_MS = 10_000;

const startsFile = (fleet: Fleet): string => join(fleet.folder, "starts");

export interface SceneOptions {
  /** What agents do before their work, as a part of a shell command without quotes. */
  readonly work?: string;
  /** What every check does first. */
  readonly checking?: string;
  readonly more?: readonly string[];
}

export function scenePlan(fleet: Fleet, { work = ":", checking = ":", more = [] }: SceneOptions) {
  const agent = [
    `echo "$UNSTUCK_ATTEMPT" >> ${startsFile(fleet)}`,
    // It leaves its group and its session, and would stay for long.
    `(setsid sleep 900 &)`,
    work,
    `case "$UNSTUCK_SUBTASK $1" in *"PREVIOUS ATTEMPTS"*|s2*|s3*) echo good > "$UNSTUCK_SUBTASK.txt";; *) echo "bad $UNSTUCK_ATTEMPT" > s1.txt;; esac`,
    `echo "<approach>the way to $UNSTUCK_SUBTASK</approach> done"`,
  ].join("; ");
  const subtask = (id: string, after: string): string =>
    `  - { id: ${id}, prompt: do ${id}, ${after}checks: [${JSON.stringify(`${checking}; grep -q good ${id}.txt`)}] }`;
  return [
    ...["goal: write the files", "policy: standard", "concurrency: 2", "grounding: false"],
    ...["agents:", "  writer:", `    command: ${JSON.stringify(`sh -c '${agent}' sh {prompt}`)}`],
    ...["models: [{ agent: writer, tier: 1 }]", ...more, "subtasks:"],
    ...[subtask("s1", ""), subtask("s2", ""), subtask("s3", "dependsOn: [s1, s2], "), ""],
  ].join("\n");
}

export async function resultOf(fleet: Fleet, run: string): Promise<Result> {
  const tree = fleet.git("rev-parse", `unstuck/${run}^{tree}`).trim();
  return { tree, decisions: decisionsOf(await recorded(fleet, run)) };
}

const recorded = async (fleet: Fleet, run: string): Promise<Parameters<typeof decisionsOf>[0]> =>
  (await fleet.events(run)).map((event) => ({ event }) as never);

let undisturbed: Promise<Result> | undefined;

/** What comes of the run that nothing disturbs; played once for each file of tests. */
export const expected = (): Promise<Result> => (undisturbed ??= playedAlone());

async function playedAlone(): Promise<Result> {
  const fleet = await newFleet();
  await fleet.worker("w1", ["--slots", "2"]);
  const run = await fleet.submit(scenePlan(fleet, {}));
  assert.deepEqual(await fleet.ended(run), { kind: "verified" });
  const result = await resultOf(fleet, run);
  assert.equal(lostIn(await fleet.events(run)).length, 0);
  assert.ok(Object.values(result.decisions).flat().length > 3, "it decided something");
  return result;
}

/** `lost`: how many attempts are recorded as lost. */
export async function assertUnharmed(fleet: Fleet, run: string, lost: number): Promise<void> {
  assert.deepEqual(await fleet.ended(run), { kind: "verified" });
  assert.deepEqual(await resultOf(fleet, run), await expected());
  const starts = existsSync(startsFile(fleet)) ? readFileSync(startsFile(fleet), "utf8") : "";
  assertNothingTwice(run, await recorded(fleet, run), starts);
  assert.deepEqual(orphansOf(run), [], "no agent is left");
  assert.equal(lostIn(await fleet.events(run)).length, lost, "losses are recorded");
}

/** Agents wait for this file before they work. */
export const goFile = (fleet: Fleet): string => join(fleet.folder, "go");

export const waitForGo = (fleet: Fleet): string =>
  `until [ -e ${goFile(fleet)} ]; do sleep 0.1; done`;

export function seconds(what: string, took: number): void {
  console.log(`${what} after ${(took / 1000).toFixed(1)} s`);
  assert.ok(took < FAILOVER_MS, `${what} after ${Math.round(took)} ms`);
}

/** From now on this worker decides for all: the engine asks the one that registered last. */
export async function decides(fleet: Fleet, worker: Worker): Promise<void> {
  const [, uri = ""] = /joined the fleet at (\S+),/.exec(worker.log()) ?? [];
  const response = await fetch(`${fleet.server.adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri, force: true }),
  });
  assert.ok(response.ok, await response.text());
}

/** Ids of the commands that a worker has begun and not ended. */
export function inHandOf(worker: Worker): readonly string[] {
  const ids = (word: string): readonly string[] =>
    [...worker.log().matchAll(new RegExp(`^(\\S+) ${word}$`, "gm"))].map(([, id = ""]) => id);
  const ended = new Set(ids("ended"));
  return ids("began").filter((id) => !ended.has(id));
}

/** Waits until somebody else begins what the dead worker had in hand; says how long that took. */
export async function failover(what: string, dead: Worker, others: readonly Worker[]) {
  const began = performance.now();
  const open = inHandOf(dead);
  assert.ok(open.length > 0, `${dead.name} had nothing in hand:\n${dead.log()}`);
  const isTaken = (): boolean =>
    open.some((id) => others.some((one) => one.log().includes(`${id} began`)));
  await until(isTaken, () => others.map((one) => one.log()).join("\n"));
  seconds(`${what}: the run went on`, performance.now() - began);
}
