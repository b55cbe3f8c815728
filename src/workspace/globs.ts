/** Whether a path of the repository fits one of several globs; for what set-up reads. Imports node:path. */
import { matchesGlob } from "node:path";

/** `*` and `**` match names that begin with a dot too: a change that is missed would be worse than one too many. */
export const matchesAny = (path: string, globs: readonly string[]): boolean =>
  globs.some((glob) => matchesGlob(path, glob) || matchesGlob(undotted(path), undotted(glob)));

/** Dots at the start of a name made an ordinary letter, in path and glob alike. */
const undotted = (text: string): string => text.replace(/(^|\/)(?=\.[^./])/g, "$1\u0001");
