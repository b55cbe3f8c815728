// proves: C2, C3, C4, C6
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AddedStrategy } from "../../../src/core/repair/repair.ts";
import { callsOf, namesOf, planFor, repairsOf, stepsOf } from "./request.ts";

const CLONE = {
  tool: "run_bash",
  command: "git clone https://github.com/ada/engine",
  exitCode: 127,
  stderr: "bash: line 1: git: command not found",
} as const;

test("a missing git gives the source's own plan, in its JSON shape", () => {
  const { alternatives, kind, ...primary } = planFor("command_not_found", CLONE);
  assert.equal(kind, "command_not_found");
  assert.deepEqual(primary, {
    priority: 1,
    strategy: "alternative_command_curl_tar",
    confidence: 0.9,
    estimatedIterations: 3,
    steps: [
      {
        action: "Download the source archive of `ada/engine`",
        tool: "run_bash",
        args: {
          script:
            "curl -fL 'https://github.com/ada/engine/archive/refs/heads/main.tar.gz' -o 'engine.tar.gz'",
        },
        expectedOutcome: "`engine.tar.gz` exists",
      },
      {
        action: "Unpack the archive",
        tool: "run_bash",
        args: { script: "tar -xzf 'engine.tar.gz'" },
        expectedOutcome: "`./engine-main` holds the files",
      },
      {
        action: "Verify the unpacked files",
        tool: "read_dir",
        args: { dir: "./engine-main" },
        expectedOutcome: "The listing shows the files of the repository",
      },
    ],
    fallbackChain: ["manual_installation", "ask_user"],
  });
  assert.deepEqual(
    alternatives.map(({ priority, strategy, confidence, estimatedIterations, fallbackChain }) => [
      priority,
      strategy,
      confidence,
      estimatedIterations,
      fallbackChain,
    ]),
    [
      [2, "manual_installation", 0.6, 2, ["ask_user"]],
      [3, "ask_user", 0.9, 1, []],
    ],
  );
  assert.deepEqual(stepsOf(planFor("command_not_found", CLONE), "ask_user"), [
    {
      action: "Ask a person",
      tool: null,
      args: {
        questions: [
          "Can you install `git` on this machine?",
          "If not: what may be used instead of `git` for `git clone https://github.com/ada/engine`?",
        ],
      },
      expectedOutcome: "An answer that says how to go on",
    },
  ]);
});

test("strategies whose tools are missing never appear, and steps keep to the tools there are", () => {
  assert.deepEqual(namesOf(planFor("command_not_found", CLONE, { tools: ["read_dir"] })), [
    "ask_user",
  ]);
  assert.deepEqual(namesOf(planFor("command_not_found", CLONE, { tools: [] })), ["ask_user"]);
  const withoutListing = planFor("command_not_found", CLONE, { tools: ["run_bash"] });
  assert.deepEqual(withoutListing.steps[2]?.args, { script: "ls -la -- './engine-main'" });
  const denied = { message: "EACCES: permission denied, open '/etc/x.conf'" };
  const only = (...tools: string[]): readonly string[] =>
    namesOf(planFor("permission_denied", denied, { tools }));
  assert.deepEqual(only("write_file", "read_dir"), ["try_sandbox_directory", "ask_user"]);
  assert.deepEqual(only("write_file"), ["ask_user"]);
  assert.deepEqual(only("read_dir"), ["ask_user"]);
});

test("an agent's own tools are used under their own names", () => {
  const plan = planFor("command_not_found", CLONE, { tools: ["Bash", "LS"] });
  assert.deepEqual(callsOf(plan, "alternative_command_curl_tar"), [
    [
      "Bash",
      {
        command:
          "curl -fL 'https://github.com/ada/engine/archive/refs/heads/main.tar.gz' -o 'engine.tar.gz'",
      },
    ],
    ["Bash", { command: "tar -xzf 'engine.tar.gz'" }],
    ["LS", { path: "./engine-main" }],
  ]);
});

test("the same tool as before: under any of its names, or another tool the agent has", () => {
  const timedOut = (tool: string, tools: readonly string[]): readonly string[] =>
    namesOf(planFor("timeout", { tool, command: "make docs" }, { tools }));
  assert.deepEqual(timedOut("Bash", ["run_bash"]), [
    "reduce_scope",
    "increase_timeout",
    "stream_results",
    "background_execution",
    "ask_user",
  ]);
  assert.deepEqual(timedOut("web_search", ["web_search"]), [
    "reduce_scope",
    "increase_timeout",
    "ask_user",
  ]);
  assert.deepEqual(timedOut("web_search", ["read_file"]), ["ask_user"]);
  assert.deepEqual(timedOut("llm", ["read_file"]), [
    "reduce_scope",
    "increase_timeout",
    "ask_user",
  ]);
  const web = planFor(
    "timeout",
    { tool: "web_search", message: "timed out after 4 s" },
    { tools: ["web_search"] },
  );
  assert.deepEqual(callsOf(web, "increase_timeout"), [["web_search", { timeout_ms: 8000 }]]);
  const model = planFor("timeout", { tool: "llm", message: "timed out after 4 s" });
  assert.deepEqual(callsOf(model, "increase_timeout"), [
    ["Run the failed call again with 8 s instead of 4 s", { timeout_ms: 8000 }],
  ]);
});

