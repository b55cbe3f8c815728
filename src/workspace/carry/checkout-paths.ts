/**
 * Rewrites text that names the user's checkout by absolute path so that it names a working tree. Linear in the text;
 * works on bytes (latin1), so it breaks no encoding; `/a/app2`, `/a/app.old` and `/x/a/app` do not match `/a/app`; a
 * path keeps the spelling in which it was found.
 */
import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { bytes } from "../git/git.ts";

/** How a path is spelled in files: as it is, in a URL, in shell words, in JSON and Python strings. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => pathToFileURL(path).pathname,
  quotedUrl,
  (path) => path.replaceAll("'", `'"'"'`),
  (path) => path.replaceAll("'", `'\\''`),
  (path) => JSON.stringify(path).slice(1, -1),
];

/** As Python writes a path in a URL. */
function quotedUrl(path: string): string {
  return encodeURIComponent(path)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

export interface PathRewriter {
  /** Whether a text names the checkout. */
  readonly found: (text: string) => boolean;
  readonly to: (text: string, tree: string) => string;
}

/** For texts as latin1 bytes. `roots`: the checkout's path, and other paths that lead to it. */
export function pathRewriter(roots: readonly string[]): PathRewriter {
  const spelled = new Map<string, (path: string) => string>();
  for (const root of roots.filter((path) => path !== "/"))
    for (const spelling of SPELLINGS) {
      const key = bytes(spelling(root));
      if (!spelled.has(key)) spelled.set(key, spelling);
    }
  const names = [...spelled.keys()].sort((a, b) => b.length - a.length).map(escaped);
  // The name must end here: one more letter would make it another folder's name.
  const name = names.length === 0 ? "(?!)" : `(?:${names.join("|")})(?![\\w.~\\x80-\\xff-])`;
  const pattern = `(?<=-[ILF])${name}|(file://)?(?<![\\w.~\\x80-\\xff-])${name}`;
  const [one, all] = [new RegExp(pattern), new RegExp(pattern, "g")];
  return {
    found: (text) => one.test(text),
    to: (text, tree) =>
      text.replace(all, (match: string, url: string | undefined) => {
        if (url !== undefined) return url + bytes(quotedUrl(tree));
        return bytes((spelled.get(match) ?? String)(tree));
      }),
  };
}

/** The checkout's real path, and the path by which the user's shell knows it, if different. */
export function rootsOf(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const called = env["PWD"];
  if (called === undefined || !isAbsolute(called)) return [root];
  try {
    const inside = relative(root, realpathSync(called));
    if (inside.startsWith("..") || isAbsolute(inside)) return [root];
    const end = inside === "" ? "" : `/${inside}`;
    if (!called.endsWith(end)) return [root];
    const alias = called.slice(0, called.length - end.length);
    return alias === root || alias === "" ? [root] : [root, alias];
  } catch {
    return [root];
  }
}

/** Whether a path is the folder or lies inside it, judged by the text of the path alone. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === "" || (!isAbsolute(inside) && inside !== ".." && !inside.startsWith("../"));
}
