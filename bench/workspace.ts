/**
 * How long a snapshot takes compared with `git add -A` on a warm index of the same tree, how many git processes an
 * attempt needs, and what a check tree costs: the first time compared with `git worktree add`, later with `git
 * checkout`, `git clean` and `git status` of the same difference; and how many checkouts a run with many stuck subtasks
 * needs (with the built command). `node bench/workspace.ts [files] [rounds]`; 10,000 files and 9 rounds by default.
 * Exits 1 if a goal is missed.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changedInCheckTree, fillCheckTree } from "../src/workspace/trees/check-tree.ts";
import type { Result } from "../src/workspace/base/refusal.ts";
import type { Run } from "../src/workspace/base/run-folder.ts";
import { countLines } from "../src/workspace/git/read-objects.ts";
import { openRun } from "../src/workspace/repository/open-run.ts";
import { snapshot } from "../src/workspace/snapshots/snapshot.ts";
import { leaseSlot } from "../src/workspace/trees/slots.ts";
import { parkedRun } from "./disk/parked-run.ts";

const GOALS = { first: 1.5, later: 2 } as const;
const PARKED = { megabytes: 100, subtasks: 200, stuck: 50, concurrency: 4 } as const;
/** Checkouts in addition to one per concurrent subtask. */
const SPARE = 4;
/** A git dir and our view of it: for each existing tree, and kept for each subtask whose tree was released. */
const GIT_DIR_BYTES = 128 * 1024;

const files = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 9);
const CHANGED = 20;
const top = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
const root = join(top, "repository");

const git = (...args: string[]): void =>
  void execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const pathOf = (n: number): string => `d${Math.floor(n / 2500)}/s${Math.floor(n / 100)}/f${n}.ts`;

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.kind}: ${result.refusal.detail}`);
  return result.value;
}

function change(folder: string, round: number): void {
  for (let index = 0; index < CHANGED; index += 1) {
    const path = pathOf(Math.floor((files / CHANGED) * index));
    appendFileSync(join(folder, path), `// round ${round}\n`);
  }
  writeFileSync(join(folder, `new-${round}.ts`), `export const round = ${round};\n`);
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** The same commits, checked out by us and by git in turn. */
async function checkTrees(run: Run): Promise<Record<"first" | "add" | "later" | "move", number>> {
  const here = (cwd: string, ...args: string[]): string =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "second");
  const commits = ["HEAD~1", "HEAD"].map((name) => here(root, "rev-parse", name).trim());
  const times = { first: [], add: [], later: [], move: [] } as Record<string, number[]>;
  const active = { ...run, control: {} };
  const fill = async (number: number, commit: string): Promise<void> => {
    const plan = { number, tree: commit, head: commit, caches: [], cold: false, ready: "none" };
    await fillCheckTree(active, { ...plan, prepare: async () => {} });
    await changedInCheckTree(active, { number, tree: commit, caches: [] });
  };
  for (let round = 0; round < rounds; round += 1) {
    const other = join(top, `worktree-${round}`);
    const [old = "", young = ""] = round % 2 === 0 ? commits : [...commits].reverse();
    times["add"]?.push(await timed(() => git("worktree", "add", "-q", "--detach", other, old)));
    times["first"]?.push(await timed(() => fill(101 + round, old)));
    times["move"]?.push(
      await timed(() => {
        here(other, "checkout", "-q", "--detach", young);
        here(other, "clean", "-ffdxq");
        here(other, "status", "--porcelain");
      }),
    );
    times["later"]?.push(await timed(() => fill(101 + round, young)));
    rmSync(other, { recursive: true });
  }
  const of = (name: string): number => median(times[name] ?? []);
  return { first: of("first"), add: of("add"), later: of("later"), move: of("move") };
}

const timed = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

