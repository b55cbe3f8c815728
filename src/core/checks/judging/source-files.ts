/**
 * Which files are the work itself: named by a package manifest, in a conventional source folder, or in a Python
 * package. Invariants: reads a bounded number of manifests; callers judge a file of the base by the base's manifests,
 * so a change cannot turn a judging file into source.
 */
import { parseStrict } from "../../validate/strict-json.ts";
import type { TreeFiles } from "./contract.ts";
import { folderOf, folderAndParents, joinPath, nameOf } from "./trees.ts";

const MANIFESTS_MAX = 400;
const ENTRIES_MAX = 2000;
const DEPTH_MAX = 8;
const FOLDERS = new Set("src lib app pkg internal cmd source sources Sources include".split(" "));
const ENDINGS = ["", ...".js .mjs .cjs .ts .mts .tsx .jsx /index.js /index.ts".split(" ")];
const ENTRY_KEYS = "main module bin exports types typings browser source man".split(" ");

/** Files that make their folder a package. */
export const PACKAGE_MANIFEST =
  /^(?:package\.json|pyproject\.toml|setup\.py|setup\.cfg|Cargo\.toml|go\.mod|composer\.json|deno\.jsonc?|build\.gradle(?:\.kts)?|pom\.xml|mix\.exs|Gemfile|pubspec\.yaml|Package\.swift|[^/]{1,100}\.(?:csproj|fsproj|gemspec))$/;

/** Folders whose packages are not part of the product. */
const NO_PRODUCT =
  /(?:^|\/)(?:node_modules|vendor|tests?|spec|scripts?|ci|tools?|docs?|examples?|e2e|fixtures|benchmarks?|bench|hack)(?:\/|$)/;

export interface SourceFiles {
  /** In a folder that holds source by convention. */
  readonly inFolder: (path: string) => boolean;
  /** Source by its folder, or because a manifest names it as an entry point. */
  readonly isSource: (path: string) => boolean;
}

export function sourceFiles({ paths, read }: TreeFiles): SourceFiles {
  const packages = new Set<string>([""]);
  const python = new Set<string>();
  const entries = new Set<string>();
  let manifests = 0;
  for (const path of paths) {
    const name = nameOf(path);
    const folder = folderOf(path);
    if (name === "__init__.py" && !NO_PRODUCT.test(folder)) python.add(folder);
    if (!PACKAGE_MANIFEST.test(name) || NO_PRODUCT.test(folder)) continue;
    packages.add(folder);
    if (name !== "package.json" || (manifests += 1) > MANIFESTS_MAX) continue;
    for (const entry of entriesOf(read(path)))
      for (const ending of ENDINGS) entries.add(`${joinPath(folder, entry) ?? ""}${ending}`);
  }
  const inFolder = (path: string): boolean => {
    const above = folderAndParents(folderOf(path));
    return (
      above.some((folder) => python.has(folder)) ||
      above.some((folder) => FOLDERS.has(nameOf(folder)) && packages.has(folderOf(folder)))
    );
  };
  return { inFolder, isSource: (path) => entries.has(path) || inFolder(path) };
}

function entriesOf(text: string | undefined): readonly string[] {
  const parsed = parseStrict(text ?? "");
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return [];
  const manifest = parsed.value as Readonly<Record<string, unknown>>;
  const found: string[] = manifest["main"] === undefined ? ["index"] : [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === "string" && found.length < ENTRIES_MAX) found.push(value.slice(0, 500));
    else if (typeof value === "object" && value !== null && depth < DEPTH_MAX)
      for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  for (const key of ENTRY_KEYS) visit(manifest[key], 0);
  return found;
}
