// proves: U7, D7, B3, B7
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

/** The boundaries between a decision, its record and its effect; each is died at once. */
const POINTS: readonly string[] = [
  "claimed",
  "before-append#2",
  "after-append#2",
  "before-perform#2",
  "after-perform#2",
  "before-append#5",
  "after-append#6",
  "before-perform#4",
  "lease:rescued",
  "lease:written",
  "lease:git-made",
  "snapshot:scanned",
  "snapshot:staged",
  "snapshot:tree#2",
  "snapshot:commit#2",
  "good:commit",
  "merge:commit",
  "publish:packed",
];

function makePlan(here: Repository): string {
  const plan = join(here.path, "..", "plan.yaml");
  const agent = here.agent({
    a: [
      { write: { "a.txt": "bad\n" }, print: "done" },
      {
        write: { "a.txt": "good\n" },
        run: [["setsid", "sh", "-c", "sleep 30 &"]],
        sleepMs: 150,
        print: "done",
      },
    ],
    b: [{ write: { "b.txt": "good\n" }, sleepMs: 150, print: "done" }],
  });
  const subtask = (id: string): string =>
    `  - { id: ${id}, prompt: do ${id}, checks: ["grep -q good ${id}.txt"] }\n`;
  writeFileSync(
    plan,
    `agent: ${JSON.stringify(agent)}\ngrounding: false\nconcurrency: 2\nsubtasks:\n${subtask("a")}${subtask("b")}`,
  );
  return plan;
}

/** Processes that carry the mark of an attempt of this test's runs. */
function orphans(run: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`UNSTUCK_ATTEMPT=${run}/`);
    } catch {
      return false;
    }
  });
}

for (const point of POINTS)
  test(`kill -9 at ${point}, then resume: the same result, nothing twice, no orphan`, () => {
    const here = repository({ "c.txt": "c\n" });
    try {
      const plan = makePlan(here);
      const env = { UNSTUCK_CRASH_AT: point };
      const first = here.unstuckWith(env, "run", plan, "--trust");
      assert.equal(first.code, null, `it should have died at ${point}: ${first.out}${first.err}`);
      const [run = ""] = here.runs();
      let ended = here.unstuck("resume");
      if (/was never started/.test(ended.err)) ended = here.unstuck("run", plan, "--trust");
      assert.equal(ended.code, 0, ended.out + ended.err);
      const branch =
        here
          .git("branch", "--list", "unstuck/*", "--format=%(refname:short)")
          .trim()
          .split("\n")
          .at(-1) ?? "";
      assert.equal(here.git("show", `${branch}:a.txt`), "good\n");
      assert.equal(here.git("show", `${branch}:b.txt`), "good\n");
      assertNothingTwice(here);
      assert.deepEqual(orphans(run), []);
    } finally {
      here.remove();
    }
  });

function assertNothingTwice(here: Repository): void {
  const started = new Map<string, number>();
  const ended = new Map<string, number>();
  for (const { event } of here.events()) {
    const input = event["input"] as
      { kind?: string; subtask?: string; attempt?: number } | undefined;
    const key = `${input?.subtask}/${input?.attempt}`;
    if (input?.kind === "attempt-started") started.set(key, (started.get(key) ?? 0) + 1);
    if (input?.kind === "attempt-ended") ended.set(key, (ended.get(key) ?? 0) + 1);
  }
  for (const [key, times] of started) assert.equal(times, 1, `${key} started ${times} times`);
  for (const [key, times] of ended) assert.equal(times, 1, `${key} ended ${times} times`);
  for (const key of started.keys()) assert.ok(ended.has(key), `${key} has no end`);
}
