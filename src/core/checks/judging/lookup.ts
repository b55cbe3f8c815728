/**
 * Finds the files that a word in a script may refer to, the manifest or target file that a tool would use, and the
 * commands of its scripts. Invariants: returns only paths in the tree; tries a bounded number of places; a new file is
 * followed together with the one it shadows.
 */
import { UNKNOWN } from "../../shell/variables.ts";
import { globMatcher, isGlob } from "./glob.ts";
import type { Lead } from "./leads.ts";
import { LOOKS_UP, TARGET_FILES } from "./target-files.ts";
import { folderAndParents, joinPath, type IndexedTree } from "./trees.ts";
import { addScript, type Reached, type Step, type Walk } from "./walk-state.ts";

export type Place = Pick<Step, "folder" | "own">;

/** Extensions and index files that interpreters add to a name. */
const ENDINGS = (
  ".js .mjs .cjs .ts .mts .cts .tsx .jsx .json .py .rb .sh .php " +
  "/index.js /index.mjs /index.ts /__init__.py /__main__.py /main.go"
).split(" ");

/** The known part of the folder; for a script that changes into its own folder, that folder. */
export function folderIn({ folder, own }: Place): string {
  if (!folder.startsWith(UNKNOWN)) return folder;
  return joinPath(own, folder.slice(1).replace(/^\/+/, "").replaceAll(UNKNOWN, "")) ?? "";
}

/** Paths that the word may mean, existing or not. */
export function candidates(word: string, place: Place): readonly string[] {
  const known = word.slice(word.lastIndexOf(UNKNOWN) + 1);
  const isOpen = known.length < word.length || place.folder.startsWith(UNKNOWN);
  const bases = isOpen ? [place.own, folderIn(place), ""] : [place.folder];
  const relative = isOpen ? known.replace(/^\/+/, "") : known;
  if (relative === "" || relative.length > 500) return [];
  return [...new Set(bases.flatMap((base) => joinPath(base, relative) ?? []))];
}

/** Existing files for the word, tried with every ending that interpreters add. */
export function filesAt(word: string, place: Place, tree: IndexedTree): readonly string[] {
  return candidates(word, place).flatMap((path) =>
    tree.has(path) ? [path] : ENDINGS.map((ending) => path + ending).filter(tree.has),
  );
}

/** Resolved like an import: relative to the file itself, then to the working directory, then to the root. */
export function importsAt(word: string, place: Place, tree: IndexedTree): readonly string[] {
  const isModule = /^[A-Za-z_][\w.]{0,100}$/.test(word);
  const words = isModule ? [word, word.replaceAll(".", "/")] : [word];
  const bases = new Set([place.own, folderIn(place), ""]);
  return [...bases].flatMap((folder) =>
    words.flatMap((one) => filesAt(one, { folder, own: folder }, tree)),
  );
}

const MANIFESTS_MAX = 300;
const NAMES_MAX = 50;

interface FoundScripts {
  readonly commands: readonly string[];
  /** There is no script of that name, so it may be a program. */
  readonly missing: boolean;
}

export function packageScripts(
  lead: Extract<Lead, { kind: "package-script" }>,
  place: Place,
  tree: IndexedTree,
  walk: Walk,
): readonly (FoundScripts & { readonly manifest: string })[] {
  const start = joinPath(folderIn(place), lead.in) ?? "";
  const nearest = byPrecedence(folderAndParents(start), ["package.json"], tree);
  if (nearest.length > 1) walk.shadowing.add(nearest[0]!);
  const all = lead.everywhere ? tree.packages().slice(0, MANIFESTS_MAX) : [];
  return [...new Set([...nearest, ...all])].map((manifest) => ({
    manifest,
    ...scriptsOf(manifest, "scripts", [lead.name], tree, walk),
  }));
}

/**
 * The existing files in order of precedence: all new ones, up to and including the first that is in the base; only the
 * first if none is.
 */
function byPrecedence(
  folders: readonly string[],
  names: readonly string[],
  tree: IndexedTree,
): readonly string[] {
  const there = folders
    .flatMap((folder) => names.map((name) => (folder === "" ? name : `${folder}/${name}`)))
    .filter(tree.has);
  const first = there.findIndex((path) => !tree.isNew(path));
  return first < 0 ? there.slice(0, 1) : there.slice(0, first + 1);
}

/** The commands of the scripts with these names (or globs), including their `pre` and `post` scripts. */
function scriptsOf(
  manifest: string,
  key: string,
  names: readonly string[],
  tree: IndexedTree,
  walk: Walk,
): FoundScripts {
  const scripts = tree.fields(manifest)?.[key];
  if (typeof scripts !== "object" || scripts === null) return { commands: [], missing: true };
  const known = Object.keys(scripts);
  const wanted = names
    .slice(0, NAMES_MAX)
    .flatMap((name) =>
      isGlob(name) ? known.filter(globMatcher(name)).slice(0, NAMES_MAX) : [name],
    )
    .filter((name) => Object.hasOwn(scripts, name));
  const commands = wanted
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .filter((name) => Object.hasOwn(scripts, name) && addScript(walk, manifest, name))
    .flatMap((name) => commandsIn((scripts as Record<string, unknown>)[name]));
  return { commands, missing: wanted.length === 0 };
}

/** A script is one command, a list of commands, or an object with a command. */
function commandsIn(value: unknown): readonly string[] {
  if (Array.isArray(value))
    return value.filter((one) => typeof one === "string").slice(0, NAMES_MAX);
  const command =
    typeof value === "object" && value !== null && "command" in value ? value.command : value;
  return typeof command === "string" ? [command] : [];
}

interface FoundTargets {
  readonly path: string;
  readonly found: Reached["found"];
  readonly commands: readonly string[];
}

export function targetFiles(
  lead: Extract<Lead, { kind: "target" }>,
  place: Place,
  tree: IndexedTree,
  walk: Walk,
): readonly FoundTargets[] {
  const { tool, names } = lead;
  const folder = joinPath(folderIn(place), lead.in) ?? "";
  const named = lead.file === undefined ? undefined : joinPath(folder, lead.file);
  const folders = LOOKS_UP.has(tool) ? folderAndParents(folder) : [folder];
  const paths =
    named === undefined
      ? byPrecedence(folders, TARGET_FILES[tool], tree)
      : [named].filter(tree.has);
  const key = tool === "composer" ? "scripts" : tool === "deno" ? "tasks" : undefined;
  return paths.map((path, index) => ({
    path,
    found: named !== undefined ? "named" : index < paths.length - 1 ? "shadow" : "only",
    commands:
      key === undefined
        ? []
        : scriptsOf(path, key, names, tree, walk).commands.map((command) =>
            command.replace(/^@(php|composer) /, "$1 ").replace(/^@/, "composer "),
          ),
  }));
}
