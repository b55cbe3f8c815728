// proves: U7
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { redactionOf } from "../../../src/core/redact/redaction.ts";
import { environmentOf } from "../../../src/agents/process/environment.ts";
import { guardSeries, type GuardSeries } from "../../../src/agents/process/guard-series.ts";
import type { GuardedEnd } from "../../../src/agents/process/guarded-process.ts";
import { readProcesses } from "../../../src/agents/process/process-table.ts";
import { FOLDER_GONE } from "../../../src/runtime/agent-result.ts";
import { newAttemptId, newFolder } from "./processes.ts";
import { placeOf, userEnvironment } from "./surroundings.ts";

const opened: GuardSeries[] = [];
after(async () => {
  for (const series of opened) await series.close();
});

function newSeries(cwd = newFolder()) {
  const attemptId = newAttemptId();
  const series = guardSeries({ attemptId, graceMs: 1000 });
  opened.push(series);
  const run = async (script: string, folder = cwd): Promise<GuardedEnd> => {
    const started = await series.start({
      ...{ argv: ["sh", "-c", script], cwd: folder, redaction: redactionOf([]) },
      env: environmentOf(placeOf(attemptId), userEnvironment()),
      window: { headBytes: 1000, tailBytes: 1000 },
    });
    assert.ok(started.ok, JSON.stringify(started));
    started.process.release();
    return started.process.ended;
  };
  const left = () => readProcesses(attemptId).filter((row) => row.marked && !row.ended);
  return { series, run, left, cwd };
}

test("commands in turn share a guard; each has its own output and its own end", async () => {
  const { series, run, left } = newSeries();
  const first = await run("echo $PPID; echo one >&2; exit 3");
  const second = await run("echo $PPID; kill -9 $$");
  const third = await run("echo $PPID");
  assert.match(first.stdout, /^\d+\n$/);
  assert.deepEqual([second.stdout, third.stdout], [first.stdout, first.stdout]);
  assert.deepEqual([first.stderr, second.stderr, third.stderr], ["one\n", "", ""]);
  const ends = [first, second, third].map(({ word }) =>
    word?.say === "ended" ? [word.code, word.signal] : word,
  );
  assert.deepEqual(ends, [
    [3, null],
    [null, "SIGKILL"],
    [0, null],
  ]);
  await series.close();
  assert.deepEqual(left(), []);
});

test("what a command leaves behind is dead before the next one starts, and writes nothing into it", async () => {
  const { run, cwd } = newSeries();
  const loop = "while :; do echo ghost; echo ghost >> ghosts; sleep 0.02; done";
  const first = await run(`setsid sh -c '${loop}' & until test -s ghosts; do sleep 0.02; done`);
  assert.equal(first.word?.say === "ended" && first.word.leftBehind > 0, true);
  const ghosts = readFileSync(join(cwd, "ghosts"), "utf8");
  const second = await run("sleep 0.2; echo second");
  assert.equal(second.stdout, "second\n");
  assert.equal(readFileSync(join(cwd, "ghosts"), "utf8"), ghosts);
});

test("a guard killed from outside: that command is lost with all it started, the next has a new guard", async () => {
  const { run, left } = newSeries();
  const first = await run("kill -9 $PPID; sleep 60");
  assert.equal(first.word, undefined);
  assert.deepEqual(left(), []);
  assert.equal((await run("echo again")).stdout, "again\n");
});

test("a command that cannot start says why, and the next one starts", async () => {
  const { run } = newSeries();
  const { word } = await run("echo never", join(newFolder(), "missing"));
  assert.equal(word?.say === "refused" && word.errno, FOLDER_GONE);
  assert.equal((await run("echo again")).stdout, "again\n");
});

test("an owner that lets go in the middle of a command ends it", async () => {
  const { series, run, left, cwd } = newSeries();
  const running = run("touch began; sleep 60");
  while (!existsSync(join(cwd, "began"))) await sleep(20);
  await series.close();
  await running;
  assert.deepEqual(left(), []);
});
