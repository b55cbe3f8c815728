/**
 * The commands that check a project, according to its files: of the nearest project at or above a folder, or of those
 * just below the root if the root has none. The table lists the readers in order. Invariants: nothing is run; commands
 * are written to be run in the root; a command that would watch or serve is never included.
 */
import { join, relative } from "node:path";
import { pathUp, projectsBelow } from "../found-setup.ts";
import type { Environment } from "../ecosystems.ts";
import { manifestsOf } from "../manifests.ts";
import { inFolder } from "../node-installer.ts";
import { cargo, cmake, dotnet, go, gradle, maven, swift } from "./compiled.ts";
import { deno, elixir, php, ruby } from "./interpreted.ts";
import { packageScripts } from "./package-scripts.ts";
import { python } from "./python.ts";
import { NOTHING, together, type FoundCheck, type Reader, type Reading } from "./reading.ts";
import { just, make } from "./task-files.ts";

/** All findings of a row count; a row is used only if those before it found nothing. */
const READERS: readonly (readonly Reader[])[] = [
  [
    ...[packageScripts, deno, python, cargo, go],
    ...[gradle, maven, dotnet, cmake, swift, ruby, php, elixir],
  ],
  [make],
  [just],
];

const PROJECTS_MOST = 5;

export const findProjectChecks = (root: string, folder: string): readonly FoundCheck[] =>
  lookForChecks(root, folder).checks;

/** Also returns what looked like a check and cannot be one. */
export function lookForChecks(
  root: string,
  folder: string,
  env: Environment = process.env,
): Reading {
  const near = pathUp(root, folder).map((place) => checksIn(root, place, env));
  const own = near.find(({ checks }) => checks.length > 0);
  const left = together(near).leftOut;
  if (own !== undefined) return { checks: own.checks, leftOut: own.leftOut };
  if (folder !== root) return { checks: [], leftOut: left };
  const below = projectsBelow(root)
    .map((place) => checksIn(root, place, env))
    .filter(({ checks, leftOut }) => checks.length > 0 || leftOut.length > 0);
  return together([{ checks: [], leftOut: left }, ...below.slice(0, PROJECTS_MOST)]);
}

function checksIn(root: string, place: string, env: Environment): Reading {
  const at = manifestsOf(place);
  const below = relative(root, place);
  let reading = NOTHING;
  for (const readers of READERS) {
    reading = together([reading, ...readers.map((read) => read(at, env))]);
    if (reading.checks.length > 0) break;
  }
  const { checks, leftOut } = reading;
  return {
    checks: checks.map(({ run, from, ...more }) => ({
      run: inFolder(below, run),
      from: join(below, from),
      ...more,
    })),
    leftOut: leftOut.map((one) => ({ ...one, from: join(below, one.from) })),
  };
}
