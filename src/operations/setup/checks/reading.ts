/**
 * What a reader of one ecosystem finds in a folder: commands that check the project, and what it found but left out.
 * Invariants: a command consists only of our own words and of names that are plain words; nothing is run; searching
 * below a folder is bounded, and links are not followed.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { NOT_PROJECTS } from "../found-setup.ts";
import type { Environment } from "../ecosystems.ts";
import type { Manifests } from "../manifests.ts";

export interface FoundCheck {
  readonly run: string;
  /** The file it comes from. */
  readonly from: string;
  /** Why it differs from the command one might expect. */
  readonly note?: string;
}

/** What looks like a check and cannot be one. */
export interface LeftOut {
  readonly what: string;
  readonly from: string;
  readonly why: string;
}

export interface Reading {
  readonly checks: readonly FoundCheck[];
  readonly leftOut: readonly LeftOut[];
}

export type Reader = (at: Manifests, env: Environment) => Reading;

export const NOTHING: Reading = { checks: [], leftOut: [] };

export const found = (from: string, ...runs: readonly string[]): Reading => ({
  checks: runs.map((run) => ({ run, from })),
  leftOut: [],
});

export const together = (readings: readonly Reading[]): Reading => ({
  checks: readings.flatMap(({ checks }) => checks),
  leftOut: readings.flatMap(({ leftOut }) => leftOut),
});

/** The first of these files that exists. */
export const firstOf = ({ has }: Manifests, ...files: readonly string[]): string | undefined =>
  files.find(has);

const DEPTH_MOST = 4;
const ENTRIES_MOST = 3000;
const FILES_MOST = 40;

/** Files in a folder of the project whose name matches, by their path from the project. */
export function filesBelow(
  { folder }: Manifests,
  inside: string,
  name: RegExp,
  isSkipped: (folder: string) => boolean = () => false,
): readonly string[] {
  const fitting: string[] = [];
  const waiting: (readonly [path: string, depth: number])[] = [[inside, 0]];
  let left = ENTRIES_MOST;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [path, depth] = next;
    for (const entry of entriesOf(join(folder, path))) {
      left -= 1;
      if (left < 0 || fitting.length >= FILES_MOST) return fitting;
      const at = join(path, entry.name);
      if (entry.isFile() && name.test(entry.name)) fitting.push(at);
      const isOpen = entry.isDirectory() && !entry.name.startsWith(".") && !isSkipped(entry.name);
      if (isOpen && depth < DEPTH_MOST) waiting.push([at, depth + 1]);
    }
  }
  return fitting;
}

/** The same anywhere in the project, except in vendored and built code. */
export const filesInProject = (at: Manifests, name: RegExp): readonly string[] =>
  filesBelow(at, "", name, (folder) => NOT_PROJECTS.test(folder) && !/test/.test(folder));

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } catch {
    return [];
  }
}
