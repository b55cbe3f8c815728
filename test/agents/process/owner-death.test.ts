// proves: U7
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { identify, proveDead } from "../../../src/agents/process/proof-of-death.ts";
import { readProcesses } from "../../../src/agents/process/process-table.ts";
import type { ProcessIdentity } from "../../../src/runtime/agent-result.ts";
import {
  assertNothingLeft,
  contentOf,
  isAlive,
  markedPids,
  newAttemptId,
  newFolder,
  prepare,
  until,
} from "./processes.ts";

interface Owned {
  readonly owner: ChildProcess;
  readonly identity: ProcessIdentity;
  readonly written: () => string;
}

/** An owner process with a working attempt: agent and child both write. */
async function startOwner(): Promise<Owned> {
  const cwd = newFolder();
  const args = [join(import.meta.dirname, "owner-program.ts"), newAttemptId(), cwd, newFolder()];
  const owner = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(owner.stdout), "line")) as [string];
  const parts = ["agent", "child"].map((name) => () => contentOf(join(cwd, name)));
  await until("agent and child write", () => parts.every((read) => read() !== ""));
  const identity = JSON.parse(line) as ProcessIdentity;
  return { owner, identity, written: () => parts.map((read) => read()).join("|") };
}

async function assertSilent(written: () => string): Promise<void> {
  const before = written();
  await new Promise((resolve) => setTimeout(resolve, 250));
  assert.equal(written(), before);
}

test("an owner killed with -9: its guard leaves no orphan, inside or outside the group", async () => {
  const { owner, identity, written } = await startOwner();
  assert.ok(markedPids(identity.attemptId).length >= 3);
  owner.kill("SIGKILL");
  await until("the guard has cleaned up", () => markedPids(identity.attemptId).length === 0);
  await assertSilent(written);
  const proof = await proveDead(identity, { graceMs: 100 });
  assert.deepEqual(proof, { dead: true, because: "none-found", found: 0, survivors: [] });
});

test("owner and guard killed with -9: the proof of death ends what is left", async () => {
  const { owner, identity, written } = await startOwner();
  process.kill(identity.groupId, "SIGKILL");
  owner.kill("SIGKILL");
  await until("both are gone", () => !isAlive(identity.groupId) && owner.signalCode !== null);
  assert.ok(markedPids(identity.attemptId).length >= 2, "the agent lives on");
  const proof = await proveDead(identity, { graceMs: 200 });
  assert.deepEqual([proof.dead, proof.because, proof.survivors], [true, "ended", []]);
  assert.ok(proof.found >= 2);
  assertNothingLeft(identity.attemptId);
  await assertSilent(written);
});

test("the pipe closed before release: nothing of the agent ever started", async () => {
  const { guarded, watched, identity, cwd } = await prepare("touch started");
  guarded.cancel();
  await watched.result;
  assert.equal(contentOf(join(cwd, "started")), "");
  assert.ok(!isAlive(identity.groupId));
});

test("a guard killed under a living owner: the attempt is lost, and ended", async () => {
  const { guarded, watched, identity } = await prepare("echo up; while :; do sleep 0.05; done");
  watched.release();
  await until("the agent is up", () => guarded.outputBytes() > 0);
  process.kill(identity.groupId, "SIGKILL");
  const { end, survivors } = await watched.result;
  assert.deepEqual(end, { kind: "guard-lost" });
  assert.deepEqual(survivors, []);
  assertNothingLeft(identity.attemptId);
});

test("a reused number is not killed: start time and boot id decide", async () => {
  const stranger = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  const identity = identify(stranger.pid ?? 0, newAttemptId());
  assert.ok(identity !== undefined);
  try {
    const options = { graceMs: 2000 };
    const reused = await proveDead({ ...identity, startTime: "1" }, options);
    assert.deepEqual([reused.dead, reused.because], [true, "none-found"]);
    const rebooted = await proveDead({ ...identity, bootId: "another" }, options);
    assert.deepEqual([rebooted.dead, rebooted.because], [true, "other-boot"]);
    const unmarked = await proveDead({ attemptId: identity.attemptId }, options);
    assert.equal(unmarked.dead, true);
    assert.ok(isAlive(identity.groupId));
    const same = await proveDead(identity, options);
    assert.deepEqual([same.dead, same.because, same.found], [true, "ended", 1]);
    assert.ok(!isAlive(identity.groupId));
  } finally {
    stranger.kill("SIGKILL");
  }
});

test("without leader and mark a process is named but not killed, and death is not claimed", async () => {
  const program = "env -i sleep 60 & echo $! >child; echo up; exec sleep 60";
  const { guarded, identity, cwd } = await prepare(program);
  guarded.release();
  await until("the agent is up", () => guarded.outputBytes() > 0);
  const unmarked = Number(contentOf(join(cwd, "child")));
  const inGroup = () =>
    readProcesses(identity.attemptId).filter(
      (row) => row.group === identity.groupId && row.pid !== identity.groupId && !row.ended,
    );
  // On its way into another program a process shows no environment for a moment, so names decide first.
  await until("only its child is unmarked", () => {
    const names = inGroup().map((row) => row.name);
    const asleep = names.length === 2 && names.every((name) => name === "sleep");
    return asleep && markedPids(identity.attemptId).length === 2;
  });
  const marked = markedPids(identity.attemptId);
  assert.ok(marked.includes(identity.groupId) && !marked.includes(unmarked));
  for (const pid of marked) process.kill(pid, "SIGKILL");
  try {
    await until(
      "only the unmarked one lives",
      () => inGroup().length === 1 && !isAlive(identity.groupId),
    );
    const { survivors } = await guarded.ended;
    assert.deepEqual(survivors, [{ pid: unmarked, name: "sleep", why: "not-proven-ours" }]);
    assert.ok(isAlive(unmarked));
    assert.equal((await proveDead(identity, { graceMs: 0 })).dead, false);
  } finally {
    process.kill(unmarked, "SIGKILL");
  }
  await until("it is gone", () => !isAlive(unmarked));
  assert.equal((await proveDead(identity, { graceMs: 0 })).dead, true);
});
