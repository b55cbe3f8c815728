import assert from "node:assert/strict";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { lookForChecks } from "../../../src/operations/setup/checks/find-checks.ts";
import { planText } from "../../../src/operations/setup/plan-text.ts";
import { readPlan } from "../../../src/core/plan/read-plan.ts";
import { inFolder, unstuck } from "../../cli/command.ts";

const PROJECTS: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    { "package.json": '{"scripts":{"test":"node --test","lint":"eslint .","start":"x"}}' },
    ["npm run lint", "npm test"],
  ],
  [
    { "package.json": '{"scripts":{"test":"vitest"}}', "pnpm-lock.yaml": "" },
    ["pnpm run test --run"],
  ],
  [{ "package.json": '{"scripts":{"test":"x"}}', "bun.lock": "" }, ["bun run test"]],
  [{ "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, []],
  [{ "package.json": '{"scripts":["test"]}' }, []],
  [{ "package.json": "{ broken" }, []],
  [
    { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n" },
    ["ruff check .", "python -m pytest -q"],
  ],
  [{ "pyproject.toml": '[project]\nname = "pytester"\n' }, []],
  [{ "pyproject.toml": "[tool.pytest]\n", "uv.lock": "" }, ["uv run python -m pytest -q"]],
  [{ "pyproject.toml": "[tool.mypy]\n", "poetry.lock": "" }, ["poetry run mypy ."]],
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
        lookForChecks(folder, folder, {}).checks.map(({ run }) => run),
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
    "cd 'we b' && npm test",
    "cd web && go test ./...",
  );
  const setup = fc.uniqueArray(
    fc.constantFrom(
      "npm ci",
      "uv sync --frozen",
      "cd 'a b' && npm ci",
      'cd "#: x" && make',
      "cd 'n\nl' && x",
    ),
  );
  fc.assert(
    fc.property(fc.uniqueArray(agent), fc.uniqueArray(check), setup, (names, runs, commands) => {
      const agents = names.map((name) => ({ name, title: name, version: "1.2.3" }));
      const checks = runs.map((run) => ({ run, from: "package.json" }));
      const reading = readPlan(
        planText({ agents, checks, leftOut: [], setup: { commands, from: "a\nfile: #" } }),
        {},
        PLAN_AGENTS,
      );
      assert.ok(reading.ok, JSON.stringify(reading));
      const { plan, subtasks, agents: known, carry, setup: asked } = reading.value;
      assert.deepEqual(
        subtasks["goal"]?.checks.map(({ run }) => run),
        runs,
      );
      assert.deepEqual([asked, carry], [commands, []]);
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

test("set-up is written down, nothing is carried unasked, and a folder below the root says so", () => {
  inFolder((top) => {
    const bin = join(top, "bin");
    const root = join(top, "a repo");
    const web = join(root, "we b");
    for (const folder of [bin, join(web, "src"), join(root, ".venv"), join(root, "build")])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(bin, "npm"), "#!/bin/sh\n", { mode: 0o755 });
    execFileSync("git", ["init", "-q", root]);
    writeFileSync(join(root, ".venv/pyvenv.cfg"), "");
    writeFileSync(join(web, "package.json"), '{"scripts":{"test":"x"},"dependencies":{"a":"1"}}');
    writeFileSync(join(web, "package-lock.json"), "{}");
    mkdirSync(join(web, "node_modules"));
    const init = (cwd: string): string =>
      unstuck(["init", "--print"], {
        cwd,
        env: {
          PATH: `${bin}:${process.env["PATH"] ?? ""}`,
          HOME: top,
          UNSTUCK_HOME: join(top, "s"),
        },
      }).out;
    for (const folder of [web, join(web, "src")]) {
      const reading = readPlan(init(folder), {}, PLAN_AGENTS);
      assert.ok(reading.ok, JSON.stringify(reading));
      const { setup, carry, subtasks } = reading.value;
      assert.deepEqual([setup, carry], [["cd 'we b' && npm ci"], []]);
      assert.deepEqual(
        subtasks["goal"]?.checks.map(({ run }) => run),
        ["cd 'we b' && npm test"],
      );
    }
    assert.match(
      init(root),
      /setup: # from we b\/package-lock\.json\n {4}- "cd 'we b' && npm ci"\n/,
    );
    writeFileSync(join(root, ".gitignore"), "package-lock.json\n");
    assert.match(init(web), /cd 'we b' && npm install --no-package-lock/);
  });
});
