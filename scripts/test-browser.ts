/**
 * `npm run test:browser`: the page in a real Chromium, against a real server and a real run. Without Chromium it says
 * so and, in CI, fails. UNSTUCK_SHOTS names a folder for screenshots of every page and state.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { chromiumPath } from "../test/browser/served-page.ts";

if (chromiumPath() === undefined) {
  console.error(
    "\nTHE BROWSER TESTS DID NOT RUN: there is no Chromium on this machine.\n" +
      "Install it (Debian: apt-get install chromium), or name one: UNSTUCK_CHROMIUM=/path/to/chromium\n",
  );
  process.exitCode = process.env["CI"] === undefined ? 0 : 1;
} else {
  const files = globSync("test/browser/*.test.ts").sort();
  const { status } = spawnSync(
    process.execPath,
    ["--test", "--test-concurrency=1", "--test-reporter=spec", ...files],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
}
