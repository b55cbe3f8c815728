/**
 * Which tests a mutant meets, and in which order: those of its own folder that are not very slow, then the fast ones of
 * other folders. Kills by other tests are not counted, so the score can only be too low. Pure.
 */
export interface TimedTest {
  readonly id: string;
  readonly file: string;
  readonly ms: number;
}

/** Time limits: for one test of the mutant's own folder, for one of another folder, and for all of those together. */
const LONGEST_NEAR_MS = 1500;
const LONGEST_FAR_MS = 150;
const ALL_FAR_MS = 2000;

/**
 * The folder of src/core or test/core that contains a file; none for the files at their top. The reports' tests are in
 * test/cli/terminal.
 */
export function folderOf(file: string): string {
  const path = file.replaceAll("\\", "/");
  if (path.includes("test/cli/terminal/")) return "report";
  return /(?:src|test)\/core\/([^/]+)\//.exec(path)?.[1] ?? "";
}

export function testsFor<T extends TimedTest>(mutated: string, covering: readonly T[]): T[] {
  const own = folderOf(mutated);
  const byTime = covering.toSorted((a, b) => a.ms - b.ms);
  const near = byTime.filter(({ file, ms }) => folderOf(file) === own && ms <= LONGEST_NEAR_MS);
  const far: T[] = [];
  let spent = 0;
  for (const test of byTime) {
    if (folderOf(test.file) === own || test.ms > LONGEST_FAR_MS || spent > ALL_FAR_MS) continue;
    spent += test.ms;
    far.push(test);
  }
  return [...near, ...far];
}