test("without a named tool the shell is meant", () => {
  const plan = planFor("timeout", { command: "make docs" }, { tools: ["run_bash"] });
  assert.deepEqual(callsOf(plan, "increase_timeout"), [
    ["run_bash", { script: "bash -c 'make docs'", timeout_ms: 30_000 }],
  ]);
  assert.deepEqual(namesOf(planFor("timeout", { command: "x" }, { tools: ["read_file"] })), [
    "ask_user",
  ]);
});

test("what needs a permission: last in a suggestion, in its place if allowed, gone if denied", () => {
  const full = {
    command: "cp a b",
    stderr: "cp: error writing '/data/b': No space left on device",
  };
  const order = (mode: "suggest" | "run", answer?: "allow" | "deny" | "ask"): readonly string[] =>
    namesOf(
      planFor("disk_full", full, { mode, ...(answer && { permissions: { delete: answer } }) }),
    );
  assert.deepEqual(order("suggest"), ["write_smaller_file", "clean_up_temp_files", "ask_user"]);
  assert.deepEqual(order("suggest", "ask"), [
    "write_smaller_file",
    "clean_up_temp_files",
    "ask_user",
  ]);
  assert.deepEqual(order("suggest", "allow"), [
    "clean_up_temp_files",
    "write_smaller_file",
    "ask_user",
  ]);
  assert.deepEqual(order("suggest", "deny"), ["write_smaller_file", "ask_user"]);
  assert.deepEqual(order("run"), ["write_smaller_file", "ask_user"]);
  assert.deepEqual(order("run", "ask"), ["write_smaller_file", "ask_user"]);
  assert.deepEqual(order("run", "deny"), ["write_smaller_file", "ask_user"]);
  assert.deepEqual(order("run", "allow"), [
    "clean_up_temp_files",
    "write_smaller_file",
    "ask_user",
  ]);
  const other = planFor("disk_full", full, {
    mode: "run",
    permissions: { install: "allow", sudo: "allow" },
  });
  assert.deepEqual(namesOf(other), ["write_smaller_file", "ask_user"]);
});

test("running a risky command again needs the same permission as the first time", () => {
  const failed = { command: "npm install left", stderr: "getaddrinfo EAI_AGAIN x.example.org" };
  const plan = planFor("network_error", failed);
  assert.deepEqual(namesOf(plan), ["use_cached_data", "retry_with_backoff", "ask_user"]);
  assert.equal(stepsOf(plan, "retry_with_backoff")[0]?.needsPermission, "install");
  assert.deepEqual(namesOf(planFor("network_error", failed, { mode: "run" })), [
    "use_cached_data",
    "ask_user",
  ]);
  const root = planFor("timeout", { command: "sudo make" }, { mode: "run" });
  assert.deepEqual(namesOf(root), ["reduce_scope", "ask_user"]);
});

test("a package named by an error is installed only if the manifest names it", () => {
  const missing = { command: "leftify x", stderr: "sh: 1: leftify: not found" };
  const names = (manifestNames: readonly string[]): readonly string[] =>
    namesOf(planFor("command_not_found", missing, { manifestNames }));
  assert.deepEqual(names([]), ["alternative_command", "ask_user"]);
  assert.deepEqual(names(["leftify2"]), ["alternative_command", "ask_user"]);
  assert.deepEqual(names(["leftify"]), ["alternative_command", "manual_installation", "ask_user"]);
  const [install] = stepsOf(
    planFor("command_not_found", missing, { manifestNames: ["leftify"] }),
    "manual_installation",
  );
  assert.equal(install?.needsPermission, "install");
  assert.ok(!JSON.stringify(install?.args).includes("leftify"));
});

