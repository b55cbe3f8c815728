/**
 * What a walk from the checks has reached so far, within its bounds. Imports the matcher. Invariant: a bound that is met makes
 * the walk unclear, never wrong in silence.
 */
import type { TreeFiles } from "./contract.ts";
import { globMatcher } from "./glob.ts";

export interface Reached {
  readonly role: "test" | "steering" | "script";
  /** The work itself, not a judge. */
  readonly source: boolean;
  /** The file that names it; undefined: a check does. */
  readonly from: string | undefined;
  /** How it was found: named in full, or looked up by a tool that would else take another (or none: "only"). */
  readonly found: "named" | "shadow" | "only";
}

export interface Walk {
  readonly files: Map<string, Reached>;
  readonly tools: Set<string>;
  unclear: boolean;
  /** Scripts that are run, by the manifest that holds them. */
  readonly scripts: Map<string, Set<string>>;
  /** Manifests that take the place of another further up. */
  readonly shadowing: Set<string>;
  readonly tests: ((path: string) => boolean)[];
}

/** The tree with quick look-ups. */
export interface IndexedTree extends TreeFiles {
  readonly has: (path: string) => boolean;
  /** Not a file of the base: it may take the place of one, so the one behind it is followed too. */
  readonly isNew: (path: string) => boolean;
}

export const newWalk = (): Walk => ({
  files: new Map(),
  tools: new Set(),
  unclear: false,
  scripts: new Map(),
  shadowing: new Set(),
  tests: [],
});

const MATCHERS_MAX = 100;

export function addTests(walk: Walk, glob: string): void {
  if (walk.tests.length < MATCHERS_MAX) walk.tests.push(globMatcher(glob));
  else walk.unclear = true;
}

export function addScript(walk: Walk, manifest: string, name: string): boolean {
  const known = walk.scripts.get(manifest) ?? new Set();
  walk.scripts.set(manifest, known);
  if (known.has(name) || known.size > 300) return false;
  known.add(name);
  return true;
}
