/**
 * Keeps paths inside the sandbox root. Invariants: whatever the path, the result of `sandboxPath` lies strictly below
 * the root, under POSIX and Windows rules and for tools that fold Unicode look-alikes; it never names a `.git` folder.
 * Links on disk are not visible here: code that writes has to resolve the folder first.
 */

const SEPARATORS = /[/\\\u2044\u2215\u29f8\u29f5\ufe68]/;
const FORBIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffd:*?"<>|]/g;
const ONLY_DOTS_OR_SPACE = /^[.\s]*$/;
const GIT_FOLDER = /^(?:\.git|git~\d{1,3})[. ]{0,100}$/i;
const MAX_SEGMENTS = 20;
const MAX_SEGMENT_CHARS = 100;

/** The same path moved below the root: `/etc/app.conf` becomes `<root>/etc/app.conf`; undefined if no name is left. */
export function sandboxPath(root: string, path: string): string | undefined {
  const segments = safeSegments(path);
  return segments.length === 0 ? undefined : `${trimmedRoot(root)}/${segments.join("/")}`;
}

/** The path below the root if it already lies there exactly as written; else undefined. */
export function withinSandbox(root: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const base = trimmedRoot(root);
  const isAbsolute = /^(?:[/\\~]|[a-z]:)/i.test(path);
  if (isAbsolute && !path.startsWith(`${base}/`)) return undefined;
  const relative = isAbsolute ? path.slice(base.length + 1) : path;
  const written = relative.split("/").filter((segment) => segment !== "" && segment !== ".");
  const safe = safeSegments(relative);
  const unchanged = written.length > 0 && written.join("/") === safe.join("/");
  return unchanged ? `${base}/${safe.join("/")}` : undefined;
}

function safeSegments(path: string): string[] {
  return path
    .toWellFormed()
    .normalize("NFKC")
    .split(SEPARATORS)
    .map((segment) => segment.replace(FORBIDDEN, ""))
    .map((segment) => (GIT_FOLDER.test(segment) ? "_git" : segment))
    .map((segment) =>
      segment
        .slice(0, MAX_SEGMENT_CHARS)
        .toWellFormed()
        .replace(/[.\s]+$/, ""),
    )
    .filter((segment) => !ONLY_DOTS_OR_SPACE.test(segment))
    .slice(-MAX_SEGMENTS);
}

const trimmedRoot = (root: string): string => (root === "" ? "." : root.replace(/[/\\]+$/, ""));
