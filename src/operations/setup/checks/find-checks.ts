/** The checks of the nearest project at or above a folder, written to be run in the repository's root. */
import { join, relative } from "node:path";
import { pathUp } from "../found-setup.ts";
import { findChecks } from "../init.ts";
import { inFolder } from "../node-installer.ts";

export interface FoundCheck {
  readonly run: string;
  /** The file that says so. */
  readonly from: string;
}

export function findProjectChecks(root: string, folder: string): readonly FoundCheck[] {
  for (const place of pathUp(root, folder)) {
    const found = findChecks(place);
    const below = relative(root, place);
    if (found.length > 0)
      return found.map(({ run, from }) => ({ run: inFolder(below, run), from: join(below, from) }));
  }
  return [];
}
