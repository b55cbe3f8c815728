/**
 * `npm run test:scale`: runs of a fleet on a real Restate server with real workers, all on this machine. Installs what
 * test/scale pins, once per lock file. `-- --large` adds the slow tests; words select tests by name.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { installScale } from "./install-scale.ts";

const given = process.argv.slice(2);
const names = given.filter((word) => !word.startsWith("--"));
if (installScale()) {
  const files = [...globSync("test/scale/*.test.ts"), "test/engines/blobs-s3.test.ts"].sort();
  const begun = Date.now();
  const { status } = spawnSync(
    process.execPath,
    [
      ...["--test", "--test-concurrency=2", "--test-reporter=spec"],
      ...names.map((name) => `--test-name-pattern=${name}`),
      ...files,
    ],
    {
      stdio: "inherit",
      env: { ...process.env, ...(given.includes("--large") ? { UNSTUCK_FULL: "1" } : {}) },
    },
  );
  console.log(`more than one machine: ${Math.round((Date.now() - begun) / 1000)} s`);
  process.exitCode = status ?? 1;
} else process.exitCode = 1;
