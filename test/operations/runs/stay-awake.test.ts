// proves: P10
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { untilSo } from "../../end-to-end/run/runs.ts";

const folder = mkdtempSync(join(tmpdir(), "unstuck-awake-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const log = join(folder, "log");
mkdirSync(join(folder, "unstuck"));
const module = join(import.meta.dirname, "../../../src/operations/runs/stay-awake.ts");

const SAID = "keeping this machine awake while it runs\n";

/** A program that writes down that it was started, and with what. */
const program = (name: string, then: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$$ $*" >> ${log}\n${then}\n`, {
    mode: 0o755,
  });

/** Whether the machine was held awake by a process that then does this, and how that process ended. */
function held(platform: string, then: string, path = `${folder}:/usr/bin:/bin`, config = "") {
  writeFileSync(join(folder, "unstuck", "config.yaml"), config);
  rmSync(log, { force: true });
  const script =
    `import { existsSync } from "node:fs";` +
    `import { stayAwake } from ${JSON.stringify(module)};` +
    `const awake = stayAwake((words) => { console.log(words); ${then} }, ${JSON.stringify(platform)});` +
    // What is let go of would not keep this process.
    `setTimeout(() => process.exit(7), 300_000);` +
    `if (process.env["LOST"]) setTimeout(() => process.exit(0), 500);`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { PATH: path, XDG_CONFIG_HOME: folder, ...(then === "" ? { LOST: "1" } : {}) },
  });
}

const isGone = (pid: string): boolean => !existsSync(join("/proc", pid));
const started = (): readonly [pid: string, args: string] => {
  const [, pid = "", args = ""] = /^(\d+) (.*)/.exec(readFileSync(log, "utf8")) ?? [];
  return [pid, args];
};
const skip = existsSync("/proc/self") ? false : "there is no /proc here";

for (const [how, then] of [
  ["ends", "awake(); process.exit(0)"],
  ["is killed", "process.kill(process.pid, 'SIGKILL')"],
] as const)
  test(
    `Linux: systemd-inhibit holds idle and sleep, and is gone when the run ${how}`,
    { skip },
    async () => {
      program("systemd-inhibit", `while [ "\${1#--}" != "$1" ]; do shift; done; exec "$@"`);
      assert.equal(held("linux", then).stdout, SAID);
      const [pid, args] = started();
      assert.equal(args, "--what=idle:sleep --who=unstuck --why=a run is working --mode=block cat");
      await untilSo(
        () => isGone(pid),
        () => `${pid} is still there`,
      );
    },
  );

test("macOS: caffeinate watches this process", { skip }, async () => {
  program("caffeinate", "exec sleep 60");
  const { stdout, pid: owner } = held(
    "darwin",
    `setInterval(() => { if (existsSync("${log}")) { awake(); process.exit(0) } }, 20)`,
  );
  assert.equal(stdout, SAID);
  const [pid, args] = started();
  assert.equal(args, `-i -w ${owner}`);
  await untilSo(
    () => isGone(pid),
    () => `${pid} is still there`,
  );
});

for (const [how, platform, script] of [
  ["there is no login manager", "linux", "echo 'Failed to connect to bus' >&2; exit 1"],
  ["there is no such program", "linux", undefined],
  ["the system is another one", "win32", undefined],
] as const)
  test(`where ${how}, nothing is said and nothing fails`, () => {
    rmSync(join(folder, "systemd-inhibit"), { force: true });
    if (script !== undefined) program("systemd-inhibit", script);
    const { stdout, stderr, status } = held(platform, "", folder);
    assert.deepEqual({ stdout, stderr, status }, { stdout: "", stderr: "", status: 0 });
  });

test("keepAwake: false in the user's settings starts nothing", () => {
  program("systemd-inhibit", `while [ "\${1#--}" != "$1" ]; do shift; done; exec "$@"`);
  const { stdout, stderr, status } = held("linux", "", undefined, "keepAwake: false\n");
  assert.deepEqual({ stdout, stderr, status }, { stdout: "", stderr: "", status: 0 });
  assert.ok(!existsSync(log));
});
