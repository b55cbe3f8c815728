// proves: U7
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { parsePs, readProcesses, readPs } from "../../../src/agents/process/process-table.ts";
import { readBootId, startTimeOf } from "../../../src/agents/process/proc-files.ts";
import { newAttemptId, until } from "./processes.ts";

const PS_ENVIRONMENT = process.platform === "darwin" ? undefined : ["axeww"];

test("a process is marked by its exact environment, not by a longer name, value or an argument", async () => {
  const id = newAttemptId();
  const start = (env: Record<string, string>) =>
    spawn("sleep", ["60"], { env: { PATH: process.env["PATH"], ...env }, stdio: "ignore" });
  const ours = start({ B: "1", UNSTUCK_ATTEMPT: id, C: "2" });
  const part = start({ UNSTUCK_ATTEMPT: `${id}:check-1` });
  const others = [
    start({ UNSTUCK_ATTEMPT: `${id}0` }),
    start({ XUNSTUCK_ATTEMPT: id }),
    start({ X: `UNSTUCK_ATTEMPT=${id}` }),
    spawn("sh", ["-c", "read _", `UNSTUCK_ATTEMPT=${id}`], { env: { PATH: "/usr/bin:/bin" } }),
  ];
  try {
    for (const read of [readProcesses, (one: string) => readPs(one, PS_ENVIRONMENT)]) {
      await until("both show", () => read(id).filter((row) => row.marked).length >= 2);
      const marked = read(id)
        .filter((row) => row.marked)
        .sort((a, b) => Number(a.pid === part.pid) - Number(b.pid === part.pid));
      assert.deepEqual(
        marked.map(({ pid, parent }) => ({ pid, parent })),
        [ours, part].map(({ pid }) => ({ pid, parent: process.pid })),
      );
    }
  } finally {
    for (const child of [ours, part, ...others]) child.kill("SIGKILL");
  }
});

test("this process has a row, the same start time each time, and CPU time", () => {
  const row = readProcesses("none").find(({ pid }) => pid === process.pid);
  assert.ok(row !== undefined);
  assert.equal(row.parent, process.ppid);
  assert.equal(row.startTime, startTimeOf(process.pid));
  assert.ok(row.cpuMs > 0 && row.cpuMs < 3_600_000);
  assert.equal(startTimeOf(2 ** 22 + 5), undefined);
  assert.match(readBootId(), /^[0-9a-f-]{36}$/i);
});

test("ps output of macOS is read", () => {
  const rows = [
    "    1     0     1 ??       Ss     2:03.45 Sun Nov 15 04:28:00 2026     /sbin/launchd",
    "  812   811   812 ttys001  S+     0:00.07 Sun Nov 15 05:01:09 2026     sh -c sleep 9",
    "  813   812   812 ttys001  Z      0:00.00 Sun Nov 15 05:01:10 2026     (true)",
    "  900     1   900 ??       S   1-02:00:00 Sun Nov 15 05:01:11 2026     grep UNSTUCK_ATTEMPT=r/s/1 log",
    "",
  ].join("\n");
  const environment = [
    "    1 /sbin/launchd",
    "  812 sh -c sleep 9 HOME=/Users/a UNSTUCK_ATTEMPT=r/s/1 TERM=x",
    "  900 grep UNSTUCK_ATTEMPT=r/s/1 log HOME=/Users/a",
  ].join("\n");
  const read = parsePs(rows, environment, "r/s/1");
  assert.deepEqual(
    read.map(({ pid, parent, group, terminal, cpuMs, ended, marked }) => [
      pid,
      parent,
      group,
      terminal,
      cpuMs,
      ended,
      marked,
    ]),
    [
      [1, 0, 1, false, 123_450, false, false],
      [812, 811, 812, true, 70, false, true],
      [813, 812, 812, true, 0, true, false],
      [900, 1, 900, false, 93_600_000, false, false],
    ],
  );
  assert.equal(read[1]?.startTime, "Sun Nov 15 05:01:09 2026");
});
