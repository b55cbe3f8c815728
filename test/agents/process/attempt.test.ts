// proves: U7, U9
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { inLargeForm } from "../../large-form.ts";
import { commandAgent } from "../../../src/agents/command/command-agent.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";
import { FOLDER_GONE, type AgentResult } from "../../../src/runtime/agent-result.ts";
import { runtimeFailure } from "../../../src/runtime/attempt-end.ts";
import { agentRequest, assertNothingLeft, prepare } from "./processes.ts";

async function run(template: string, request: AgentRequest): Promise<AgentResult> {
  const started = await commandAgent(template).start(request);
  assert.ok(started.ok, started.ok ? "" : started.problem);
  started.attempt.release();
  return started.attempt.result;
}

const NASTY = `it's "quoted" \`cmd\` $(touch pwned) $HOME; rm -rf x | \\ \\n\n\tline two — ünïcode {model} %s`;
const LONG = `${NASTY} `.repeat(1100);

test("any prompt arrives unharmed by argument, by file and by stdin", async () => {
  assert.ok(Buffer.byteLength(LONG) > 100_000);
  const templates = {
    argument: `sh -c 'printf %s "$1" > got' sh {prompt}`,
    file: `sh -c 'cat "\${1#--in=}" > got' sh --in={promptFile}`,
    stdin: `sh -c 'cat > got'`,
  };
  for (const [promptBy, template] of Object.entries(templates))
    for (const prompt of ["do it", NASTY, LONG]) {
      const request = agentRequest({ prompt });
      const result = await run(template, request);
      assert.deepEqual(result.end, { kind: "exited", code: 0 }, result.stderr);
      assert.equal(result.promptBy, promptBy);
      assert.ok(readFileSync(join(request.cwd, "got"), "utf8") === prompt, promptBy);
      assert.ok(!existsSync(join(request.cwd, "pwned")));
    }
});

test("a prompt too long for an argument is handed over as a file, and the result says so", async () => {
  for (const prompt of ["x".repeat(131_071), "nul \0 inside"]) {
    const request = agentRequest({ prompt });
    const result = await run(`sh -c 'printf %s "$1"' sh {prompt}`, request);
    assert.equal(result.promptBy, "file-reference");
    const path = join(request.folder, "prompt.txt");
    assert.ok(result.stdout.includes(` ${path} `), result.stdout);
    assert.ok(readFileSync(path, "utf8") === prompt);
  }
  const longest = agentRequest({ prompt: "x".repeat(131_070) });
  const result = await run(`sh -c 'printf %s "$1" | wc -c' sh {prompt}`, longest);
  assert.equal(result.promptBy, "argument");
  assert.equal(result.stdout.trim(), "131070");
});

test("an attempt gets its marks over the user's own, and an empty stdin", async () => {
  const request = agentRequest({ model: "m-1" });
  const env = { ...request.env, UNSTUCK_ATTEMPT: "other", MINE: "yes" };
  const script = `cat; echo "$UNSTUCK_RUN $UNSTUCK_SUBTASK $UNSTUCK_ATTEMPT $UNSTUCK_SLOT $MINE $1"`;
  const { stdout } = await run(`sh -c '${script}' sh {model} {prompt}`, { ...request, env });
  assert.equal(stdout, `run subtask ${request.place.attemptId} 3 yes m-1\n`);
});

test("nothing runs before release, and after a stop it never will", async () => {
  const request = agentRequest();
  const started = await commandAgent("touch started {prompt}").start(request);
  assert.ok(started.ok);
  const { identity } = started.attempt;
  assert.equal(identity.attemptId, request.place.attemptId);
  assert.ok(identity.groupId > 1 && identity.startTime !== "" && identity.bootId !== "");
  started.attempt.stop("changed my mind");
  started.attempt.release();
  const result = await started.attempt.result;
  const detail = "changed my mind";
  assert.deepEqual(result.end, { kind: "not-started", errno: "ECANCELED", detail });
  assert.ok(!existsSync(join(request.cwd, "started")));
  assertNothingLeft(request.place.attemptId);
});

