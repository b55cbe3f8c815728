/**
 * Installs what test/scale pins (a Restate server and its SDK), once per lock file; a marker file records which one was
 * installed.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./install-agents.ts";

const FOLDER = join(import.meta.dirname, "..", "test", "scale");

export function installScale(): boolean {
  const lock = readFileSync(join(FOLDER, "package-lock.json"));
  const digest = createHash("sha256").update(lock).digest("hex");
  const mark = join(FOLDER, "node_modules", ".installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === digest) return true;
  const started = Date.now();
  if (!npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], FOLDER)) return false;
  writeFileSync(mark, digest);
  console.error(`Restate installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return true;
}
