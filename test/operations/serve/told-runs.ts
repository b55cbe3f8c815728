/** Events of runs that ask, are answered, wait, fail, recover and end; two of the same length that differ in between. */
import assert from "node:assert/strict";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { Driver, plan, subtask } from "../../core/run/driver.ts";

export type Told = "one" | "other";

const played = (goal: string): readonly RunEvent[] => {
  const subtasks = [subtask("a"), subtask("b")];
  const run = new Driver("standard", plan(subtasks, { concurrency: 2, goal }));
  run.fails("a", "auth_required", { remains: { treeBefore: "t", treeAfter: "t" } });
  run.answer("a/c1", { kind: "retry", words: "logged in" });
  run.fails("a", "server_error", { failure: { origin: "provider" } });
  run.green("b");
  run.fire("a");
  run.red("a");
  run.green("a");
  const kinds = new Set(run.journal.map(({ kind }) => kind));
  for (const kind of ["wait-scheduled", "recovery-chosen", "checkpoint-closed"] as const)
    assert.ok(kinds.has(kind), kind);
  return run.journal;
};

export const TOLD: Readonly<Record<Told, readonly RunEvent[]>> = {
  one: played("a goal"),
  other: played("another goal"),
};
