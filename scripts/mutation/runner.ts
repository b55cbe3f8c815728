/**
 * Stryker's test runner for src/core. The tests are loaded once and run in this process, one mutant after the other; a
 * mutant that takes effect while its file loads (a pattern, a table) gets a process of its own. Invariant: what one
 * mutant leaves behind in the process affects no other: after each kill the killing test must pass again without the
 * mutant, or the process ends and Stryker starts another.
 */
import { spawn } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DryRunStatus, MutantRunStatus, TestStatus } from "@stryker-mutator/api/test-runner";
import type {
  DryRunResult,
  MutantRunOptions,
  MutantRunResult,
  TestResult,
  TestRunner,
} from "@stryker-mutator/api/test-runner";
import { filesReadBy, loadTests, type LoadedTest } from "./loaded-tests.ts";
import { folderOf, testsFor, type TimedTest } from "./mutant-tests.ts";

interface Namespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    static: Record<string, number>;
    perTest: Record<string, Record<string, number>>;
  };
}
const stryker = ((globalThis as { __stryker__?: Namespace }).__stryker__ ??= {});

const TEST_FILES = [
  "test/core/**/*.test.ts",
  "test/cli/terminal/{explanation,reports,history,review,run-view}.test.ts",
];
/** Tests of speed and memory cannot tell a mutant from the code, and take longer than all others together. */
const OF_SPEED = /linear time|takes? a moment|million steps|costs the same|grows with the output/;
/**
 * In Stryker's copy of the checkout, the working folder of its processes: the processor time of each test without a
 * mutant.
 */
const TIMES = "test-times.json";
/** How often each mutant's place is passed in the test that passes it most. */
const HITS = "test-hits.json";
/**
 * A mutant passed this many times as often counts as an endless loop. Stryker would wait for a hundred times all tests.
 */
const HITS_FACTOR = 10;
const HITS_LEAST = 10_000;
const ALONE = fileURLToPath(new URL("./run-alone.ts", import.meta.url));

type Numbers = Readonly<Record<string, number>>;
const numbersIn = (file: string): Numbers =>
  (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}) as Numbers;

export function createCoreRunner(): TestRunner {
  let tests: readonly LoadedTest[] = [];
  let timed: readonly (LoadedTest & TimedTest)[] | undefined;
  let hits: Numbers | undefined;

  const withTimes = (): readonly (LoadedTest & TimedTest)[] => {
    if (timed !== undefined) return timed;
    const times = numbersIn(TIMES);
    timed = tests.map((test) => ({ ...test, ms: times[test.id] ?? 0 }));
    return timed;
  };

  return {
    capabilities: () => ({ reloadEnvironment: true }),
    async init() {
      const folder = process.env["UNSTUCK_MUTANT_FOLDER"];
      const files = TEST_FILES.flatMap((pattern) => globSync(pattern))
        .filter((file) => folder === undefined || folderOf(file) === folder)
        .sort();
      const loaded: LoadedTest[] = [];
      for (const file of files) loaded.push(...(await loadTests(file)));
      tests = loaded.filter(({ id }) => !OF_SPEED.test(id));
    },
    async dryRun() {
      const results: TestResult[] = [];
      const times: Record<string, number> = {};
      for (const { id, file, run } of tests) {
        stryker.currentTestId = id;
        const started = process.cpuUsage();
        const failure = await failureOf(run);
        const { user, system } = process.cpuUsage(started);
        const timeSpentMs = (times[id] = (user + system) / 1000);
        const result = { id, name: id, fileName: file, timeSpentMs };
        results.push(
          failure === undefined
            ? { ...result, status: TestStatus.Success }
            : { ...result, status: TestStatus.Failed, failureMessage: failure },
        );
      }
      stryker.currentTestId = undefined;
      writeFileSync(TIMES, JSON.stringify(times));
      const { mutantCoverage } = stryker;
      writeFileSync(HITS, JSON.stringify(mostHits(Object.values(mutantCoverage?.perTest ?? {}))));
      const result: DryRunResult = { status: DryRunStatus.Complete, tests: results };
      return mutantCoverage === undefined ? result : { ...result, mutantCoverage };
    },
    async mutantRun(asked) {
      hits ??= numbersIn(HITS);
      const { testFilter, mutantActivation, activeMutant } = asked;
      const most = hits[activeMutant.id];
      const options: MutantRunOptions =
        most === undefined ? asked : { ...asked, hitLimit: HITS_LEAST + HITS_FACTOR * most };
      const all = withTimes();
      if (mutantActivation === "static") return aloneRun(options, all);
      const wanted = new Set(testFilter);
      const covering = testFilter === undefined ? all : all.filter(({ id }) => wanted.has(id));
      return warmRun(options, testsFor(options.activeMutant.fileName, covering));
    },
  };
}
createCoreRunner.inject = [] as const;

