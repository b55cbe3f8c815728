/**
 * What `npm run mutate` adds to Stryker, loaded by it in each of its processes: a checker that lets only a sample of the mutants
 * through (the others are reported as CompileError and count nowhere), and the tap runner with fewer tests for each mutant: those of
 * its own folder that do not take very long, then the fast ones of other folders. Kills by other tests are not counted, so that the
 * score can only be too low. Imports the tap runner.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createTapTestRunnerFactory, type TapTestRunner } from "@stryker-mutator/tap-runner";

type MutantRunOptions = Parameters<TapTestRunner["mutantRun"]>[0];
type Mutant = MutantRunOptions["activeMutant"];
type TapFactory = ReturnType<typeof createTapTestRunnerFactory>;

/** The folder of src/core or test/core a file is in; none for the files at their top. The reports' tests are in test/terminal. */
function folderOf(file: string): string {
  const path = file.replaceAll("\\", "/");
  if (path.includes("test/terminal/")) return "report";
  return /(?:src|test)\/core\/([^/]+)\//.exec(path)?.[1] ?? "";
}

/** In Stryker's copy of the checkout, where each of its processes stands: how long each test file took before any mutant. */
const TIMES = "test-times.json";

type Times = Readonly<Record<string, number>>;

/** The longest a test file may take, of the mutant's own folder and of others. */
const LONGEST_NEAR_MS = 10_000;
const LONGEST_FAR_MS = 400;

function testsFor(mutant: Mutant, covering: readonly string[], times: Times): string[] {
  const own = folderOf(mutant.fileName);
  const timeOf = (file: string): number => times[file] ?? 0;
  const byTime = covering.toSorted((a, b) => timeOf(a) - timeOf(b));
  const isNear = (file: string): boolean => folderOf(file) === own;
  const near = byTime.filter((file) => isNear(file) && timeOf(file) <= LONGEST_NEAR_MS);
  const far = byTime.filter((file) => !isNear(file) && timeOf(file) <= LONGEST_FAR_MS);
  return [...near, ...far];
}

function createTapRunner(injector: Parameters<TapFactory>[0]): TapTestRunner {
  const runner = createTapTestRunnerFactory()(injector);
  const dryRun = runner.dryRun.bind(runner);
  const mutantRun = runner.mutantRun.bind(runner);
  let times: Times | undefined;
  runner.dryRun = async (options) => {
    const result = await dryRun(options);
    const tests = "tests" in result ? result.tests : [];
    const taken = tests.map(({ id, timeSpentMs }) => [id, timeSpentMs] as const);
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(taken)));
    return result;
  };
  runner.mutantRun = (options) => {
    const { testFilter, activeMutant } = options;
    if (testFilter === undefined) return mutantRun(options);
    times ??= existsSync(TIMES) ? (JSON.parse(readFileSync(TIMES, "utf8")) as Times) : {};
    return mutantRun({ ...options, testFilter: testsFor(activeMutant, testFilter, times) });
  };
  return runner;
}
createTapRunner.inject = ["$injector"] as const;

function createSampler() {
  const size = Number(process.env["UNSTUCK_MUTANTS"] ?? Infinity);
  const seed = Number(process.env["UNSTUCK_MUTANT_SEED"] ?? 1);
  const chosen = new Set<string>();
  return {
    init: () => Promise.resolve(),
    group: (mutants: readonly Mutant[]) => {
      const drawn = mutants.map(({ id, ...rest }) => ({ id, draw: draw(rest, seed) }));
      drawn.sort((a, b) => a.draw - b.draw);
      for (const { id } of drawn.slice(0, size)) chosen.add(id);
      return Promise.resolve([mutants.map(({ id }) => id)]);
    },
    check: (mutants: readonly Mutant[]) =>
      Promise.resolve(
        Object.fromEntries(
          mutants.map(({ id }) => [
            id,
            chosen.has(id)
              ? { status: "passed" }
              : { status: "compileError", reason: "not in the sample" },
          ]),
        ),
      ),
  };
}
createSampler.inject = [] as const;

/** A number that depends on what the mutant is, not on its place in the list. */
function draw({ fileName, location, replacement }: Omit<Mutant, "id">, seed: number): number {
  const file = fileName.replaceAll("\\", "/").replace(/^.*\/src\//, "src/");
  const text = `${seed} ${file} ${JSON.stringify(location)} ${replacement}`;
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export const strykerPlugins = [
  { kind: "TestRunner", name: "core-tap", factory: createTapRunner },
  { kind: "Checker", name: "sample", factory: createSampler },
];
