// proves: U7
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pause } from "../run/runs.ts";
import { newPlace, otherUser, RUN } from "./place.ts";
import { assertSnapshot } from "./snapshot.ts";

const LINUX = process.platform === "linux" ? false : "the numbers are those of Linux";

/** The others with UNSTUCK_FULL=1: each is a whole run. */
const SOME_HANDLES = [24, 32];
const ALL_HANDLES = [22, 24, 26, 28, 30, 32, 34, 36];
const SOME_PROCESSES = [12];
const ALL_PROCESSES = [10, 11, 12, 13, 14];

test("V19: few file handles are one line and an exit code", { skip: LINUX }, async () => {
  const place = newPlace();
  for (const handles of process.env["UNSTUCK_FULL"] === "1" ? ALL_HANDLES : SOME_HANDLES) {
    const { code, err } = await place.shell(`ulimit -n ${handles}; exec ${RUN}`);
    assert.ok([0, 1, 3].includes(code ?? -1), `${handles}: exit ${code} ${err}`);
    assert.doesNotMatch(err, /a bug in Unstuck|\n {4}at /, String(handles));
  }
  const said = [await place.shell(`ulimit -n 28; exec ${RUN}`)];
  assertSnapshot("few-handles", said, place.masks);
});

const other = process.getuid?.() === 0 ? otherUser() : undefined;
const ROOT =
  other === undefined
    ? "the limit of processes binds another user, and only root can be one"
    : LINUX;

test(
  "V34: few processes: a guard that cannot start is given up, and none outlives its owner",
  { skip: ROOT },
  async () => {
    const place = newPlace();
    assert.ok(other !== undefined);
    spawnSync("chown", ["-R", `${other.uid}:${other.uid}`, place.folder]);
    const processes = (): string[] =>
      spawnSync("ps", ["-u", String(other.uid), "-o", "stat=,args="], { encoding: "utf8" })
        .stdout.split("\n")
        .filter((line) => line !== "");
    // What has ended and is not buried yet is gone, but counts towards the limit of the next.
    const left = (): string[] => processes().filter((line) => !line.startsWith("Z"));
    const withProcesses = async (count: number) => {
      for (let look = 0; look < 3000 && processes().length > 0; look += 1) await pause(100);
      return place.shell(RUN, { as: ["prlimit", `--nproc=${count}:`, ...other.as] });
    };
    for (const count of process.env["UNSTUCK_FULL"] === "1" ? ALL_PROCESSES : SOME_PROCESSES) {
      const started = performance.now();
      const { code, out, err } = await withProcesses(count);
      assert.ok(performance.now() - started < 300_000, `${count} took too long`);
      assert.ok([1, 3].includes(code ?? -1), `${count}: exit ${code} ${out}${err}`);
      assert.match(out + err, /too few processes/, String(count));
      assert.deepEqual(left(), [], `${count} left processes`);
    }
    // Where a git has ended and is not buried yet, the next git finds no place, and not the guard: then once more.
    let eleven = await withProcesses(11);
    for (let more = 0; more < 9 && !eleven.out.includes("its guard process"); more += 1)
      eleven = await withProcesses(11);
    assertSnapshot("few-processes", [await withProcesses(10), eleven], place.masks);
  },
);
