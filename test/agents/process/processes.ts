// Shared by the process tests: starts commands under a guard with short graces, and looks for
// what is left.
import { redactionOf } from "../../../src/core/redact/redaction.ts";
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after } from "node:test";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import type { ProcessIdentity } from "../../../src/runtime/agent-result.ts";
import { placeOf, userEnvironment } from "./surroundings.ts";
import { environmentOf } from "../../../src/agents/process/environment.ts";
import { readProcesses } from "../../../src/agents/process/process-table.ts";
import { startGuarded } from "../../../src/agents/process/spawn.ts";
import type {
  GuardedProcess,
  GuardedRequest,
} from "../../../src/agents/process/guarded-process.ts";
import { watchProcess } from "../../../src/agents/process/watchdog.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-test-"));
  folders.push(folder);
  return folder;
}

let count = 0;
export const newAttemptId = (): string => `test-${process.pid}-${(count += 1)}/subtask/1`;

export function agentRequest(more: Partial<AgentRequest> = {}): AgentRequest {
  return {
    place: placeOf(newAttemptId()),
    prompt: "do it",
    cwd: newFolder(),
    folder: newFolder(),
    env: userEnvironment(),
    limits: {},
    ...more,
  };
}

export interface Started {
  readonly guarded: GuardedProcess;
  readonly watched: ReturnType<typeof watchProcess>;
  readonly identity: ProcessIdentity;
  readonly cwd: string;
}

/** `sh -c script` under a guard, not yet released. */
export async function prepare(
  script: string,
  {
    request = {},
    watch = {},
  }: {
    request?: Partial<GuardedRequest>;
    watch?: Partial<Parameters<typeof watchProcess>[1]>;
  } = {},
): Promise<Started> {
  const attemptId = request.attemptId ?? newAttemptId();
  const cwd = newFolder();
  const started = await startGuarded({
    redaction: redactionOf([]),
    attemptId,
    argv: ["sh", "-c", script],
    cwd,
    env: environmentOf(placeOf(attemptId), userEnvironment()),
    window: { headBytes: 2000, tailBytes: 4000 },
    graceMs: 300,
    ...request,
  });
  assert.ok(started.ok, started.ok ? "" : started.problem);
  const limits = { graceMs: [3000, 1000, 5000] as const };
  const watched = watchProcess(started.process, { limits, ...watch });
  return { guarded: started.process, watched, identity: started.process.identity, cwd };
}

/** Long enough for a machine that is busy with other things. */
const PATIENCE_MS = 300_000;

export async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !holds(); await sleep(20))
    assert.ok(Date.now() < end, `waited too long until ${what}`);
}

export const contentOf = (path: string): string =>
  existsSync(path) ? readFileSync(path, "utf8") : "";

export const markedPids = (attemptId: string): readonly number[] =>
  readProcesses(attemptId)
    .filter((row) => row.marked && !row.ended)
    .map((row) => row.pid);

export const isAlive = (pid: number): boolean =>
  readProcesses("").some((row) => row.pid === pid && !row.ended);

export const assertNothingLeft = (attemptId: string): void =>
  assert.deepEqual(markedPids(attemptId), []);
