/**
 * `npm run bench`: every benchmark, or those named; arguments that begin with `--` are passed on to them. Each prints
 * ratios and exits 1 if a goal is missed.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const given = process.argv.slice(2);
const flags = given.filter((word) => word.startsWith("--"));
const asked = given.filter((word) => !word.startsWith("--"));
let missed = 0;
for (const file of globSync("bench/*.ts").sort()) {
  const name = file.replace(/^bench[/\\]|\.ts$/g, "");
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n== ${name}`);
  if (spawnSync(process.execPath, [file, ...flags], { stdio: "inherit" }).status !== 0) missed += 1;
}
process.exitCode = missed > 0 ? 1 : 0;
