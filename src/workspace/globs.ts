/** Whether a path of the repository fits one of several globs; for what set-up reads. */
import { matchesGlob } from "node:path";

/**
 * `*` and `**` match names that begin with a dot too: a change that is missed would be worse than one too many. Names that stand
 * for themselves (`**\/package.json`) are looked up, because every file of a commit is asked about.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const plain = globs.filter((glob) => /^\*\*\/[\w.-]+$/.test(glob));
  const names = new Set(plain.map((glob) => glob.slice("**/".length)));
  const others = globs.filter((glob) => !plain.includes(glob));
  const wanted = others.filter((glob) => !/^\*\*\/\*?[\w.-]+\*?[\w.-]*$/.test(glob));
  const byName = others.filter((glob) => !wanted.includes(glob)).map((glob) => glob.slice(3));
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return (
      names.has(name) ||
      byName.some((glob) => fits(name, glob)) ||
      wanted.some((glob) => fits(path, glob))
    );
  };
}

const fits = (path: string, glob: string): boolean =>
  matchesGlob(path, glob) || matchesGlob(undotted(path), undotted(glob));

/** Dots at the start of a name made an ordinary letter, in path and glob alike. */
const undotted = (text: string): string => text.replace(/(^|\/)(?=\.[^./])/g, "$1\u0001");
