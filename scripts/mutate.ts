/**
 * `npm run mutate`: the mutation score of src/core (at least 85 %), by folder. All of it takes hours on two cores: `--
 * core/run` takes one folder or file, `-- --sample 600` that many mutants drawn with `--seed`, and prints the 95 %
 * interval. `-- core/run --near` tries a folder's mutants with that folder's tests only: fast, and a lower bound.
 * `--concurrency 1` leaves a core free. Which tests a mutant meets: scripts/mutation/mutant-tests.ts.
 */
import { Stryker } from "@stryker-mutator/core";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderOf } from "./mutation/mutant-tests.ts";

interface Count {
  all: number;
  tried: number;
  found: number;
  /** Of those found: by a test that timed out. On a busy machine check these again. */
  timeouts: number;
  /** The runner failed on these: they do not count, and there should be none. */
  broken: number;
}

const args = process.argv.slice(2);
const valueOf = (flag: string): string | undefined =>
  args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
const sample = valueOf("--sample");
const [asked = "core"] = args.filter(
  (arg, index) => !arg.startsWith("--") && !(args[index - 1] ?? "").startsWith("--"),
);
const files = globSync(asked.endsWith(".ts") ? `src/${asked}` : `src/${asked}/**/*.ts`).filter(
  (file) => !/core\/rules\/|schema\.ts$/.test(file),
);
// Read by the processes Stryker starts. A compiled file serves all mutants: the active one is selected at run time.
const cache = mkdtempSync(join(tmpdir(), "unstuck-mutate-"));
process.env["NODE_COMPILE_CACHE"] = cache;
process.env["UNSTUCK_MUTANT_SEED"] = valueOf("--seed") ?? "1";
if (sample !== undefined) process.env["UNSTUCK_MUTANTS"] = sample;
if (args.includes("--near")) process.env["UNSTUCK_MUTANT_FOLDER"] = folderOf(files[0] ?? "");

const results = await new Stryker({
  mutate: files,
  concurrency: Number(valueOf("--concurrency") ?? 2),
  ...(sample === undefined ? {} : { checkers: ["sample"] }),
}).runMutationTest();
rmSync(cache, { recursive: true, force: true });

const folders = new Map<string, Count>();
const total: Count = { all: 0, tried: 0, found: 0, timeouts: 0, broken: 0 };
for (const { fileName, status, statusReason } of results) {
  if (status === "Ignored") continue;
  const folder = /src\/core\/([^/]+)\//.exec(fileName.replaceAll("\\", "/"))?.[1] ?? "(top)";
  const count = folders.get(folder) ?? { all: 0, tried: 0, found: 0, timeouts: 0, broken: 0 };
  folders.set(folder, count);
  for (const each of [count, total]) {
    each.all += 1;
    if (status === "Timeout" && statusReason?.includes("Hit limit") !== true) each.timeouts += 1;
    if (status === "RuntimeError") each.broken += 1;
    if (status === "Killed" || status === "Timeout") each.found += 1;
    if (["Killed", "Timeout", "Survived", "NoCoverage"].includes(status)) each.tried += 1;
  }
}
for (const [folder, count] of [...folders].sort()) show(folder, count);
show("all", total);
if (total.found < 0.85 * total.tried) {
  console.log("below 85 %");
  process.exitCode = 1;
}

function show(name: string, { all, tried, found, timeouts, broken }: Count): void {
  const [low, high] = interval(found, tried);
  const percent = (share: number): string => (100 * share).toFixed(1);
  console.log(
    `${name.padEnd(10)} ${String(all).padStart(5)} mutants, ${String(tried).padStart(5)} tried, ` +
      `${percent(found / tried)} % found (95 %: ${percent(low)} to ${percent(high)})` +
      (timeouts > 0 ? `, ${timeouts} of them by time` : "") +
      (broken > 0 ? `; ${broken} could not be tried` : ""),
  );
}

/** Wilson's 95 % interval of a share. */
function interval(found: number, tried: number): [number, number] {
  const z = 1.96;
  const share = found / tried;
  const middle = share + (z * z) / (2 * tried);
  const half = z * Math.sqrt((share * (1 - share)) / tried + (z * z) / (4 * tried * tried));
  const scale = 1 + (z * z) / tried;
  return [(middle - half) / scale, (middle + half) / scale];
}
