/** What an attempt did that its commit does not hold. Invariant: reads only. */
import { text } from "./git.ts";
import { settled } from "./refusal.ts";
import { loadSnapshot } from "./snapshot.ts";
import type { Result, Run } from "./types.ts";

export interface LeftOut {
  /** Submodules the attempt changed inside: the result keeps the commit that was recorded. */
  readonly submodules: readonly string[];
}

/** Between two snapshots, by label: what a setup made before the first is not the attempt's. */
export const leftOutOf = (
  run: Run,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<Result<LeftOut>> =>
  settled(async () => {
    const from = await loadSnapshot(run, before);
    const to = await loadSnapshot(run, after);
    const entryIn = ({ inside }: typeof to, path: string): string | undefined =>
      inside.find((each) => each.path === path)?.entry;
    const paths = [...from.inside, ...to.inside].map(({ path }) => path);
    const changed = paths.filter((path) => entryIn(from, path) !== entryIn(to, path));
    return { submodules: [...new Set(changed)].sort().map(text) };
  });
