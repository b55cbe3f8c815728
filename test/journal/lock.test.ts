// proves: U7
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { appendOf, numbered } from "./appends.ts";
import { newPath, opened } from "./journals.ts";

const HELD_MS = 5000;
const HOLDER = join(import.meta.dirname, "lock-holder.ts");

for (const [name, fileSystemType] of [
  ["WAL", 0xef53],
  ["the safe mode", 0x6969],
] as const)
  test(`a lock held by another process for seconds delays writes, not this process (${name})`, async () => {
    const path = newPath();
    const journal = await opened({ path, fileSystemType: () => fileSystemType });
    const claim = await journal.claim("r", 1);
    const holder = spawn(process.execPath, [HOLDER, path, String(HELD_MS)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(holder, "close");
    let said = "";
    holder.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    await once(holder.stdout, "data");
    assert.equal(said, "locked\n");

    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    const appending = Promise.all([
      journal.append(appendOf(claim, 0, [numbered(1)])),
      journal.post("r", { kind: "cancel-requested", reason: "", at: 1, chance: 0 }),
    ]);
    assert.deepEqual(await journal.read("r", 1, 10), [], "reading goes on");
    const [appended] = await appending;
    const appendedAt = Date.now();
    clearInterval(turning);
    delay.disable();

    assert.deepEqual(appended, { ok: true, seq: 1 });
    await closed;
    const freeAt = Number(said.split("\n")[1]);
    assert.ok(freeAt > 0 && appendedAt >= freeAt, "it waited until the lock was free");
    const longest = delay.max / 1e6;
    console.log(`longest stand-still of the event loop: ${longest.toFixed(0)} ms`);
    assert.ok(longest < HELD_MS / 2, `the event loop stood still for ${longest} ms`);
    assert.ok(turns > 20, `the event loop turned ${turns} times`);
    assert.equal((await journal.posted("r", 0, 10)).length, 1);
  });
