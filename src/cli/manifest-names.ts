/**
 * Packages that a project's manifest or lock file names already: only these may be installed by a repair (C6).
 * Reads only known files of one folder, bounded; what cannot be read names nothing.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const FILE_BYTES_MAX = 20_000_000;

const READERS: readonly (readonly [string, (text: string) => readonly string[]])[] = [
  ["package.json", fromPackageJson],
  [
    "package-lock.json",
    (text) => captures(text, /^\s{4}"node_modules\/((?:@[\w.-]+\/)?[\w.-]+)": \{/gm),
  ],
  ["requirements.txt", (text) => captures(text, /^([A-Za-z0-9][\w.-]*)/gm)],
  [
    "pyproject.toml",
    (text) => captures(text, /^\s*"?([A-Za-z0-9][\w.-]*)"?\s*(?:=|[<>~!]=|",|"$)/gm),
  ],
  ["Cargo.toml", (text) => captures(text, /^([A-Za-z0-9][\w-]*)\s*=/gm)],
  ["go.mod", (text) => captures(text, /^\s*(?:require\s+)?([\w.-]+(?:\/[\w.~-]+)+)\s+v/gm)],
  ["Gemfile", (text) => captures(text, /^\s*gem ["']([\w.-]+)["']/gm)],
];

export function manifestNames(folder: string): readonly string[] {
  return [...new Set(READERS.flatMap(([name, read]) => read(textOf(join(folder, name)))))];
}

function textOf(path: string): string {
  try {
    return statSync(path).size > FILE_BYTES_MAX ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function fromPackageJson(text: string): readonly string[] {
  try {
    const manifest = JSON.parse(text) as Record<string, unknown>;
    return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap(
      (field) => Object.keys(manifest[field] ?? {}),
    );
  } catch {
    return [];
  }
}

const captures = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
