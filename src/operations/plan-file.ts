/**
 * Where a plan file lies, and which folder of the repository a command is meant for. Invariant: looks no higher
 * than the repository's root.
 */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { pathUp } from "./setup/repository-setup.ts";

export const PLAN_FILE = "unstuck.yaml";

/** The nearest plan at or above a folder of the repository. */
export const findPlan = (root: string, folder: string): string | undefined =>
  pathUp(root, folder)
    .map((place) => join(place, PLAN_FILE))
    .find((file) => existsSync(file));

/** The folder if it lies in the repository, else the root. */
export function folderIn(root: string, folder: string): string {
  const inside = relative(root, folder);
  return isAbsolute(inside) || inside === ".." || inside.startsWith("../") ? root : folder;
}
