// proves: U7
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { systemProcesses } from "../../src/engines/system.ts";

test("a living process is not dead, whoever asks", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  const { self } = systemProcesses(child.pid);
  assert.equal(self.pid, child.pid);
  assert.ok(self.startTime !== "" && self.bootId !== "");
  const processes = systemProcesses();
  assert.equal(processes.isDead(self), false);
  assert.equal(processes.isDead(processes.self), false);
  assert.deepEqual(systemProcesses().self, processes.self, "the same at all times");

  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  assert.equal(processes.isDead(self), true, "the pid is gone");
});

test("a later process with the same pid, or a new start of the machine, proves death", () => {
  const processes = systemProcesses();
  const { self } = processes;
  assert.equal(processes.isDead({ ...self, startTime: `${self.startTime}0` }), true);
  assert.equal(processes.isDead({ ...self, bootId: "another boot" }), true);
});

test("doubt is not death: what is not known of the owner or of the machine proves nothing", () => {
  const processes = systemProcesses();
  const { self } = processes;
  assert.equal(processes.isDead({ ...self, startTime: "" }), false);
  assert.equal(processes.isDead({ ...self, bootId: "" }), false);
});

test("a process that ended but was never collected is dead", async () => {
  // The shell starts a child, becomes a program that never collects it, and the child ends.
  const script = "sleep 0.05 & echo $!; exec sleep 3600";
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const { self } = systemProcesses(Number(text.toString()));
    const processes = systemProcesses();
    for (const until = Date.now() + 300_000; !processes.isDead(self);) {
      assert.ok(Date.now() < until, "it counts as alive");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    const exited = once(parent, "exit");
    parent.kill("SIGKILL");
    await exited;
  }
});
