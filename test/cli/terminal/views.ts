/** Views of runs for the tests of what is drawn. */
import type { RunView } from "../../../src/operations/follow/run-lines.ts";
import type { SubtaskView } from "../../../src/operations/follow/run-view.ts";

export const T0: number = Date.UTC(2026, 0, 1, 12, 0, 0);

export const subtask = (id: string, more: Partial<SubtaskView> = {}): SubtaskView => ({
  id,
  phase: "pending",
  attempts: 0,
  running: [],
  story: "",
  after: [],
  ...more,
});

export const run = (subtasks: readonly SubtaskView[], more: Partial<RunView> = {}): RunView => ({
  run: "r1",
  inPlace: false,
  title: "a goal",
  phase: "active",
  needsPerson: false,
  startedAt: T0,
  subtasks,
  ledger: { spent: {}, untold: {} },
  limit: {},
  estimated: false,
  unheld: [],
  ...more,
});
