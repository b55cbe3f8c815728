import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { planText } from "../../src/cli/commands/init.ts";
import { findChecks } from "../../src/cli/found-checks.ts";
import { readPlan } from "../../src/core/plan/read-plan.ts";
import { inFolder, unstuck } from "../cli/command.ts";

const PROJECTS: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    { "package.json": '{"scripts":{"test":"node --test","lint":"eslint .","start":"x"}}' },
    ["npm run lint", "npm test"],
  ],
  [{ "package.json": '{"scripts":{"test":"vitest"}}', "pnpm-lock.yaml": "" }, ["pnpm test"]],
  [{ "package.json": '{"scripts":{"test":"x"}}', "bun.lock": "" }, ["bun run test"]],
  [{ "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, []],
  [{ "package.json": '{"scripts":["test"]}' }, []],
  [{ "package.json": "{ broken" }, []],
  [
    { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n" },
    ["ruff check .", "python -m pytest -q"],
  ],
  [{ "pyproject.toml": '[project]\nname = "pytester"\n' }, []],
  [{ "Cargo.toml": "[package]\n" }, ["cargo check", "cargo test"]],
  [{ "go.mod": "module x\n" }, ["go vet ./...", "go test ./..."]],
  [{ Makefile: "all: x\ntest: all\n\tgo\ncheck := 1\n" }, ["make test"]],
  [{ Makefile: "test:\n", "go.mod": "module x\n" }, ["go vet ./...", "go test ./..."]],
  [{}, []],
];

test("checks are found in the manifests of a project", () => {
  for (const [files, checks] of PROJECTS)
    inFolder((folder) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      assert.deepEqual(
        findChecks(folder).map(({ run }) => run),
        checks,
        JSON.stringify(files),
      );
    });
});

test("what is written can be read as a plan, whatever was found", () => {
  const agent = fc.constantFrom("claude", "codex", "gemini", "opencode", "pi");
  const check = fc.constantFrom(
    "npm test",
    "npm run lint",
    "go vet ./...",
    "ruff check .",
    "make test",
  );
  const carried = fc.subarray(["node_modules", ".venv"]);
  fc.assert(
    fc.property(fc.uniqueArray(agent), fc.uniqueArray(check), carried, (names, runs, paths) => {
      const agents = names.map((name) => ({ name, title: name, version: "1.2.3" }));
      const checks = runs.map((run) => ({ run, from: "package.json" }));
      const reading = readPlan(planText({ agents, checks, carried: paths }));
      assert.ok(reading.ok, JSON.stringify(reading));
      const { plan, subtasks, agents: known, carry } = reading.value;
      assert.deepEqual(
        subtasks["goal"]?.checks.map(({ run }) => run),
        runs,
      );
      assert.deepEqual(carry, paths);
      for (const name of names) assert.equal(known[name]?.adapter, name);
      assert.equal(
        new Set(plan.ladder.map((entry) => entry.agent)).size,
        Math.max(1, names.length),
      );
    }),
    { numRuns: 100 },
  );
});

test("writes unstuck.yaml once; --print writes nothing; --force overwrites", () => {
  inFolder((folder) => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "codex"), "#!/bin/sh\necho 0.166.0\n", { mode: 0o755 });
    const options = {
      cwd: folder,
      env: { PATH: bin, HOME: folder, UNSTUCK_HOME: join(folder, "s") },
    };
    const file = join(folder, "unstuck.yaml");
    const printed = unstuck(["init", "--print"], options);
    assert.equal(printed.code, 0);
    assert.match(printed.out, /# Codex 0\.166\.0\n {2}- \{ agent: codex, tier: 2 \}/);
    assert.ok(!existsSync(file));
    assert.equal(unstuck(["init"], options).code, 0);
    assert.equal(readFileSync(file, "utf8").trimEnd(), printed.out.trimEnd());
    writeFileSync(file, "mine");
    const refused = unstuck(["init"], options);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /--force/);
    assert.equal(readFileSync(file, "utf8"), "mine");
    assert.equal(unstuck(["init", "--force"], options).code, 0);
    assert.notEqual(readFileSync(file, "utf8"), "mine");
  });
});
