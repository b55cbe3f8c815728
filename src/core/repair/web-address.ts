/**
 * Web addresses from commands and errors: which are usable, and what they refer to. Invariants: never throws; user
 * names, passwords, queries and fragments, which may contain secrets, are never passed on.
 */

export interface Repository {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
  readonly branch: string;
}

/** The address without query and fragment; undefined unless it is plain http(s) without credentials. */
export function safeUrl(text: string | undefined): string | undefined {
  const trimmed = text?.replace(/[.,;:!?]{1,8}$/, "");
  if (trimmed === undefined || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPlain && url.hostname !== "" ? `${url.origin}${url.pathname}` : undefined;
}

const NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;
const BRANCH = /^(?!.*\.\.)[A-Za-z0-9_][\w./-]{0,99}$/;
const HOST = /^[A-Za-z0-9][A-Za-z0-9.:-]{0,250}$/;

/** The repository in a `git clone <address>` command. */
export function repositoryIn(words: readonly string[]): Repository | undefined {
  const clone = words.indexOf("clone");
  if (words[0] !== "git" || clone < 0) return undefined;
  const rest = words.slice(clone + 1);
  const flag = rest.findIndex((word) => word === "-b" || word === "--branch");
  const branch = flag < 0 ? "main" : (rest[flag + 1] ?? "");
  for (const word of rest) {
    const [host, owner, name] = addressParts(word) ?? [];
    if (host !== undefined && owner !== undefined && name !== undefined && BRANCH.test(branch))
      return { host, owner, name, branch };
  }
  return undefined;
}

function addressParts(word: string): readonly string[] | undefined {
  const ssh = /^git@([^:/\s]{1,250}):([^/\s]{1,100})\/([^/\s]{1,104})$/.exec(word)?.slice(1);
  const url = ssh === undefined ? safeUrl(word) : undefined;
  const parts = ssh ?? (url === undefined ? [] : [new URL(url).host, ...pathNames(url)]);
  const [host = "", owner = "", repository = ""] = parts;
  const name = repository.replace(/\.git$/, "");
  const isWhole = parts.length === 3 && HOST.test(host) && NAME.test(owner) && NAME.test(name);
  return isWhole ? [host, owner, name] : undefined;
}

const pathNames = (url: string): string[] =>
  new URL(url).pathname.split("/").filter((segment) => segment !== "");

/** The URL of a branch's source archive on common hosts. */
export function archiveUrl({ host, owner, name, branch }: Repository): string {
  const base = `https://${host}/${owner}/${name}`;
  return /(?:^|\.)gitlab\./.test(host)
    ? `${base}/-/archive/${branch}/${name}-${branch.replaceAll("/", "-")}.tar.gz`
    : `${base}/archive/refs/heads/${branch}.tar.gz`;
}

const isPrivateHost = (host: string): boolean =>
  !host.includes(".") ||
  /^[\d.]{1,20}$/.test(host) ||
  /\.(?:local|internal|lan|test|localhost|home|corp)$/.test(host);

/** The same content on another host, following the source document's two examples; undefined for a private host. */
export function mirrorUrl(address: string): string | undefined {
  const url = new URL(address);
  if (isPrivateHost(url.hostname) || url.port !== "") return undefined;
  const [owner, name, view, branch, ...file] = pathNames(address);
  const isFile = (view === "blob" || view === "raw") && file.length > 0;
  return url.hostname === "github.com" && isFile
    ? `https://raw.githubusercontent.com/${owner}/${name}/${branch}/${file.join("/")}`
    : `https://web.archive.org/web/2/${url.href}`;
}
