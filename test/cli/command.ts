/** Runs the built command as a user would: a real process, real pipes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT: string = join(import.meta.dirname, "..", "..");
export const LAUNCHER: string = join(ROOT, "bin", "unstuck.js");

/** For a process that lives for a second: fewer collections, and no threads to share them among. */
export const QUICK: readonly string[] = ["--min-semi-space-size=8", "--v8-pool-size=1"];

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Options {
  readonly input?: string | Buffer;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: string;
}

export function unstuck(args: readonly string[], options: Options = {}): Ran {
  const { status, stdout, stderr } = spawnSync(
    options.node ?? process.execPath,
    [...(options.node === undefined ? QUICK : []), LAUNCHER, ...args],
    {
      input: options.input ?? "",
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, NODE_OPTIONS: "", ...options.env },
      encoding: "utf8",
      timeout: 600_000,
    },
  );
  return { code: status, out: stdout, err: stderr };
}

/** A folder that is gone after the body. */
export function inFolder<T>(body: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-test-"));
  try {
    return body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