test("what cannot be started is a value that says why", async () => {
  const missing = await run("no-such-agent-here {prompt}", agentRequest());
  assert.equal(missing.end.kind === "not-started" && missing.end.errno, "ENOENT");
  const gone = await run("true {prompt}", agentRequest({ cwd: "/no/such/folder" }));
  assert.equal(gone.end.kind === "not-started" && gone.end.errno, FOLDER_GONE);
  const failure = runtimeFailure(gone, undefined);
  assert.equal(failure?.kind, "lost", "a folder that is gone is no missing program");
  assert.match(failure.because.join(" "), /the folder it works in is gone: \/no\/such\/folder/);
  const request = agentRequest();
  const file = join(request.cwd, "agent");
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o644);
  const forbidden = await run(`${file} {prompt}`, request);
  assert.equal(forbidden.end.kind === "not-started" && forbidden.end.errno, "EACCES");
  for (const [template, problem] of [
    ["agent | tee x", /needs a shell/],
    ["agent --model {model}", /no model is set/],
  ] as const) {
    const refused = await commandAgent(template).start(agentRequest());
    assert.match(refused.ok ? "" : refused.problem, problem);
  }
});

test("an exit code and a signal are told apart", async () => {
  const exited = await run("sh -c 'exit 7' {prompt}", agentRequest());
  assert.deepEqual(exited.end, { kind: "exited", code: 7 });
  const signalled = await run("sh -c 'kill -SEGV $$' {prompt}", agentRequest());
  assert.deepEqual(signalled.end, { kind: "signalled", signal: "SIGSEGV" });
});

test("steps come live, the transcript holds all of it under its hash", async () => {
  const steps: Step[] = [];
  const request = agentRequest({ onStep: (step) => steps.push(step) });
  const result = await run("sh -c 'echo one; sleep 0.2; echo zwö; echo bad >&2' {prompt}", request);
  const texts = steps.map((step) => (step.kind === "message" ? step.text : ""));
  assert.equal(texts.join(""), "one\nzwö\n");
  assert.ok(steps.length >= 2, "one and zwö came apart");
  const bytes = readFileSync(result.transcript.path);
  assert.deepEqual(bytes.toString().split("\n").sort(), ["", "bad", "one", "zwö"]);
  assert.equal(result.transcript.sha256, createHash("sha256").update(bytes).digest("hex"));
  assert.deepEqual([result.stdout, result.stderr], ["one\nzwö\n", "bad\n"]);
});

test("a command may open /dev/stdout and /dev/stderr, as in a terminal", async () => {
  const script = "echo a | tee /dev/stderr; echo b > /dev/stdout";
  const result = await run(`sh -c '${script}' {prompt}`, agentRequest());
  assert.deepEqual([result.stdout, result.stderr], ["a\nb\n", "a\n"]);
});

test("what the agent leaves running is ended with it: background, own session, own daemon", async () => {
  const request = agentRequest();
  const script = `
    sleep 300 &
    setsid sleep 300 </dev/null >/dev/null 2>&1 &
    (setsid sh -c "trap : TERM; sleep 300; sleep 300" </dev/null >/dev/null 2>&1 &)
    (env -i sleep 300 &)
    sleep 0.3; echo done`;
  const result = await run(`sh -c '${script}' {prompt}`, request);
  assert.deepEqual(result.end, { kind: "exited", code: 0 });
  assert.ok(result.leftBehind >= 4, `${result.leftBehind} left behind`);
  assert.deepEqual(result.survivors, []);
  assertNothingLeft(request.place.attemptId);
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test(
  "100 MB of output stay bounded in memory and are all in the transcript",
  inLargeForm("agents"),
  async () => {
    const path = join(agentRequest().folder, "transcript");
    const size = 100 * 1024 * 1024;
    let peak = -Infinity;
    let seen = 0;
    collectGarbage();
    const before = process.memoryUsage();
    const { watched } = await prepare(`yes 0123456789abcde | head -c ${size}`, {
      request: {
        transcript: { path, maxBytes: size },
        onChunk: (_, chunk) => {
          // What nobody holds any more does not count, however late it would be collected.
          seen += chunk.length;
          if (seen % (8 * 1024 * 1024) < chunk.length) collectGarbage();
          else return;
          const now = process.memoryUsage();
          peak = Math.max(peak, now.arrayBuffers - before.arrayBuffers);
        },
      },
    });
    watched.release();
    const { end, stdout, transcript, cut } = await watched.result;
    assert.deepEqual(end, { kind: "exited", code: 0 });
    assert.ok(cut && stdout.length < 7000);
    assert.equal(seen, size);
    assert.ok(Number.isFinite(peak) && peak < 32 * 1024 * 1024, `${peak} bytes at the peak`);
    assert.deepEqual([transcript?.bytes, transcript?.complete], [size, true]);
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
    assert.equal(transcript?.sha256, hash);
  },
);
