/** Waits for programs of an earlier process that may still be running, before their folder is touched. */
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { refuse } from "./refusal.ts";

/** Where slow programs are reported, and what ends them. A process works on one run, so there is only one watch. */
interface ProgramWatch {
  readonly tell: (words: string) => void;
  /** How a person can end the program. */
  readonly ending: string;
  readonly stop?: AbortSignal;
}

const ON_TERMINAL: ProgramWatch = {
  tell: (words) => void process.stderr.write(`unstuck: ${words}\n`),
  ending: "Ctrl-C ends it at once",
};

export let watch = ON_TERMINAL;

/** Returns a function that restores the default: messages on standard error. */
export function watchPrograms(wanted: ProgramWatch): () => void {
  watch = wanted;
  return () => {
    if (watch === wanted) watch = ON_TERMINAL;
  };
}

const quiet = new Set<string>();

const PAUSE_MS = 25;

export async function awaitOrphans(gitDir: string): Promise<void> {
  if (quiet.has(gitDir)) return;
  for (let waited = 0; await isGitRunning(gitDir); waited += PAUSE_MS) {
    if (waited > 60_000) refuse("locked", `a git of an earlier owner is still in ${gitDir}`);
    await sleep(PAUSE_MS);
  }
  await rm(join(gitDir, "index.lock"), { force: true });
  quiet.add(gitDir);
}

async function isGitRunning(gitDir: string): Promise<boolean> {
  if (!existsSync(gitDir)) return false;
  const processes = await readdir("/proc").catch(() => null);
  if (processes === null) return youngLock(join(gitDir, "index.lock"));
  const mark = `GIT_DIR=${gitDir}\0`;
  for (const id of processes) {
    if (!/^\d+$/.test(id)) continue;
    const variables = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
    if (variables.includes(mark)) return true;
  }
  return false;
}

async function youngLock(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs < 10_000;
}