test("the added question stands behind the last row, and never before priority 3", () => {
  const asked = (kind: Parameters<typeof planFor>[0]): readonly unknown[] => {
    const { priority, strategy, confidence, estimatedIterations } =
      repairsOf(planFor(kind, { command: "x" })).at(-1) ?? {};
    return [priority, strategy, confidence, estimatedIterations];
  };
  assert.deepEqual(asked("timeout"), [5, "ask_user", 0.8, 1]);
  assert.deepEqual(asked("invalid_arguments"), [4, "ask_user", 0.8, 1]);
  assert.deepEqual(asked("syntax_error"), [4, "ask_user", 0.8, 1]);
  assert.deepEqual(asked("rate_limited"), [4, "ask_user", 0.8, 1]);
  assert.deepEqual(asked("network_error"), [4, "ask_user", 0.8, 1]);
  assert.deepEqual(asked("tool_not_found"), [3, "ask_user", 0.6, 1]);
  assert.deepEqual(asked("billing"), [3, "ask_user", 0.8, 1]);
});

for (const [confidence, iterations, isRisky, priority] of [
  [0.9, 1, false, 1],
  [0.81, 3, false, 1],
  [0.81, 4, false, 2],
  [0.9, 1, true, 2],
  [0.8, 3, false, 2],
  [0.6, 5, false, 2],
  [0.59, 1, false, 3],
  [0.5, 5, true, 3],
  [0.49, 1, false, 4],
  [0.9, 6, false, 4],
] as const)
  test(`the band of confidence ${confidence}, ${iterations} iterations${isRisky ? ", risky" : ""} is ${priority}`, () => {
    const step = {
      action: "x",
      tool: null,
      args: { script: isRisky ? "rm x" : "x" },
      expectedOutcome: "y",
    };
    const steps = Array.from({ length: iterations }, () => step);
    const plan = planFor("billing", {}, { added: [{ strategy: "own", confidence, steps }] });
    assert.deepEqual(
      [plan.strategy, plan.priority, plan.estimatedIterations],
      ["own", priority, iterations],
    );
  });

const added = (
  strategy: string,
  confidence: number,
  tool: string | null = "run_bash",
  script = "true",
): AddedStrategy => ({
  strategy,
  confidence,
  steps: [{ action: strategy, tool, args: { script }, expectedOutcome: "done" }],
});

test("added strategies take the place of their band, behind the printed ones of that band", () => {
  const missing = { message: "No such file or directory: 'a/b.json'" };
  const plan = planFor("file_not_found", missing, {
    added: [added("fetch_it", 0.9), added("guess_it", 0.5)],
  });
  assert.deepEqual(
    repairsOf(plan).map(({ strategy, priority }) => [strategy, priority]),
    [
      ["verify_path", 1],
      ["fetch_it", 1],
      ["create_missing_file", 2],
      ["guess_it", 3],
      ["ask_user", 3],
    ],
  );
  assert.deepEqual(plan.alternatives[0]?.steps, added("fetch_it", 0.9).steps);
});

test("at most four automated strategies, none twice, none for ask_user, none without its tool", () => {
  const names = (more: readonly AddedStrategy[]): readonly string[] =>
    namesOf(planFor("timeout", { command: "make" }, { added: more }));
  const four = [
    "reduce_scope",
    "increase_timeout",
    "stream_results",
    "background_execution",
    "ask_user",
  ];
  assert.deepEqual(names([added("late", 0.1)]), four);
  assert.deepEqual(names([added("early", 0.95)]), [
    "reduce_scope",
    "early",
    "increase_timeout",
    "stream_results",
    "ask_user",
  ]);
  assert.deepEqual(names([added("reduce_scope", 0.95)]), four);
  assert.deepEqual(names([added("ask_user", 0.95)]), four);
  assert.deepEqual(names([added("far", 0.95, "teleport")]), four);
  assert.deepEqual(names([{ strategy: "empty", confidence: 0.95, steps: [] }]), four);
  assert.deepEqual(names([added("by_hand", 0.95, null)]).slice(0, 2), ["reduce_scope", "by_hand"]);
});

test("a risk the caller forgot is seen in the script", () => {
  const plan = planFor(
    "billing",
    {},
    { added: [added("wipe", 0.95, "run_bash", "rm -rf cache"), added("calm", 0.6)] },
  );
  assert.deepEqual(namesOf(plan), ["calm", "wipe", "ask_user"]);
  assert.equal(stepsOf(plan, "wipe")[0]?.needsPermission, "delete");
  assert.equal(stepsOf(plan, "calm")[0]?.needsPermission, undefined);
  assert.deepEqual(
    repairsOf(plan).map(({ priority }) => priority),
    [2, 2, 3],
  );
  const run = planFor(
    "billing",
    {},
    { mode: "run", added: [added("wipe", 0.95, "run_bash", "rm -rf cache")] },
  );
  assert.deepEqual(namesOf(run), ["ask_user"]);
});
