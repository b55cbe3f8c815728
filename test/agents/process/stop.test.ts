// proves: U3
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { assertNothingLeft, contentOf, markedPids, prepare, until } from "./processes.ts";

const graceMs = [300, 300, 3000] as const;

test("a stop is SIGINT first: an agent that ends on it keeps its own exit code", async () => {
  const script = "trap 'echo saved; exit 0' INT; echo up; while :; do sleep 0.05; done";
  const { guarded, watched, identity } = await prepare(script);
  watched.release();
  await until("the agent is up", () => guarded.outputBytes() > 0);
  watched.stop("asked by a person");
  const { end, stdout } = await watched.result;
  const detail = "asked by a person";
  assert.deepEqual(end, { kind: "killed", reason: "stop", detail, with: "SIGINT", code: 0 });
  assert.equal(stdout, "up\nsaved\n");
  assertNothingLeft(identity.attemptId);
});

test("an agent that ignores SIGINT gets SIGTERM, one that ignores both gets SIGKILL", async () => {
  for (const [ignored, strongest] of [
    ["INT", "SIGTERM"],
    ["INT TERM HUP", "SIGKILL"],
  ] as const) {
    const script = `trap '' ${ignored}; sh -c 'echo up; while :; do sleep 0.05; done' & while :; do wait; done`;
    const { guarded, watched, identity } = await prepare(script);
    watched.release();
    await until("the agent is up", () => guarded.outputBytes() > 0);
    watched.stop("enough");
    const { end } = await watched.result;
    assert.deepEqual(end, {
      kind: "killed",
      reason: "stop",
      detail: "enough",
      with: strongest,
      signal: strongest,
    });
    assertNothingLeft(identity.attemptId);
  }
});

test("an agent with a child in its own session that writes every 50 ms is ended with that child", async () => {
  const loop = (name: string) => `while :; do echo x >> ${name}; sleep 0.05; done`;
  const script = `setsid sh -c '${loop("child")}' </dev/null >/dev/null 2>&1 & ${loop("agent")}`;
  const { watched, identity, cwd } = await prepare(script);
  const written = (): string => contentOf(join(cwd, "agent")) + contentOf(join(cwd, "child"));
  watched.release();
  await until(
    "both write",
    () => contentOf(join(cwd, "agent")) !== "" && contentOf(join(cwd, "child")) !== "",
  );
  watched.stop("enough");
  await watched.result;
  assertNothingLeft(identity.attemptId);
  const after = written();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(written(), after);
});

test("silence without work is idle; work without output, or a changing tree, is not", async () => {
  let mark = 0;
  const silent = "exec sleep 3600";
  // Several at work: each may get little of a machine that is busy with other things.
  const busy = "for one in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait";
  const cases = [
    { script: silent, reason: "idle" },
    { script: busy, reason: "total", idleMs: 5000, totalMs: 8000 },
    { script: silent, reason: "total", treeMark: async () => String((mark += 1)) },
    { script: silent, reason: "idle", treeMark: async () => "same" },
    { script: silent, reason: "idle", treeMark: () => Promise.reject(new Error("no tree")) },
    { script: silent, reason: "idle", treeMark: () => new Promise<string>(() => undefined) },
    { script: "while :; do echo .; sleep 0.1; done", reason: "total", idleMs: 5000, totalMs: 8000 },
  ];
  await Promise.all(
    cases.map(async ({ script, reason, treeMark, idleMs = 800, totalMs = 3000 }, index) => {
      const limits = { idleMs, totalMs: reason === "idle" ? 600_000 : totalMs, graceMs };
      const { watched, identity } = await prepare(script, {
        watch: { limits, ...(treeMark === undefined ? {} : { treeMark }) },
      });
      watched.release();
      const { end, durations } = await watched.result;
      assert.equal(end.kind === "killed" && end.reason, reason, `case ${index}`);
      assert.ok(durations.activeMs >= (reason === "idle" ? idleMs : totalMs), `case ${index}`);
      assert.equal(durations.sleptMs, 0);
      assertNothingLeft(identity.attemptId);
    }),
  );
});

test("a guard that does not answer any more is ended with the rest", async () => {
  const { guarded, watched, identity } = await prepare(
    "trap '' INT TERM; echo up; while :; do sleep 0.05; done",
    {
      watch: { limits: { graceMs: [100, 100, 100] } },
    },
  );
  watched.release();
  await until("the agent is up", () => guarded.outputBytes() > 0);
  process.kill(identity.groupId, "SIGSTOP");
  watched.stop("enough");
  const { end } = await watched.result;
  assert.deepEqual(end, { kind: "killed", reason: "stop", detail: "enough", with: "SIGKILL" });
  assertNothingLeft(identity.attemptId);
});

test("signals an agent sends to its own group do not end its guard", async () => {
  const { watched, identity } = await prepare(
    "trap '' TERM INT HUP; kill -TERM 0; kill -HUP 0; kill -INT 0; exit 4",
  );
  watched.release();
  assert.deepEqual((await watched.result).end, { kind: "exited", code: 4 });
  assert.deepEqual(markedPids(identity.attemptId), []);
});