async function disk(): Promise<void> {
  const { megabytes, subtasks, stuck, concurrency } = PARKED;
  const { checkoutBytes, peak, after, seconds } = await parkedRun(PARKED);
  const most = concurrency + SPARE;
  const mostBytes = most * checkoutBytes + (most + stuck) * GIT_DIR_BYTES;
  console.log(
    `disk: ${subtasks} subtasks of which ${stuck} stay stuck, concurrency ${concurrency}, ` +
      `a repository of ${megabytes} MB, ${seconds.toFixed(0)} s; beside snapshots`,
  );
  console.log(
    `while it runs               ${peak.checkouts} checkouts, ${mb(peak.bytes)}: ` +
      `goal ${most} checkouts, ${mb(mostBytes)}`,
  );
  console.log(
    `after it ended              ${after.checkouts} checkouts, ${mb(after.bytes)}: goal 0 checkouts`,
  );
  const isMore = peak.checkouts > most || peak.bytes > mostBytes;
  if (isMore || after.checkouts > 0 || after.bytes > subtasks * GIT_DIR_BYTES) process.exitCode = 1;
}

try {
  for (let n = 0; n < files; n += 1) {
    const path = join(root, pathOf(n));
    if (n % 100 === 0) mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `export const value${n} = ${n};\n`.repeat(8));
  }
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  const at = Date.now();
  const runDir = join(top, "run");
  const opening = await timed(async () => {
    value(await openRun({ id: "bench", repository: root, runDir, base: "head", at }));
  });
  const run = value(await openRun({ id: "bench", repository: root, runDir, base: "head", at }));
  const plan = { slot: "1", commit: run.base, id: "lease", at };
  const leasing = await timed(() => leaseSlot({ ...run, control: {} }, plan));
  const { worktree } = await leaseSlot({ ...run, control: {} }, plan);

  const started: string[] = [];
  const control = { onGit: (args: readonly string[]) => void started.push(args[0] ?? "") };
  const adds: number[] = [];
  const takes: number[] = [];
  const unchanged: number[] = [];
  let processes: string[] = [];
  for (let round = -1; round < rounds; round += 1) {
    started.length = 0;
    const before = { label: `${round}/before`, at, start: true };
    const idle = await timed(async () => value(await snapshot(run, worktree, before, control)));
    change(worktree.path, round);
    const after = { label: `${round}/after`, at };
    const take = await timed(async () => value(await snapshot(run, worktree, after, control)));
    const from = value(await snapshot(run, worktree, before)).tree;
    const to = value(await snapshot(run, worktree, after)).tree;
    await countLines({ ...run, control }, { from, to });
    processes = [...started];
    change(root, round);
    const add = await timed(() => git("add", "-A"));
    if (round < 0) continue; // the first round warms both indexes
    unchanged.push(idle);
    takes.push(take);
    adds.push(add);
  }
  const trees = await checkTrees(run);
  console.log(`files ${files}, changed per round ${CHANGED + 1}, rounds ${rounds}, medians`);
  console.log(`open ${ms(opening)}, lease (checkout) ${ms(leasing)}`);
  console.log(`git add -A, warm index      ${ms(median(adds))}`);
  console.log(`snapshot after an attempt   ${ms(median(takes))}`);
  console.log(`snapshot, nothing changed   ${ms(median(unchanged))}`);
  console.log(`ratio snapshot / git add -A ${(median(takes) / median(adds)).toFixed(2)}`);
  console.log(`git processes per attempt   ${processes.length} (${processes.join(", ")})`);
  console.log(
    `check tree, first           ${ms(trees.first)} (git worktree add ${ms(trees.add)}): ` +
      `ratio ${(trees.first / trees.add).toFixed(2)}, goal ${GOALS.first}`,
  );
  console.log(
    `check tree, later           ${ms(trees.later)} (git checkout, clean, status ${ms(trees.move)}): ` +
      `ratio ${(trees.later / trees.move).toFixed(2)}, goal ${GOALS.later}`,
  );
  if (trees.first / trees.add > GOALS.first || trees.later / trees.move > GOALS.later)
    process.exitCode = 1;
} finally {
  rmSync(top, { recursive: true, force: true });
}
await disk();
