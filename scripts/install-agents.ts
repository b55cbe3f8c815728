/**
 * Installs the agents that test/real-agents pins, once per lock file; a marker file records which one was installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const AGENTS_FOLDER: string = join(import.meta.dirname, "..", "test", "real-agents");

/** `withMore`: also those that are only installed on request. */
export function installAgents(withMore: boolean): boolean {
  const lock = readFileSync(join(AGENTS_FOLDER, "package-lock.json"));
  const digest = createHash("sha256").update(lock).digest("hex");
  const mark = join(AGENTS_FOLDER, "node_modules", ".installed");
  const installed = existsSync(mark) ? readFileSync(mark, "utf8") : "";
  if (installed === `${digest} all` || (!withMore && installed === digest)) return true;
  const started = Date.now();
  const only = withMore ? [] : ["--omit=dev"];
  const made = ["@anthropic-ai/claude-code", ...(withMore ? ["opencode-ai"] : [])];
  const isInstalled =
    npm(["ci", ...only, "--ignore-scripts", "--no-audit", "--no-fund"]) &&
    npm(["rebuild", ...made, "--ignore-scripts=false"]);
  if (!isInstalled) return false;
  writeFileSync(mark, withMore ? `${digest} all` : digest);
  console.error(`agents installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

export function npm(args: readonly string[], folder: string = AGENTS_FOLDER): boolean {
  const path = process.env["npm_execpath"];
  return path === undefined
    ? succeeds("npm", args, folder)
    : succeeds(process.execPath, [path, ...args], folder);
}

export function succeeds(program: string, args: readonly string[], cwd?: string): boolean {
  const { status } = spawnSync(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (status !== 0) console.error(`${program} ${args.join(" ")} failed`);
  return status === 0;
}
