// proves: D1
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { agentNamed } from "../../src/agents/start-agent.ts";
import { claude } from "../../src/agents/claude/agent.ts";
import { AGENTS, KNOWN_AGENTS, adviceFor, PLAN_AGENTS } from "../../src/agents/registry.ts";
import { versionIn, versionWarning } from "../../src/agents/agent-version.ts";

test("every known agent can be started by its name", () => {
  for (const { name } of KNOWN_AGENTS) assert.ok(agentNamed(name) !== undefined, name);
});

test("a missing agent gets its install command, a logged-out one its login command", () => {
  for (const { name, install, login } of KNOWN_AGENTS) {
    assert.ok(adviceFor(name, "agent_missing")?.includes(install));
    assert.ok(adviceFor(name, "auth_required")?.includes(login));
    assert.ok(adviceFor(name, "auth_expired")?.includes(login));
    assert.equal(adviceFor(name, "rate_limited"), undefined);
  }
  assert.equal(adviceFor("my-agent", "agent_missing"), undefined);
});

test("a version outside the tested range is warned of, one inside is not", () => {
  const { profile } = claude;
  assert.ok(profile !== undefined);
  assert.equal(versionWarning(profile, "2.1.99 (Claude Code)"), undefined);
  assert.match(versionWarning(profile, "2.2.0 (Claude Code)") ?? "", /2\.2\.0 is not tested/);
  assert.match(versionWarning(profile, "2.0.999") ?? "", /is not tested/);
  assert.equal(versionWarning(profile, "no number"), undefined);
  assert.equal(versionIn("codex-cli 0.166.0\n"), "0.166.0");
});

/** Rules are about texts that agents print, and prices about models; the plain command is no agent. */
const MAY_NAME = /^src\/core\/(?:rules\/|prices\.ts)/;

test("the core knows no agent by name", () => {
  const names = AGENTS.map(({ name }) => name).filter((name) => name !== PLAN_AGENTS.plain);
  const named = new RegExp(`\\b(?:${names.join("|")})\\b`, "i");
  const files = globSync("src/core/**/*.ts").map((file) => file.replaceAll("\\", "/"));
  const looked = files.filter((file) => !MAY_NAME.test(file));
  assert.ok(names.length > 5 && looked.length > 100);
  for (const file of looked)
    for (const [index, line] of readFileSync(file, "utf8").split("\n").entries())
      assert.doesNotMatch(line, named, `${file}:${index + 1}`);
});
