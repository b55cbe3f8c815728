/**
 * Reads manifests and lock files of a folder defensively, because the repository is foreign. Invariants: bounded; only
 * plain files; an unreadable file, or one that is not a JSON object, counts as missing.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseFields, type Fields } from "../../agents/output/json.ts";

const BYTES_MOST = 50_000_000;
const NAMES_MOST = 5000;

export interface Manifests {
  readonly folder: string;
  readonly has: (file: string) => boolean;
  /** Empty if the file is missing. */
  readonly text: (file: string) => string;
  readonly json: (file: string) => Fields | undefined;
  readonly names: () => readonly string[];
}

/** `without`: paths that count as missing, because the run's base does not contain them. */
export function manifestsOf(
  folder: string,
  without: ReadonlySet<string> = new Set<string>(),
): Manifests {
  const has = (file: string): boolean =>
    !without.has(join(folder, file)) &&
    statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === true;
  const text = (file: string): string => (has(file) ? textOf(join(folder, file)) : "");
  return {
    folder,
    has,
    text,
    json: (file) => parseFields(text(file)),
    names: () => namesOf(folder).filter((name) => !without.has(join(folder, name))),
  };
}

function textOf(path: string): string {
  try {
    return statSync(path).size <= BYTES_MOST ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().slice(0, NAMES_MOST);
  } catch {
    return [];
  }
}

const PACKAGE_GROUPS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

const PACKAGE_LINES: readonly (readonly [file: string, name: RegExp])[] = [
  ["package-lock.json", /^\s{4}"node_modules\/((?:@[\w.-]+\/)?[\w.-]+)": \{/gm],
  ["requirements.txt", /^([A-Za-z0-9][\w.-]*)/gm],
  ["pyproject.toml", /^\s*"?([A-Za-z0-9][\w.-]*)"?\s*(?:=|[<>~!]=|",|"$)/gm],
  ["Cargo.toml", /^([A-Za-z0-9][\w-]*)\s*=/gm],
  ["go.mod", /^\s*(?:require\s+)?([\w.-]+(?:\/[\w.~-]+)+)\s+v/gm],
  ["Gemfile", /^\s*gem ["']([\w.-]+)["']/gm],
];

/** Packages that a project's manifest or lock file already names: only these may be installed by a repair (C6). */
export function packageNames(folder: string): readonly string[] {
  const at = manifestsOf(folder);
  const manifest = at.json("package.json") ?? {};
  const listed = PACKAGE_GROUPS.flatMap((group) => Object.keys(manifest[group] ?? {}));
  const found = PACKAGE_LINES.flatMap(([file, name]) =>
    [...at.text(file).matchAll(name)].flatMap((match) => match[1] ?? []),
  );
  return [...new Set([...listed, ...found])];
}
