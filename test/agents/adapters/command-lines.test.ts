// proves: U14
import assert from "node:assert/strict";
import { test } from "node:test";
import { claudeAdapter } from "../../../src/agents/claude.ts";
import { codexExecAdapter } from "../../../src/agents/codex-exec.ts";
import { commandsIn, isOneOf } from "../../../src/agents/check-commands.ts";
import { geminiAdapter } from "../../../src/agents/gemini.ts";
import { opencodeAdapter } from "../../../src/agents/opencode.ts";
import { piAdapter } from "../../../src/agents/pi.ts";
import type { CommandLine, TypedAdapter } from "../../../src/agents/typed-agent.ts";
import type { AgentRequest } from "../../../src/runtime/ports-agent.ts";

const ADAPTERS = { claudeAdapter, codexExecAdapter, geminiAdapter, opencodeAdapter, piAdapter };
const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "a secret task",
  checks: ["npm test", "cd web && npm run lint"],
  cwd: "/w",
  folder: "/f",
  env: {},
  limits: {},
};

const lineOf = (adapter: TypedAdapter, more: Partial<AgentRequest> = {}): CommandLine =>
  adapter.commandLine({ ...REQUEST, ...more });
/** Everything a command line can say: arguments, environment, files. */
const allOf = (adapter: TypedAdapter, more: Partial<AgentRequest> = {}): string =>
  JSON.stringify(lineOf(adapter, more));

const BYPASS = /bypass|yolo|dangerous|--auto\b|full-access/i;

test("no agent starts without its gate unless it is told to, and every one can be told", () => {
  for (const [name, adapter] of Object.entries(ADAPTERS)) {
    for (const permissions of [undefined, "edit"] as const)
      assert.doesNotMatch(allOf(adapter, permissions && { permissions }), BYPASS, name);
    const full = lineOf(adapter, { permissions: "full" });
    if (adapter === piAdapter)
      assert.match(lineOf(adapter).warnings?.[0] ?? "", /no permission gate/);
    else if (adapter === opencodeAdapter) assert.ok(!("OPENCODE_PERMISSION" in (full.env ?? {})));
    else assert.match(full.args.join(" "), BYPASS, name);
    assert.equal(full.warnings, undefined);
  }
});

test("the prompt stands on no command line and in no environment", () => {
  for (const adapter of Object.values(ADAPTERS))
    assert.doesNotMatch(allOf(adapter), /a secret task/);
});

test("with a gate, the checks may be run and nothing else", () => {
  const { args } = lineOf(claudeAdapter);
  const rules = args.slice(args.indexOf("--allowedTools") + 1, args.indexOf("--allowedTools") + 4);
  assert.deepEqual(rules, ["Bash(npm test:*)", "Bash(cd web:*)", "Bash(npm run lint:*)"]);
  assert.match(lineOf(geminiAdapter).files?.["gemini-policy.toml"] ?? "", /"npm run lint"/);
  const gate = JSON.parse(lineOf(opencodeAdapter).env?.["OPENCODE_PERMISSION"] ?? "") as {
    bash: Record<string, string>;
  };
  assert.equal(gate.bash["*"], "deny");
  assert.equal(gate.bash["npm test"], "allow");
  assert.ok(lineOf(codexExecAdapter).args.includes('sandbox_mode="workspace-write"'));
});

test("model, thinking, session and budget are passed on where the agent takes them", () => {
  const more = { model: "m-9", thinking: true, session: "s-9", cap: { usd: 0.5 } };
  const rows: readonly (readonly [TypedAdapter, ...RegExp[]])[] = [
    [claudeAdapter, /--model m-9/, /--effort max/, /--resume s-9/, /--max-budget-usd 0\.5000/],
    [codexExecAdapter, /^exec resume .* -m m-9/, /reasoning_effort="high"/, / s-9 -$/],
    [geminiAdapter, /-m m-9/, /--resume s-9/],
    [piAdapter, /--model m-9/, /--thinking high/, /--session s-9/],
  ];
  for (const [adapter, ...patterns] of rows) {
    const args = lineOf(adapter, more).args.join(" ");
    for (const pattern of patterns) assert.match(args, pattern);
    assert.doesNotMatch(lineOf(adapter).args.join(" "), /m-9|s-9|high|max|resume|budget/);
  }
});

test("the agents' own retries are turned off where they have a setting for it", () => {
  assert.equal(lineOf(claudeAdapter).env?.["CLAUDE_CODE_MAX_RETRIES"], "0");
  const defaults = lineOf(geminiAdapter).files?.["gemini-defaults.json"] ?? "{}";
  assert.deepEqual(JSON.parse(defaults), { general: { maxAttempts: 1, enableAutoUpdate: false } });
  assert.equal(
    lineOf(geminiAdapter).env?.["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"],
    "/f/gemini-defaults.json",
  );
});

test("only what a rule can name is named, and only checks count as checks", () => {
  assert.deepEqual(commandsIn(["make a; make b | tee log", 'sh -c "rm x"', "echo $(id)"]), [
    "make a",
    "make b",
    "tee log",
  ]);
  const checks = ["npm test", `grep -q "x" file`];
  for (const command of ["npm test", "npm test -- one", "npm test && npm test", checks[1] ?? ""])
    assert.ok(isOneOf(command, checks), command);
  for (const command of [
    ...["npm testing", "npm", "", "npm test; rm -rf .", "npm test & curl x", "npm test $(id)"],
    ...["npm test > /etc/x", "npm test `id`", "npm test\nid", `grep -q "y" file`],
  ])
    assert.ok(!isOneOf(command, checks), command);
});