function mostHits(perTest: readonly Numbers[]): Numbers {
  const most: Record<string, number> = {};
  for (const hits of perTest)
    for (const [mutant, count] of Object.entries(hits))
      most[mutant] = Math.max(most[mutant] ?? 0, count);
  return most;
}

async function failureOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 500) : "something thrown";
  }
}

/** Returns the first test that fails with the mutant, and how many ran. */
export async function tryMutant(
  { activeMutant, hitLimit }: { activeMutant: string; hitLimit: number | undefined },
  tests: readonly LoadedTest[],
): Promise<MutantRunResult> {
  stryker.activeMutant = activeMutant;
  stryker.hitLimit = hitLimit;
  try {
    for (const [index, { id, run }] of tests.entries()) {
      stryker.hitCount = hitLimit === undefined ? undefined : 0;
      const failureMessage = await failureOf(run);
      if ((stryker.hitCount ?? 0) > (hitLimit ?? Infinity))
        return { status: MutantRunStatus.Timeout, reason: "Hit limit reached" };
      if (failureMessage !== undefined)
        return {
          status: MutantRunStatus.Killed,
          killedBy: [id],
          failureMessage,
          nrOfTests: index + 1,
        };
    }
    return { status: MutantRunStatus.Survived, nrOfTests: tests.length };
  } finally {
    stryker.activeMutant = undefined;
    stryker.hitCount = undefined;
  }
}

async function warmRun(
  { activeMutant, hitLimit }: MutantRunOptions,
  tests: readonly LoadedTest[],
): Promise<MutantRunResult> {
  const result = await tryMutant({ activeMutant: activeMutant.id, hitLimit }, tests);
  const killers =
    result.status === MutantRunStatus.Killed ? new Set(result.killedBy) : new Set<string>();
  for (const { id, run } of tests)
    if (killers.has(id) && (await failureOf(run)) !== undefined) process.exit(1);
  return result;
}

async function aloneRun(
  { activeMutant, hitLimit, sandboxFileName, timeout }: MutantRunOptions,
  all: readonly (LoadedTest & TimedTest)[],
): Promise<MutantRunResult> {
  const reads = new Map<string, boolean>();
  const covering = all.filter(({ file }) => {
    if (!reads.has(file)) reads.set(file, filesReadBy(file).has(sandboxFileName));
    return reads.get(file);
  });
  const tests = testsFor(activeMutant.fileName, covering);
  const files = [...new Set(tests.map(({ file }) => file))];
  const request = {
    activeMutant: activeMutant.id,
    hitLimit,
    files,
    ids: tests.map(({ id }) => id),
  };
  return new Promise((resolve, reject) => {
    // Before Stryker ends this process for it: a child in an endless loop would outlive it.
    const child = spawn(process.execPath, [ALONE], {
      stdio: ["pipe", "pipe", "pipe"],
      timeout: Math.max(1000, Math.round(timeout) - 2000),
      killSignal: "SIGKILL",
    });
    let out = "";
    let problem = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (problem += text));
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal === "SIGKILL") return resolve({ status: MutantRunStatus.Timeout });
      const answer = /^MUTANT (.*)$/m.exec(out)?.[1];
      if (answer !== undefined) resolve(JSON.parse(answer) as MutantRunResult);
      else
        resolve({
          status: MutantRunStatus.Killed,
          killedBy: files.slice(0, 1).map((file) => tests.find((test) => test.file === file)!.id),
          failureMessage: problem.slice(0, 500),
          nrOfTests: 1,
        });
    });
    child.stdin.end(JSON.stringify(request));
  });
}
