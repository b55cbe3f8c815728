/**
 * How long carrying files takes compared with `cp -a` of the same folder: storing them at a run's start, and copying
 * them into a working tree. `node bench/carry.ts [files] [rounds]`; 20,000 small files and 5 rounds by default, medians
 * of interleaved rounds. Goal: at most 1.5 times `cp -a`, each.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../src/workspace/base/refusal.ts";
import { keepCarried } from "../src/workspace/carry/carried.ts";
import { placeCarried } from "../src/workspace/carry/place-carried.ts";
import { openRun } from "../src/workspace/repository/open-run.ts";

const files = Number(process.argv[2] ?? 20_000);
const rounds = Number(process.argv[3] ?? 5);
const GOAL = 1.5;
const top = mkdtempSync(join(tmpdir(), "unstuck-bench-"));
const root = join(top, "repository");

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.refusal.kind}: ${result.refusal.detail}`);
  return result.value;
}

const timed = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const git = (...args: string[]): void =>
  void execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

/** About ten files a package, some of them programs with links to them. */
function fill(modules: string): void {
  for (let n = 0; n < files; n += 1) {
    const folder = join(modules, `p${Math.floor(n / 10)}`, n % 3 === 0 ? "bin" : "lib");
    mkdirSync(folder, { recursive: true });
    const text = n % 3 === 0 ? "#!/usr/bin/env node\n" : "";
    writeFileSync(join(folder, `f${n}.js`), `${text}${`module.exports = ${n};\n`.repeat(20)}`);
  }
  mkdirSync(join(modules, ".bin"));
  for (let n = 0; n < files; n += 30)
    symlinkSync(`../p${Math.floor(n / 10)}/bin/f${n}.js`, join(modules, ".bin", `f${n}`));
}

try {
  fill(join(root, "node_modules"));
  writeFileSync(join(root, ".gitignore"), "node_modules/\n");
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  const [copies, keeps, lays]: [number[], number[], number[]] = [[], [], []];
  for (let round = -1; round < rounds; round += 1) {
    const runDir = join(top, `run${round}`);
    const at = Date.now();
    const run = value(
      await openRun({ id: `r${round + 1}`, repository: root, runDir, base: "head", at }),
    );
    const [copied, tree] = [join(top, "copied"), join(top, `tree${round}`)];
    mkdirSync(tree);
    const copy = await timed(() =>
      execFileSync("cp", ["-a", join(root, "node_modules"), copied], { stdio: "inherit" }),
    );
    const keep = await timed(async () => value(await keepCarried(run, ["node_modules"])));
    const carried = value(await keepCarried(run, ["node_modules"]));
    const lay = await timed(async () =>
      placeCarried({ ...run, control: {} }, carried, { path: tree }),
    );
    for (const folder of [copied, tree, runDir]) rmSync(folder, { recursive: true, force: true });
    if (round < 0) continue; // warms the file cache
    copies.push(copy);
    keeps.push(keep);
    lays.push(lay);
  }
  const ratio = (values: readonly number[]): number => median(values) / median(copies);
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  console.log(`files ${files}, rounds ${rounds}, medians; goal: at most ${GOAL} times cp -a`);
  console.log(`cp -a              ${ms(median(copies))}`);
  console.log(`keep at the start  ${ms(median(keeps))}  ratio ${ratio(keeps).toFixed(2)}`);
  console.log(`lay into a tree    ${ms(median(lays))}  ratio ${ratio(lays).toFixed(2)}`);
  process.exitCode = Math.max(ratio(keeps), ratio(lays)) > GOAL ? 1 : 0;
} finally {
  rmSync(top, { recursive: true, force: true });
}
