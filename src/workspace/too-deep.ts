/**
 * Folders too deep for the system's longest path (PATH_MAX), made step by step: git warns of them and goes on.
 * Invariant: what is named is a folder that can still be moved or removed by its path. Paths are latin1 bytes.
 */
const WARNING = /could not (?:open directory '|lstat )([^\n]{3800,})/g;
/** A folder is named by this much of its path: it still fits below any other folder. */
const NAMED_LENGTH = 1000;

/** Git cuts such a warning off at 4096 characters; the reason behind the path is lost, its length is reason enough. */
export const tooDeepIn = (stderr: string): readonly string[] => [
  ...new Set(
    [...stderr.matchAll(WARNING)].map(([, path = ""]) => {
      const cut = path.lastIndexOf("/", NAMED_LENGTH);
      return path.slice(0, cut);
    }),
  ),
];
