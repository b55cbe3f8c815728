// proves: U7
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { readUnmarked } from "../../../src/agents/process/process-table.ts";
import { watchStart } from "../../../src/agents/process/guarded-process.ts";
import { until } from "./processes.ts";

test("V34: a guard that hangs before its first word is killed at the limit, and why is told", async () => {
  const guard = spawn("sleep", ["60"], { stdio: "ignore" });
  const start = watchStart(guard, 100);
  await once(guard, "exit");
  assert.equal(guard.signalCode, "SIGKILL");
  assert.match(start.problem() ?? "", /did not start in 0.1 s: too few processes/);
});

test("V34: a guard that ends before its first word is a problem, unless it left in order", async () => {
  const broken = spawn("sh", ["-c", "exit 9"], { stdio: "ignore" });
  const brokenStart = watchStart(broken);
  const cancelled = spawn("true", { stdio: "ignore" });
  const cancelledStart = watchStart(cancelled);
  await Promise.all([once(broken, "exit"), once(cancelled, "exit")]);
  assert.match(brokenStart.problem() ?? "", /ended while it started \(exit code 9\)/);
  assert.equal(cancelledStart.problem(), undefined);
});

test("V34: a guard that is up is left alone, and its end is not its start's problem", async () => {
  const guard = spawn("sleep", ["60"], { stdio: "ignore" });
  const start = watchStart(guard, 50);
  start.up();
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(guard.signalCode, null);
  guard.kill("SIGKILL");
  await once(guard, "exit");
  assert.equal(start.problem(), undefined);
});

test("V34: a guard that is not up when its owner exits is killed with it", async () => {
  const program = `
    import { spawn } from "node:child_process";
    import { watchStart } from ${JSON.stringify(new URL("../../../src/agents/process/spawn.ts", import.meta.url).href)};
    const guard = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    watchStart(guard);
    process.stdout.write(String(guard.pid));
    process.exit(0);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", program]);
  let pid = "";
  owner.stdout.on("data", (chunk: Buffer) => (pid += chunk.toString()));
  await once(owner, "close");
  await until("the guard is gone", () => !isThere(Number(pid)));
});

/** One that nobody has collected yet is dead all the same. */
const isThere = (pid: number): boolean =>
  readUnmarked().some((row) => row.pid === pid && !row.ended);
