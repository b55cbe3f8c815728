/**
 * What `npm run mutate` adds to Stryker, loaded by it in each of its processes: the test runner for src/core, and a
 * checker that passes only a sample of the mutants (the others are reported as CompileError and do not count).
 */
import { createCoreRunner } from "./runner.ts";

interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly location: unknown;
  readonly replacement: string;
}

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

/** A number that depends on the mutant itself, not on its place in the list. */
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
  { kind: "TestRunner", name: "core", factory: createCoreRunner },
  { kind: "Checker", name: "sample", factory: createSampler },
];
