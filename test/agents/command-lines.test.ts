// proves: U14, U21, J10
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandLine, Driver } from "../../src/agents/agent.ts";
import { commandsIn, isOneOf } from "../../src/agents/check-commands.ts";
import { REGISTRY } from "../../src/agents/registry.ts";
import type { AgentRequest } from "../../src/runtime/ports-agent.ts";

function driverOf(name: string, version: "driver" | "older" = "driver"): Driver {
  const agent = REGISTRY.find(name);
  const driver = version === "driver" ? agent?.driver : agent?.older?.driver;
  assert.ok(driver !== undefined, name);
  return driver;
}

const claude = driverOf("claude");
const codexExec = driverOf("codex", "older");
const gemini = driverOf("gemini");
const opencode = driverOf("opencode");
const pi = driverOf("pi");
const DRIVERS = { claude, codexExec, gemini, opencode, pi };
const REQUEST: AgentRequest = {
  place: { run: "r", subtask: "s", attemptId: "r/s/1", slot: 0 },
  prompt: "a secret task",
  checks: ["npm test", "cd web && npm run lint"],
  cwd: "/w",
  folder: "/f",
  env: {},
  limits: {},
};

const lineOf = (driver: Driver, more: Partial<AgentRequest> = {}): CommandLine =>
  driver.commandLine({ ...REQUEST, ...more });
/** Everything a command line can say: arguments, environment, files. */
const allOf = (driver: Driver, more: Partial<AgentRequest> = {}): string =>
  JSON.stringify(lineOf(driver, more));

const BYPASS = /bypass|yolo|dangerous|--auto\b|full-access/i;

test("no agent starts without its gate unless it is told to, and every one can be told", () => {
  for (const [name, driver] of Object.entries(DRIVERS)) {
    for (const permissions of [undefined, "edit"] as const)
      assert.doesNotMatch(allOf(driver, permissions && { permissions }), BYPASS, name);
    const full = lineOf(driver, { permissions: "full" });
    if (driver === pi) assert.match(lineOf(driver).warnings?.[0] ?? "", /no permission gate/);
    else if (driver === opencode) assert.ok(!("OPENCODE_PERMISSION" in (full.env ?? {})));
    else assert.match(full.args.join(" "), BYPASS, name);
    assert.equal(full.warnings, undefined);
  }
});

test("the prompt stands on no command line and in no environment", () => {
  for (const driver of Object.values(DRIVERS)) assert.doesNotMatch(allOf(driver), /a secret task/);
});

test("with a gate, the checks may be run and nothing else", () => {
  const { args } = lineOf(claude);
  const rules = args.slice(args.indexOf("--allowedTools") + 1, args.indexOf("--allowedTools") + 4);
  assert.deepEqual(rules, ["Bash(npm test:*)", "Bash(cd web:*)", "Bash(npm run lint:*)"]);
  assert.match(lineOf(gemini).files?.["gemini-policy.toml"] ?? "", /"npm run lint"/);
  const gate = JSON.parse(lineOf(opencode).env?.["OPENCODE_PERMISSION"] ?? "") as {
    bash: Record<string, string>;
  };
  assert.equal(gate.bash["*"], "deny");
  assert.equal(gate.bash["npm test"], "allow");
  assert.ok(lineOf(codexExec).args.includes('sandbox_mode="workspace-write"'));
});

test("what a person allowed is let through beside the checks, exactly so, and nothing else", () => {
  const allowed = [
    { tool: "Bash", command: "npm install left-pad" },
    { tool: "Bash", command: 'cd web && git commit -m "a (b)"' },
    { tool: "WebFetch", command: "https://example.org/a?b=(c)" },
    { tool: "Write", command: "/tmp/a.txt" },
    { tool: "mcp__db__query", command: "" },
    { tool: "no tool", command: "x" },
  ];
  const { args } = lineOf(claude, { checks: [], allowed });
  assert.deepEqual(args.slice(args.indexOf("--allowedTools") + 1), [
    "Bash(npm install left-pad)",
    "Bash(cd web)",
    "WebFetch(domain:example.org)",
    "Write(//tmp/a.txt)",
    "mcp__db__query",
  ]);
  const policy = lineOf(gemini, { allowed }).files?.["gemini-policy.toml"] ?? "";
  assert.match(policy, /commandPrefix = "npm install left-pad"/);
  assert.doesNotMatch(policy, /example\.org/);
  const gate = JSON.parse(lineOf(opencode, { allowed }).env?.["OPENCODE_PERMISSION"] ?? "") as {
    bash: Record<string, string>;
  };
  assert.equal(gate.bash["npm install left-pad"], "allow");
  assert.ok(!("npm install left-pad *" in gate.bash));
  assert.equal(gate.bash["*"], "deny");
});

test("model, thinking, session and budget are passed on where the agent takes them", () => {
  const more = { model: "m-9", thinking: true, session: "s-9", cap: { usd: 0.5 } };
  const rows: readonly (readonly [Driver, ...RegExp[]])[] = [
    [claude, /--model m-9/, /--effort max/, /--resume s-9/, /--max-budget-usd 0\.5000/],
    [codexExec, /^exec resume .* -m m-9/, /reasoning_effort="high"/, / s-9 -$/],
    [gemini, /-m m-9/, /--resume s-9/],
    [pi, /--model m-9/, /--thinking high/, /--session s-9/],
  ];
  for (const [driver, ...patterns] of rows) {
    const args = lineOf(driver, more).args.join(" ");
    for (const pattern of patterns) assert.match(args, pattern);
    assert.doesNotMatch(lineOf(driver).args.join(" "), /m-9|s-9|high|max|resume|budget/);
  }
});

test("the agents' own retries are bounded where they have a setting for it", () => {
  assert.equal(lineOf(claude).env?.["CLAUDE_CODE_MAX_RETRIES"], "7");
  const defaults = lineOf(gemini).files?.["gemini-defaults.json"] ?? "{}";
  assert.deepEqual(JSON.parse(defaults), { general: { maxAttempts: 1, enableAutoUpdate: false } });
  assert.equal(lineOf(gemini).env?.["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"], "/f/gemini-defaults.json");
  // Whatever stands behind a command, its retries cannot be seen.
  const { env, files } = lineOf(driverOf("acp"));
  assert.equal(env?.["CLAUDE_CODE_MAX_RETRIES"], "2");
  assert.equal(env["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"], "/f/gemini-defaults.json");
  assert.equal(files?.["gemini-defaults.json"], defaults);
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
