// proves: C1
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import { chainOf } from "../../../src/core/repair/chains.ts";
import { planFor, repairsOf } from "./request.ts";

type Row = readonly [name: string, priority: number, confidence: number, tools: readonly string[]];

/** The source's ten chains, row by row. */
const PRINTED: Readonly<
  Record<string, { readonly rows: readonly Row[]; readonly ask?: readonly number[] }>
> = {
  command_not_found: {
    rows: [
      ["alternative_command", 1, 0.9, ["run_bash"]],
      ["manual_installation", 2, 0.6, ["run_bash"]],
    ],
    ask: [3, 0.9],
  },
  tool_not_found: {
    rows: [
      ["use_available_alternative", 1, 0.8, ["read_dir", "read_file", "run_bash"]],
      ["decompose_into_basic_tools", 2, 0.7, ["run_bash"]],
    ],
    ask: [3, 0.6],
  },
  permission_denied: {
    rows: [
      ["try_sandbox_directory", 1, 0.9, ["write_file", "read_dir"]],
      ["check_permissions", 2, 0.5, ["run_bash"]],
    ],
    ask: [3, 0.8],
  },
  timeout: {
    rows: [
      ["reduce_scope", 1, 0.8, ["original"]],
      ["increase_timeout", 2, 0.6, ["original"]],
      ["stream_results", 3, 0.7, ["run_bash"]],
      ["background_execution", 4, 0.5, ["run_bash"]],
    ],
  },
  file_not_found: {
    rows: [
      ["verify_path", 1, 0.9, ["read_dir", "run_bash"]],
      ["create_missing_file", 2, 0.6, ["write_file"]],
    ],
    ask: [3, 0.8],
  },
  invalid_arguments: {
    rows: [
      ["fix_parameter_types", 1, 1, ["original"]],
      ["check_schema", 2, 0.9, ["original"]],
      ["simplify_arguments", 3, 0.7, ["original"]],
    ],
  },
  syntax_error: {
    rows: [
      ["fix_syntax", 1, 0.8, ["original"]],
      ["use_simpler_command", 2, 0.9, ["run_bash"]],
      ["try_alternative_syntax", 3, 0.6, ["run_bash"]],
    ],
  },
  network_error: {
    rows: [
      ["retry_with_backoff", 1, 0.7, ["original"]],
      ["try_alternative_host", 2, 0.6, ["original"]],
      ["use_cached_data", 3, 0.5, ["read_file", "read_dir"]],
    ],
    ask: [4, 0.8],
  },
  rate_limited: {
    rows: [
      ["wait_and_retry", 1, 0.9, ["original"]],
      ["reduce_request_frequency", 2, 0.8, ["original"]],
      ["use_alternative_source", 3, 0.6, []],
    ],
  },
  disk_full: {
    rows: [
      ["clean_up_temp_files", 1, 0.6, ["run_bash"]],
      ["write_smaller_file", 2, 0.5, ["write_file"]],
    ],
    ask: [3, 0.9],
  },
};

test("exactly the ten error types of the source have a chain", () => {
  const chained = FAILURE_KINDS.filter((kind) => chainOf(kind).rows.length > 0);
  assert.deepEqual(chained, Object.keys(PRINTED));
});

for (const [kind, { rows, ask }] of Object.entries(PRINTED)) {
  test(`${kind}: strategies, priorities, confidences and tools as printed`, () => {
    const chain = chainOf(kind as FailureKind);
    assert.deepEqual(
      chain.rows.map(({ name, confidence, tools }, index) => [name, index + 1, confidence, tools]),
      rows,
    );
    assert.equal(chain.askConfidence, ask?.[1]);
    const asking = repairsOf(planFor(kind as FailureKind, {})).at(-1);
    if (ask !== undefined) assert.deepEqual([asking?.priority, asking?.confidence], ask);
  });
}

test("every other kind has only the question, and the question is its own", () => {
  const others = FAILURE_KINDS.filter((kind) => !(kind in PRINTED));
  assert.equal(others.length, FAILURE_KINDS.length - 10);
  const questions = others.map((kind) => {
    const chain = chainOf(kind);
    assert.deepEqual(chain.rows, []);
    assert.equal(chain.askConfidence, undefined);
    const asked = chain.questions({ command: "npm test" });
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? "", /\? It happened in `npm test`\.$/);
    return asked[0];
  });
  assert.equal(new Set(questions).size, others.length);
  assert.match(chainOf("billing").questions({})[0] ?? "", /in the failed call\.$/);
});
