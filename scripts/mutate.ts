/**
 * `npm run mutate`: the mutation score of src/core (at least 85 %). All of it takes hours on two cores: `-- core/run` mutates one
 * folder, `-- --sample 40` that many files, chosen by `--seed`.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const args = process.argv.slice(2);
const valueOf = (flag: string): string | undefined =>
  args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
const sample = Number(valueOf("--sample") ?? 0);
const seed = Number(valueOf("--seed") ?? 1);
const [folder] = args.filter(
  (arg, index) => !arg.startsWith("--") && !(args[index - 1] ?? "").startsWith("--"),
);

const files = globSync(`src/${folder ?? "core"}/**/*.ts`).filter(
  (file) => !/classify\/rules\/|schema\.ts$/.test(file),
);
const order = (file: string): number => {
  let hash = seed;
  for (const char of file) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
};
const chosen =
  sample === 0 ? files : files.toSorted((a, b) => order(a) - order(b)).slice(0, sample);
const { status } = spawnSync("stryker", ["run", "--mutate", chosen.join(",")], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
