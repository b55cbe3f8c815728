/**
 * What a walk from the checks has reached so far, and its bounds. Invariant: hitting a bound marks the walk as unclear;
 * it is never silently wrong.
 */
import type { TreeFiles } from "./contract.ts";
import { globMatcher } from "./glob.ts";

export interface Reached {
  readonly role: "test" | "steering" | "script";
  /** Part of the work itself, not a judge. */
  readonly source: boolean;
  /** The file that names it; undefined if a check does. */
  readonly from: string | undefined;
  /**
   * How it was found: "named" explicitly, or looked up by a tool, where "shadow" hides another file the tool would use.
   */
  readonly found: "named" | "shadow" | "only";
}

export interface Walk {
  readonly files: Map<string, Reached>;
  readonly tools: Set<string>;
  unclear: boolean;
  /** The scripts that are run, by the manifest that defines them. */
  readonly scripts: Map<string, Set<string>>;
  /** Manifests that shadow another one in a parent folder. */
  readonly shadowing: Set<string>;
  readonly tests: ((path: string) => boolean)[];
}

const MATCHERS_MAX = 100;
const SCRIPTS_MAX = 300;
const READS_MAX = 400;
const CHARS_MAX = 4_000_000;
const LEADS_MAX = 40_000;
const SCANS_MAX = 50;
const DEPTH_MAX = 24;

export const newWalk = (): Walk => ({
  files: new Map(),
  tools: new Set(),
  unclear: false,
  scripts: new Map(),
  shadowing: new Set(),
  tests: [],
});

export function noteFile(walk: Walk, path: string, reached: Reached): void {
  const known = walk.files.get(path);
  if (known === undefined || (known.source && !reached.source)) walk.files.set(path, reached);
}

export function addTests(walk: Walk, glob: string): void {
  if (walk.tests.length < MATCHERS_MAX) walk.tests.push(globMatcher(glob));
  else walk.unclear = true;
}

/** False if it was already followed, or if there are too many. */
export function addScript(walk: Walk, manifest: string, name: string): boolean {
  const known = walk.scripts.get(manifest) ?? new Set();
  walk.scripts.set(manifest, known);
  const isNew = !known.has(name);
  const fits = known.size < SCRIPTS_MAX;
  if (isNew && fits) known.add(name);
  walk.unclear ||= isNew && !fits;
  return isNew && fits;
}

/** Where a lead was found. */
export interface Step {
  /** The working directory of the command. */
  readonly folder: string;
  /** The folder of the file that contains the lead. */
  readonly own: string;
  /** That file; undefined if a check contains the lead. */
  readonly from: string | undefined;
  readonly depth: number;
}

interface Bounds {
  /** The file's text, once for each way of reading it, as long as the bounds allow. */
  readonly text: (path: string, way: string) => string | undefined;
  /** Whether this lead is new at this place and may be followed. */
  readonly isFresh: (lead: object, step: Step) => boolean;
  /** Whether all paths may be scanned once more. */
  readonly mayScan: () => boolean;
}

export function walkBounds(walk: Walk, tree: TreeFiles): Bounds {
  const seen = new Set<string>();
  let chars = 0;
  const followed = new Set<string>();
  let scans = 0;
  const within = (fits: boolean): boolean => {
    walk.unclear ||= !fits;
    return fits;
  };
  return {
    text: (path, way) => {
      const mark = `${way}\n${path}`;
      if (seen.has(mark)) return undefined;
      const text = seen.size < READS_MAX && chars < CHARS_MAX ? tree.read(path) : undefined;
      seen.add(mark);
      chars += text?.length ?? 0;
      within(text !== undefined);
      return text;
    },
    isFresh: (lead, { folder, own, from, depth }) => {
      const mark = JSON.stringify([lead, folder, own, from]);
      if (followed.has(mark) || !within(followed.size < LEADS_MAX && depth <= DEPTH_MAX))
        return false;
      followed.add(mark);
      return true;
    },
    mayScan: () => within((scans += 1) <= SCANS_MAX),
  };
}
