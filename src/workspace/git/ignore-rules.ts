/**
 * Ignore rules frozen at the start of an attempt: all `.gitignore` files of a tree as one list of patterns, so that
 * later edits by an agent hide nothing from a snapshot. Texts and paths are latin1 bytes, as git gives them. A rule
 * that cannot be expressed is left out, which makes a snapshot larger, never smaller.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Converts `lines` of a `.gitignore` in `folder` ("" is the top) to patterns that mean the same at the top. */
function rulesAtTop(folder: string, lines: string): string {
  if (folder.includes("\n")) return "";
  return lines
    .replace(/^\xef\xbb\xbf/, "")
    .split("\n")
    .map((line) => ruleAtTop(folder, line.endsWith("\r") ? line.slice(0, -1) : line))
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

function ruleAtTop(folder: string, line: string): string {
  if (line === "" || line.startsWith("#") || folder === "") return line;
  const negated = line.startsWith("!");
  const pattern = negated ? line.slice(1) : line;
  const named = pattern.replace(/^\//, "");
  if (/^ *$/.test(named)) return "";
  const anchored = withoutTrailing(pattern).includes("/");
  return `${negated ? "!" : ""}/${literal(folder)}/${anchored ? "" : "**/"}${named}`;
}

/** A trailing slash means "a folder"; it does not anchor the pattern. */
function withoutTrailing(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === " ") end -= 1;
  return pattern.slice(0, pattern[end - 1] === "/" ? end - 1 : end);
}

/** A pattern that matches only this path, from the top. */
export const anchored = (path: string): string => `/${literal(path)}`;

const literal = (path: string): string => path.replace(/[\\*?[\] #!]/g, "\\$&");

/** All rules of the given `.gitignore` files, outer folders first; deeper rules win, as in git. */
export async function freezeRules(
  root: string,
  files: readonly string[],
  outside: string,
): Promise<string> {
  const depth = (path: string): number => path.split("/").length;
  const parts = [outside === "" || outside.endsWith("\n") ? outside : `${outside}\n`];
  for (const path of [...new Set(files)].sort((a, b) => depth(a) - depth(b))) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    parts.push(rulesAtTop(folder, await readRules(root, path)));
  }
  return parts.join("");
}

/** Does not follow a symlink, like git; empty if the file cannot be read. */
async function readRules(root: string, path: string): Promise<string> {
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
  try {
    const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      return size > 1_000_000 ? "" : (await file.readFile()).toString("latin1");
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

export const isIgnoreFile = (path: string): boolean =>
  path === ".gitignore" || path.endsWith("/.gitignore");
export const isAttributeFile = (path: string): boolean =>
  path === ".gitattributes" || path.endsWith("/.gitattributes");
