/**
 * A disk of its own for a repository, small enough to fill: a tmpfs mounted where the repository lies. Imports node: only. Where
 * mounting is not allowed there is none, and the tests that need it say so.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  /** Leaves so many bytes. */
  readonly fill: (leave: number) => void;
  readonly free: () => void;
  readonly remount: (how: "ro" | "rw") => void;
  readonly remove: () => void;
}

const mount = (...args: string[]): boolean => spawnSync("mount", args).status === 0;

/** What is at `path` now lies on a disk of that size, at the same path. */
export function onSmallDisk(path: string, megabytes: number): SmallDisk {
  const aside = mkdtempSync(join(tmpdir(), "unstuck-disk-"));
  const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
  cpSync(path, aside, copy);
  if (!mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path))
    throw new Error("no disk could be mounted");
  cpSync(aside, path, copy);
  rmSync(aside, { recursive: true });
  const ballast = join(path, ".git", "ballast");
  return {
    fill(leave) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(ballast, "x".repeat(Math.max(0, bavail * bsize - leave)));
    },
    free: () => rmSync(ballast, { force: true }),
    remount: (how) => void mount("-o", `remount,${how}`, path),
    remove: () => void spawnSync("umount", ["-l", path]),
  };
}

/** False with a reason for the report, or nothing to skip. */
export function noSmallDisk(): string | false {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-disk-"));
  try {
    if (!mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder))
      return "needs to be allowed to mount a tmpfs";
    spawnSync("umount", [folder]);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
