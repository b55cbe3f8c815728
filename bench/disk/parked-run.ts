/**
 * A run of the built command on a large repository in which many subtasks get stuck and stay so: how many checkouts
 * exist at a time besides the snapshots, while it runs and after it has ended.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { diskBytes } from "../../src/workspace/base/files.ts";

export interface Load {
  readonly megabytes: number;
  readonly subtasks: number;
  readonly stuck: number;
  readonly concurrency: number;
}

export interface Used {
  readonly checkouts: number;
  readonly bytes: number;
}

export interface ParkedRun {
  /** The size of one checkout of the result, to which each finished subtask adds a small file. */
  readonly checkoutBytes: number;
  readonly peak: Used;
  readonly after: Used;
  readonly seconds: number;
}

const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "unstuck.js");
const LOOK_MS = 250;

export async function parkedRun(load: Load): Promise<ParkedRun> {
  const top = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
  const [root, home] = [join(top, "repository"), join(top, "home")];
  const env = { ...process.env, HOME: top, UNSTUCK_HOME: home };
  const command = (...args: string[]): number | null =>
    spawnSync(process.execPath, [LAUNCHER, ...args], { cwd: root, env }).status;
  try {
    makeRepository(root, load.megabytes);
    const plan = join(top, "plan.yaml");
    writeFileSync(plan, planText(top, load));
    const begun = performance.now();
    const child = spawn(
      process.execPath,
      [LAUNCHER, "run", plan, "--trust", "--recovery-budget", "0"],
      { cwd: root, env, stdio: "ignore" },
    );
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    let code: number | null | undefined;
    void ended.then((found) => (code = found));
    let peak: Used = { checkouts: 0, bytes: 0 };
    while (code === undefined) {
      const now = usedIn(home);
      peak = {
        checkouts: Math.max(peak.checkouts, now.checkouts),
        bytes: Math.max(peak.bytes, now.bytes),
      };
      await sleep(LOOK_MS);
    }
    const seconds = (performance.now() - begun) / 1000;
    if (code !== 3) throw new Error(`the run ended with ${code}, not with questions`);
    for (let n = 0; n < load.stuck; n += 1) command("resolve", `stuck-${n}/c1`, "--skip");
    command("resume");
    const files = (await diskBytes(root)) - (await diskBytes(join(root, ".git")));
    const added = (load.subtasks - load.stuck) * (await diskBytes(join(top, "agent.sh")));
    const checkoutBytes = files + added;
    return { checkoutBytes, peak, after: usedIn(home), seconds };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function makeRepository(root: string, megabytes: number): void {
  mkdirSync(root);
  for (let n = 0; n < megabytes; n += 1)
    writeFileSync(join(root, `${n}.bin`), randomBytes(1024 * 1024));
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
}

/** Subtasks that get stuck are spread evenly among the others. */
function planText(top: string, { subtasks, stuck, concurrency }: Load): string {
  const agent = join(top, "agent.sh");
  writeFileSync(
    agent,
    'case "$UNSTUCK_SUBTASK" in done-*) echo ok > "$UNSTUCK_SUBTASK.txt";; esac\necho done\n',
  );
  const each = Math.floor(subtasks / stuck);
  const lines = Array.from({ length: subtasks }, (_, n) => {
    const id = n % each === 0 && n / each < stuck ? `stuck-${n / each}` : `done-${n}`;
    return `  - { id: ${id}, prompt: do ${id}, checks: ["test -f ${id}.txt"] }`;
  });
  const head = [`agent: 'sh "${agent}" {prompt}'`, "grounding: false"];
  return [...head, `concurrency: ${concurrency}`, "subtasks:", ...lines, ""].join("\n");
}

/** Slots, check trees and our own view of them; trees being removed count too. */
function usedIn(home: string): Used {
  const runs = join(home, "runs");
  const [run = ""] = namesIn(runs);
  const workspace = join(runs, run, "workspace");
  const checkouts = ["slots", "checks"].flatMap((folder) => namesIn(join(workspace, folder)));
  const files = new Map<number, number>();
  for (const folder of ["slots", "checks", "private", "carried"])
    addFiles(files, join(workspace, folder));
  const bytes = [...files.values()].reduce((sum, one) => sum + one, 0);
  return { checkouts: checkouts.length, bytes };
}

/** By inode: a file moved during the scan counts once. */
function addFiles(files: Map<number, number>, path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  files.set(found.ino, found.blocks * 512);
  if (found.isDirectory()) for (const name of namesIn(path)) addFiles(files, join(path, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
