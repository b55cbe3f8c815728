// proves: P1
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const SQLITE = join(import.meta.dirname, "..", "..", "src", "journal", "sqlite.ts");

/** A Node that warns while it loads SQLite, as Node 22 does, and what it printed. */
function loadedWith(warnings: readonly (readonly [text: string, type: string])[]): string {
  const program = `
    const load = process.getBuiltinModule.bind(process);
    process.getBuiltinModule = (name) => {
      for (const warning of ${JSON.stringify(warnings)}) process.emitWarning(...warning);
      return load(name);
    };
    const { sqlite } = await import(${JSON.stringify(SQLITE)});
    if (new sqlite.DatabaseSync(":memory:").prepare("SELECT 1 AS one").get().one !== 1) process.exit(9);
    process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning");`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stderr;
}

test("SQLite's warning of Node 22 is held back while it loads; every other warning is printed", () => {
  const said = loadedWith([
    ["SQLite is an experimental feature and might change at any time", "ExperimentalWarning"],
    ["VM Modules is an experimental feature", "ExperimentalWarning"],
    ["SQLite is old", "DeprecationWarning"],
  ]);
  const told = [...said.matchAll(/\w+Warning: .*/g)].map(([line]) => line);
  assert.deepEqual(told, [
    "ExperimentalWarning: VM Modules is an experimental feature",
    "DeprecationWarning: SQLite is old",
    "ExperimentalWarning: SQLite is an experimental feature",
  ]);
});
