/**
 * Everything the checks reach in one tree: what the walk finds, and what the configuration of the runners it met
 * names in turn. Invariants: bounded; never throws.
 */
import { manifestOf } from "./manifests.ts";
import type { SourceFiles } from "./source-files.ts";
import { steeringBy } from "./steering-files.ts";
import { isTestData } from "./test-conventions.ts";
import { nameOf } from "./tree-paths.ts";
import { followChecks } from "./walk.ts";
import type { IndexedTree, Walk } from "./walk-state.ts";

const FILES_MAX = 80;
const ROUNDS = 3;

export interface Reach extends Walk {
  /** A configuration picks tests by name, so a test under a new name may not be found. */
  readonly selects: boolean;
}

const SELECTS =
  /test(?:Match|Regex|Path|paths|Dir)|python_files|collect_ignore|\b(?:include|exclude|ignore|specs?|files|roots)\b|--ignore|(?:^|\s)-k\b/;
const TEXT_MAX = 64_000;
const SHARED = /^(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini)$/;
const INSTALLED = /(?:^|\/)(?:node_modules|\.yarn)\//;

export function reachOf(checks: readonly string[], tree: IndexedTree, source: SourceFiles): Reach {
  const { walk, steering } = followChecks(checks, tree, source);
  const read = new Set<string>();
  let selects = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const steers = steeringBy(walk);
    const before = walk.tools.size;
    for (const path of tree.paths) {
      if (read.size >= FILES_MAX || read.has(path) || INSTALLED.test(path) || isTestData(path))
        continue;
      const text = SHARED.test(nameOf(path))
        ? sharedText(path, tree, walk)
        : steers(path) === undefined
          ? undefined
          : (tree.read(path) ?? "");
      if (text === undefined) continue;
      read.add(path);
      selects ||= SELECTS.test(text.slice(0, TEXT_MAX));
      steering(path, text);
    }
    if (walk.tools.size === before) break;
  }
  return { ...walk, selects };
}

/** The steering part of a shared manifest. */
function sharedText(path: string, tree: IndexedTree, walk: Walk): string | undefined {
  const text = tree.read(path);
  const scripts = new Set<string>();
  return text === undefined ? undefined : manifestOf(path, { ...walk, scripts })?.steering(text);
}
