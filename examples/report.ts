// When a person is needed: what was tried, what came of it, what depends on it, what to do.
import assert from "node:assert/strict";
import { escalationReport, exportHistory, importHistory } from "../src/index.ts";

const report = escalationReport({
  subtaskId: "login",
  summary: "The check fails in the same way after three approaches.",
  kind: "verification_failed",
  attempts: [{ approach: "a new route", result: "expected 200, got 404" }],
  error: "AssertionError: expected 200, got 404",
  files: ["src/login.ts"],
  dependsOn: ["models"],
  blocks: ["profile page"],
});
assert.ok(report.startsWith("## Stuck Subtask: login\n"));
assert.match(report, /### Dependencies\n- Depends on models\n- Blocks profile page\n/);
assert.match(report, /- \[ \] Decide whether the check or the code is right\n/);

const attempt = {
  session: 1,
  timestamp: "2026-01-24T10:00:00Z",
  approach: "a new route",
  success: false,
  error: "got 404",
};
const history = exportHistory([
  { id: "login", status: "stuck", attempts: [attempt], stuckReason: "circular fix" },
]);
assert.deepEqual(history.stuck_subtasks, [
  { subtask_id: "login", reason: "circular fix", attempt_count: 1 },
]);
const read = importHistory(JSON.parse(JSON.stringify(history)));
assert.ok(read.ok && read.subtasks[0]?.attempts.length === 1);
console.log(report);
