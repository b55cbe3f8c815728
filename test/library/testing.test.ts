// `unstuck/testing`: the scripted agent as a plan's command, and the model server for a plain client.
import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fault, say, scriptedAgentCommand, startModelServer } from "../../src/testing/index.ts";
import type { Script } from "../../src/testing/index.ts";

test("the scripted agent does what its script says for the subtask and the attempt", () => {
  const cwd = mkdtempSync(join(tmpdir(), "unstuck-script-"));
  const script: Script = { a: [{ exit: 3 }, { write: { "done.txt": "yes" }, print: "written" }] };
  writeFileSync(join(cwd, "script.json"), JSON.stringify(script));
  const command = scriptedAgentCommand(join(cwd, "script.json")).replace("{prompt}", '"do it"');
  const run = (attempt: number): string =>
    execSync(command, {
      cwd,
      env: { ...process.env, UNSTUCK_SUBTASK: "a", UNSTUCK_ATTEMPT: `run/a/${attempt}` },
      stdio: "pipe",
      encoding: "utf8",
    });
  try {
    assert.throws(() => run(1), { status: 3 });
    assert.equal(run(2), "written\n");
    assert.equal(readFileSync(join(cwd, "done.txt"), "utf8"), "yes");
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

test("the model server answers a client without tools from the script, and keeps what was asked", async () => {
  const turns = [fault("rate_limited", 2), say("hello", { input: 5, output: 1 })] as const;
  const server = await startModelServer({ s: { by: "request", turns } });
  const ask = (): Promise<Response> =>
    fetch(`${server.at("s", "r")}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
    });
  try {
    const limited = await ask();
    assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "2"]);
    const answer = (await (await ask()).json()) as { usage: { total_tokens: number } };
    assert.equal(answer.usage.total_tokens, 6);
    assert.deepEqual(
      server.requests("r").map(({ number, api, user }) => `${number} ${api} ${user.join()}`),
      ["1 chat hi", "2 chat hi"],
    );
  } finally {
    await server.close();
  }
});

test("a server that keeps few requests still counts them all", async () => {
  const server = await startModelServer({ s: { by: "request", turns: [say("a")] } }, { keep: 1 });
  try {
    for (let number = 0; number < 3; number += 1)
      await fetch(`${server.at("s", "r")}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
      }).then((response) => response.text());
    assert.deepEqual(
      server.requests("r").map(({ number }) => number),
      [3],
    );
  } finally {
    await server.close();
  }
});
