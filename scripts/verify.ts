/**
 * Everything that must pass before work lands: format, lint, types, dead code, build, package, tests. `--no-tests`
 * leaves the tests to the caller.
 */
import { spawnSync } from "node:child_process";

const STEPS: readonly (readonly [string, string, ...string[]])[] = [
  ["format", "prettier", "--check", "."],
  ["lint", "eslint", "."],
  ["types", "tsc", "-p", "."],
  ["types of the page", "tsc", "-p", "web"],
  ["dead code", "node", "scripts/run.js", "dead-code"],
  ["build", "node", "scripts/run.js", "build"],
  ["package", "publint", "--strict"],
  ["exports", "attw", "--pack", ".", "--profile", "esm-only"],
  ["tests", "node", "scripts/run.js", "test"],
];

const withTests = !process.argv.includes("--no-tests");
for (const [name, command, ...args] of STEPS.filter(([step]) => withTests || step !== "tests")) {
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`verify ${name}: ${status === 0 ? "ok" : "FAILED"} in ${seconds} s`);
  if (status !== 0) process.exit(1);
}
