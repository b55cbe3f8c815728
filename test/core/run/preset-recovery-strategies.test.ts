// proves: C1, C3, J29
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { evidenceFor } from "../repair/every-strategy.ts";
import { Driver, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const ALL = { sudo: "allow", install: "allow", delete: "allow" } as const;
const still = { treeBefore: "t", treeAfter: "t" };

/** The source's chains; ask_user comes after the last strategy of each. */
const CHAINS: readonly (readonly [FailureKind, readonly string[]])[] = [
  ["command_not_found", ["alternative_command", "manual_installation"]],
  ["tool_not_found", ["use_available_alternative", "decompose_into_basic_tools"]],
  ["permission_denied", ["try_sandbox_directory", "check_permissions"]],
  ["timeout", ["reduce_scope", "increase_timeout", "stream_results", "background_execution"]],
  ["file_not_found", ["verify_path", "create_missing_file"]],
  ["invalid_arguments", ["fix_parameter_types", "check_schema", "simplify_arguments"]],
  ["syntax_error", ["fix_syntax", "use_simpler_command", "try_alternative_syntax"]],
  ["network_error", ["retry_with_backoff", "try_alternative_host", "use_cached_data"]],
  ["disk_full", ["clean_up_temp_files", "write_smaller_file"]],
];

for (const [kind, names] of CHAINS)
  test(`${kind}: each strategy once, in the printed order, then the user`, () => {
    const run = new Driver("recovery-strategies", { ...one, permissions: ALL });
    for (let index = 0; run.of("a").phase !== "asking"; index += 1) {
      const evidence = evidenceFor(kind, names[Math.min(index, names.length - 1)]);
      run.fails("a", kind, { failure: { origin: "tool" }, remains: still, evidence });
    }
    const strategies = run.all("recovery-chosen").flatMap(({ recoveries }) => recoveries);
    assert.deepEqual(
      strategies.map((recovery) =>
        recovery.kind === "repair" ? recovery.strategy : recovery.kind,
      ),
      [...names.map((name) => `${kind}/${name}`), "ask"],
    );
  });

test("a rate limit without a time waits 60 s, then goes down its chain", () => {
  const run = new Driver("recovery-strategies", one);
  run.fails("a", "rate_limited", { failure: { origin: "provider" }, remains: still });
  assert.equal((run.of("a").timer?.dueAt ?? 0) - run.now, 60_000);
});

test("a kind without a chain goes to the user", () => {
  const run = new Driver("recovery-strategies", one);
  run.red("a");
  assert.deepEqual(run.recoveries(), ["ask"]);
});

for (const [kind, strategies] of [
  ["rate_limited", ["reduce_request_frequency", "use_alternative_source"]],
  ["timeout", ["reduce_scope", "increase_timeout"]],
  ["network_error", ["use_cached_data"]],
] as const)
  test(`${kind} of the agent itself: one wait, then the next strategies of its chain, then the user`, () => {
    const run = new Driver("recovery-strategies", one);
    while (run.of("a").phase !== "asking") {
      run.fails("a", kind, { failure: { origin: "agent" }, remains: still });
      const { timer } = run.of("a");
      if (timer !== undefined) run.give({ kind: "timer-fired", subtask: "a", timer: timer.id });
    }
    const chosen = run.all("recovery-chosen").flatMap(({ recoveries }) => recoveries);
    assert.deepEqual(
      chosen.map((recovery) => (recovery.kind === "repair" ? recovery.strategy : recovery.kind)),
      ["wait", ...strategies.map((name) => `${kind}/${name}`), "ask"],
    );
  });

test("an overloaded service has no chain: it is waited for as patiently as before", () => {
  const run = new Driver("recovery-strategies", one);
  for (let time = 0; time < 5; time += 1) {
    run.fails("a", "server_overloaded", { failure: { origin: "provider" }, remains: still });
    run.give({ kind: "timer-fired", subtask: "a", timer: run.of("a").timer?.id ?? 0 });
  }
  assert.deepEqual(run.recoveries(), ["wait", "wait", "wait", "wait", "wait"]);
});
