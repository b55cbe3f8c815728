// What an agent's program says of its version: a warning beside the attempt, or another way to drive it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { agentNamed } from "../../src/agents/start-agent.ts";
import { askVersion } from "../../src/agents/agent-version.ts";
import type { AgentReport, AgentResult } from "../../src/runtime/agent-result.ts";
import { agentRequest, assertNothingLeft, newFolder } from "./process/processes.ts";
import { codex, pi } from "./output/events.ts";
import type { Deed } from "./fake-cli.ts";

const FAKE = `${process.execPath} ${join(import.meta.dirname, "fake-cli.ts")}`;

async function run(name: string, command: string, deeds: readonly Deed[]): Promise<AgentResult> {
  const request = agentRequest();
  const env = { ...request.env, FAKE_DEEDS: JSON.stringify(deeds) };
  const start = await agentNamed(name, { command })?.start({ ...request, env });
  assert.ok(start?.ok);
  start.attempt.release();
  const result = await start.attempt.result;
  assertNothingLeft(request.place.attemptId);
  return result;
}

const reportOf = ({ report }: AgentResult): AgentReport => {
  assert.ok(report !== undefined);
  return report;
};

/** Ends only when it is told something beside its prompt. */
const WORKING: readonly Deed[] = [
  { print: pi.start },
  ...[1, 2, 3].map(() => ({ hear: "only" }) as const),
  { print: pi.end("stop") },
  { print: { type: "agent_end", messages: [{ role: "assistant", stopReason: "stop" }] } },
  { untilClosed: true },
];

test("an untested version gives a warning, a tested one none, and the attempt is the same", async () => {
  for (const [version, warning] of [
    ["9.8.7", /pi 9\.8\.7 is not tested/],
    ["0.73.1", /^(?!.*not tested)/],
  ] as const) {
    const command = `${FAKE} ${version}`;
    const request = agentRequest();
    const env = { ...request.env, FAKE_DEEDS: JSON.stringify(WORKING) };
    const start = await agentNamed("pi", { command })?.start({ ...request, env });
    assert.ok(start?.ok);
    start.attempt.release();
    const told = await askVersion({ program: command.split(" "), args: ["--version"], env }).told;
    assert.equal(told, version);
    assert.equal(start.attempt.steer?.("now"), true);
    const report = reportOf(await start.attempt.result);
    assert.equal(report.completed, true);
    assert.match(report.warnings.join(), warning);
  }
});

test("a program that does not tell, fails or hangs when asked delays nothing and fails nothing", async () => {
  const folder = newFolder();
  const [script, pidFile] = [join(folder, "agent.sh"), join(folder, "pid")];
  const line = JSON.stringify({ type: "agent_end", messages: [] });
  const work = `echo '${JSON.stringify(pi.start)}'; echo '${line}'`;
  const hang = `echo $$ > ${pidFile}; exec sleep 3600`;
  for (const [name, answer] of Object.entries({ fails: "exit 1", words: "echo one", hang })) {
    writeFileSync(script, `case "$*" in *--version) ${answer};; *) sleep 1; ${work};; esac\n`);
    const began = Date.now();
    const report = reportOf(await run("pi", `sh ${script} ${name}`, []));
    assert.equal(report.session, "p-1");
    assert.ok(!report.warnings.join().includes("not tested"));
    assert.ok(Date.now() - began < 600_000);
  }
  await gone(Number(readFileSync(pidFile, "utf8")));
});

async function gone(pid: number): Promise<void> {
  for (let looks = 0; looks < 3000; looks += 1) {
    if (!isAlive(pid)) return;
    await sleep(100);
  }
  assert.fail("the program that was asked is still there");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a program is asked once in the life of this process, and its answer is bounded", async () => {
  const folder = newFolder();
  const count = join(folder, "asked");
  const env = { PATH: process.env["PATH"] ?? "" };
  const program = ["sh", "-c", `echo x >> ${count}; echo agent 1.2.3; yes | head -c 1000000`, "sh"];
  const question = { program, args: ["--version"], env };
  const ask = (more: object = {}) => askVersion({ ...question, ...more });
  const answers = await Promise.all([ask().told, ask().told]);
  assert.deepEqual([...answers, await ask().told], ["1.2.3", "1.2.3", "1.2.3"]);
  assert.equal(readFileSync(count, "utf8"), "x\n");
  assert.equal(await ask({ program: ["no-such-program-here"] }).told, undefined);
});

test("Codex from before its app-server is driven by exec: prompt in a file, no words in between", async () => {
  const deeds = [{ hear: "only" }, { print: codex.text("Ok.") }, { print: codex.done }] as const;
  const request = agentRequest();
  const env = { ...request.env, FAKE_DEEDS: JSON.stringify(deeds) };
  const start = await agentNamed("codex", { command: `${FAKE} 0.120.0` })?.start({
    ...request,
    env,
  });
  assert.ok(start?.ok && !("steer" in start.attempt));
  start.attempt.release();
  const { report } = await start.attempt.result;
  assert.equal(report?.completed, true);
  assert.match(report.warnings.join(), /Codex 0\.120\.0 is not tested/);
  assert.equal(readFileSync(join(request.folder, "prompt.txt"), "utf8"), "do it");
  for (const version of ["0.160.0", "none"]) {
    const newer = await agentNamed("codex", { command: `${FAKE} ${version}` })?.start(
      agentRequest(),
    );
    assert.ok(newer?.ok && "steer" in newer.attempt, version);
    newer.attempt.stop("enough");
    await newer.attempt.result;
  }
});
