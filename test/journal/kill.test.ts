// proves: U7
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { numbered } from "./appends.ts";
import { newPath, opened, rowsOf } from "./journals.ts";

const WRITER = join(import.meta.dirname, "writer-program.ts");

test("kill -9 while appending: all that was acknowledged is there, nothing is half-written", async () => {
  const path = newPath();
  const acknowledged = new Map<string, number>();
  for (const milliseconds of [20, 60, 110]) {
    const writer = spawn(process.execPath, [WRITER, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(writer, "exit");
    let said = "";
    writer.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    await once(writer.stdout, "data");
    await sleep(milliseconds);
    writer.kill("SIGKILL");
    const [, signal] = (await exited) as [number | null, string | null];
    assert.equal(signal, "SIGKILL");
    for (const line of said.split("\n").slice(0, -1)) {
      const [run = "", seq] = line.split(" ");
      acknowledged.set(run, Number(seq));
    }

    const journal = await opened({ path });
    for (const [run, seq] of acknowledged) {
      const rows = await journal.read(run, 1, 1_000_000);
      assert.ok(rows.length >= seq, `${run}: ${seq} acknowledged, ${rows.length} there`);
      assert.ok(rows.length <= seq + 3, "at most the append under way is more");
      assert.equal(rows.length % 3, 0, "appends are whole");
      assert.equal((await journal.run(run))?.seq, rows.length);
      for (const row of rows) assert.deepEqual(row.event, numbered(row.seq, "w".repeat(300)));
    }
    await journal.close();
  }
  assert.deepEqual([...acknowledged.keys()].sort(), ["r1", "r2", "r3"]);
  assert.deepEqual(
    rowsOf(path, "PRAGMA integrity_check").map((row) => ({ ...(row as object) })),
    [{ integrity_check: "ok" }],
  );
});
