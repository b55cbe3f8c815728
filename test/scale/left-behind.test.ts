// proves: U24
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { orphansOf } from "../end-to-end/run/runs.ts";
import { until } from "./fleet.ts";
import { WITHOUT_RESTATE } from "./server.ts";

/** Processes whose command line or environment names this folder. */
function processesOf(folder: string): readonly string[] {
  const textOf = (pid: string): string => {
    try {
      return ["cmdline", "environ"]
        .map((file) => readFileSync(`/proc/${pid}/${file}`, "latin1"))
        .join("\0");
    } catch {
      return "";
    }
  };
  const others = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid));
  return others.filter((pid) => pid !== String(process.pid) && textOf(pid).includes(folder));
}

test(
  "U24: a test process that is killed leaves no server, no worker and no agent behind",
  { skip: WITHOUT_RESTATE },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "unstuck-left-"));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const program = join(import.meta.dirname, "fleet-program.ts");
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, TMPDIR: folder, NODE_TEST_CONTEXT: undefined },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const gone = once(child, "exit");
    const lines = createInterface({ input: child.stdout });
    const [run] = (await Promise.race([once(lines, "line"), gone])) as [string];
    const there = processesOf(folder).length;
    assert.ok(there >= 6, `a test, two that hold, a server, a worker, its watch: ${there}`);
    assert.ok(orphansOf(run).length > 0, "an agent is at work");
    child.kill("SIGKILL");
    await gone;
    const killedAt = performance.now();
    await until(
      () => processesOf(folder).length === 0 && orphansOf(run).length === 0,
      () => `left behind: ${processesOf(folder).join(" ")} ${orphansOf(run).join(" ")}`,
    );
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1);
    console.log(`of ${there} processes none was left after ${seconds} s`);
  },
);
