// proves: U11
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCheck, type CheckRequest } from "../../../src/agents/checks/runner.ts";
import { readProcesses } from "../../../src/agents/process/process-table.ts";
import { inLargeForm } from "../../large-form.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A worktree with these files in it. */
function worktree(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-check-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const BIN = join(import.meta.dirname, "../../node_modules/.bin");
let count = 0;

function check(command: string, more: Partial<CheckRequest> = {}): CheckRequest {
  const attemptId = `check-${process.pid}-${(count += 1)}/subtask/1`;
  return {
    place: { run: "run", subtask: "subtask", attemptId, slot: 0 },
    command,
    cwd: worktree(),
    env: { PATH: `${BIN}:${process.env["PATH"] ?? ""}`, HOME: tmpdir() },
    limitMs: 60_000,
    ...more,
  };
}

const assertNothingLeft = ({ place }: CheckRequest): void =>
  assert.deepEqual(
    readProcesses(place.attemptId).filter((row) => row.marked && !row.ended),
    [],
  );

const SUM_TEST = `
import { describe, test } from "node:test";
import assert from "node:assert";
describe("sum", () => {
  test("adds two numbers", () => {
    console.log("✖ not a test (1ms)\\nnot ok 7 - fake");
    assert.equal(1 + 1, 3);
  });
  test("is fine", () => {});
});
test("later", { todo: true }, () => assert.fail());
`;

test("node --test as it really prints: the failing test by name, in each of its reporters", async () => {
  const cwd = worktree({ "sum.test.mjs": SUM_TEST });
  for (const [reporter, item] of [
    ["spec", "sum.test.mjs > adds two numbers"],
    ["tap", "sum > adds two numbers"],
    ["junit", "sum > adds two numbers"],
  ] as const) {
    const run = await runCheck(check(`node --test --test-reporter=${reporter}`, { cwd }));
    const expected = { kind: "failed", items: [item], complete: true, tests: 2 };
    assert.deepEqual(run.outcome, expected, run.stdout);
    assert.equal(run.exitCode, 1);
  }
});

test(
  "tsc as it really prints: each error by file, code and message",
  inLargeForm("agents"),
  async () => {
    const cwd = worktree({
      "a.ts": 'export const x: number = "a";\n\nexport const y = missing;\n',
    });
    for (const pretty of ["", "--pretty"]) {
      const run = await runCheck(check(`tsc --noEmit --ignoreConfig ${pretty} a.ts`, { cwd }));
      assert.deepEqual(run.outcome, {
        kind: "failed",
        items: [
          "a.ts TS2322: Type 'string' is not assignable to type 'number'.",
          "a.ts TS2304: Cannot find name 'missing'.",
        ],
        complete: true,
      });
    }
  },
);

test("passed, failed, could not run and timed out are four different things", async () => {
  const passing = await runCheck(check('echo fine; test -z "$(cat)"'));
  assert.deepEqual([passing.outcome, passing.stdout], [{ kind: "passed" }, "fine\n"]);
  const failing = await runCheck(check("echo bad >&2; exit 3"));
  assert.deepEqual(failing.outcome, { kind: "failed", items: [], complete: true });
  assert.deepEqual([failing.exitCode, failing.stderr], [3, "bad\n"]);
  const missing = await runCheck(check("no-such-tool --all"));
  assert.equal(
    missing.outcome.kind === "could-not-run" && missing.outcome.why,
    "command-not-found",
  );
  const noScript = await runCheck(check("npm test", { cwd: worktree({ "package.json": "{}" }) }));
  assert.equal(noScript.outcome.kind === "could-not-run" && noScript.outcome.why, "no-such-script");
  const noFolder = await runCheck(check("true", { cwd: "/no/such/worktree" }));
  assert.equal(noFolder.outcome.kind === "could-not-run" && noFolder.outcome.why, "not-started");
  const late = check("sleep 60 & (setsid sleep 60 &) ; wait", { limitMs: 300 });
  assert.deepEqual((await runCheck(late)).outcome, { kind: "timed-out", limitMs: 300 });
  assertNothingLeft(late);
});

test("a stopped run stops its check, also one that has not begun", async () => {
  const stop = new AbortController();
  const request = check("echo up; exec sleep 60", { stop: stop.signal });
  const running = runCheck(request);
  setTimeout(() => stop.abort(), 400);
  const { outcome } = await running;
  assert.equal(outcome.kind === "could-not-run" && outcome.why, "stopped");
  assertNothingLeft(request);
  const again = await runCheck(check("echo never", { stop: stop.signal }));
  assert.equal(again.outcome.kind, "could-not-run");
  assert.equal(again.stdout, "");
});

test("a check that leaves a server running is ended with it, and its result stands", async () => {
  const request = check("(setsid sleep 60 >/dev/null 2>&1 &) ; sleep 60 & exit 0");
  assert.deepEqual((await runCheck(request)).outcome, { kind: "passed" });
  assertNothingLeft(request);
});

test("two checks of one attempt at a time do not end each other", async () => {
  const request = check("sleep 1; echo done");
  const [slow, quick] = await Promise.all([
    runCheck(request),
    runCheck({ ...request, command: "sleep 0.2" }),
  ]);
  assert.deepEqual([slow.outcome.kind, slow.stdout], ["passed", "done\n"]);
  assert.equal(quick.outcome.kind, "passed");
});

test("output beyond the window is bounded, and its list of failures not called complete", async () => {
  const tail = "echo TAP version 13; echo not ok 1 - last; echo 1..1; exit 1";
  const run = await runCheck(check(`yes 'noise noise noise' | head -c 8000000; ${tail}`));
  assert.deepEqual(run.outcome, { kind: "failed", items: ["last"], complete: false, tests: 1 });
  assert.ok(run.stdout.length < 1_500_000);
});

test("a flaky test is found by running the same tree again", async () => {
  const flaky = `import { test } from "node:test";
    import { existsSync, writeFileSync } from "node:fs";
    test("sometimes", () => {
      if (existsSync(process.env.MEMORY)) return;
      writeFileSync(process.env.MEMORY, "");
      throw new Error("the first time");
    });`;
  const cwd = worktree({ "flaky.test.mjs": flaky });
  const request = check("node --test", { cwd });
  const env = { ...request.env, MEMORY: join(worktree(), "memory") };
  const first = await runCheck({ ...request, env });
  const items = ["flaky.test.mjs > sometimes"];
  assert.deepEqual(first.outcome, { kind: "failed", items, complete: true, tests: 1 });
  const second = await runCheck({ ...request, env });
  assert.deepEqual(second.outcome, { kind: "passed", tests: 1 });
});
