/**
 * Finds the manifest or target file that a tool takes, and the commands of the scripts in it. Invariants: bounded;
 * a new file is followed together with the one it stands before.
 */
import { globMatcher, isGlob } from "./glob.ts";
import type { Lead } from "./leads.ts";
import { folderIn } from "./lookup.ts";
import type { Place } from "./lookup.ts";
import { LOOKS_UP, TARGET_FILES } from "./target-files.ts";
import { foldersUp, joined } from "./tree-paths.ts";
import { addScript } from "./walk-state.ts";
import type { IndexedTree, Walk } from "./walk-state.ts";

const MANIFESTS_MAX = 300;
const NAMES_MAX = 50;

export interface FoundScripts {
  readonly manifest: string;
  readonly commands: readonly string[];
  /** No script of that name: it may be a program. */
  readonly missing: boolean;
}

type PackageLead = Extract<Lead, { kind: "package-script" }>;
type TargetLead = Extract<Lead, { kind: "target" }>;

export function packageScripts(
  lead: PackageLead,
  place: Place,
  tree: IndexedTree,
  walk: Walk,
): readonly FoundScripts[] {
  const start = joined(folderIn(place), lead.in) ?? "";
  const nearest = taken(
    foldersUp(start).map((folder) => inside(folder, "package.json")),
    tree,
  );
  if (nearest.length > 1) walk.shadowing.add(nearest[0]!);
  const all = lead.everywhere ? tree.packages().slice(0, MANIFESTS_MAX) : [];
  return [...new Set([...nearest, ...all])].map((manifest) => ({
    manifest,
    ...scriptsOf(manifest, "scripts", [lead.name], tree, walk),
  }));
}

/** Of files by precedence those that can be taken: all new ones up to the first of the base. */
function taken(paths: readonly string[], tree: IndexedTree): readonly string[] {
  const there = paths.filter(tree.has);
  const first = there.findIndex((path) => !tree.isNew(path));
  return first < 0 ? there.slice(0, 1) : there.slice(0, first + 1);
}

const inside = (folder: string, name: string): string =>
  folder === "" ? name : `${folder}/${name}`;

/** The commands of the scripts of these names (or globs), with what runs before and after each. */
function scriptsOf(
  manifest: string,
  key: string,
  names: readonly string[],
  tree: IndexedTree,
  walk: Walk,
): { readonly commands: readonly string[]; readonly missing: boolean } {
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

/** A script is one command, a list of them, or an object with one. */
function commandsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value))
    return value.filter((one) => typeof one === "string").slice(0, NAMES_MAX);
  const command =
    typeof value === "object" && value !== null
      ? (value as { command?: unknown }).command
      : undefined;
  return typeof command === "string" ? [command] : [];
}

export interface FoundTargets {
  readonly path: string;
  readonly found: "named" | "shadow" | "only";
  readonly commands: readonly string[];
  readonly names: readonly string[];
}

export function targetFiles(
  lead: TargetLead,
  place: Place,
  tree: IndexedTree,
  walk: Walk,
): readonly FoundTargets[] {
  const folder = joined(folderIn(place), lead.in) ?? "";
  const folders = LOOKS_UP.has(lead.tool) ? foldersUp(folder) : [folder];
  const named = lead.file === undefined ? undefined : joined(folder, lead.file);
  const paths =
    named !== undefined
      ? [named].filter(tree.has)
      : taken(
          folders.flatMap((one) => TARGET_FILES[lead.tool].map((name) => inside(one, name))),
          tree,
        );
  return paths.map((path, index) => ({
    path,
    found: named !== undefined ? "named" : index < paths.length - 1 ? "shadow" : "only",
    commands: manifestCommands(lead, path, tree, walk),
    names: lead.names,
  }));
}

function manifestCommands(
  { tool, names }: TargetLead,
  path: string,
  tree: IndexedTree,
  walk: Walk,
): readonly string[] {
  if (tool !== "composer" && tool !== "deno") return [];
  const key = tool === "composer" ? "scripts" : "tasks";
  return scriptsOf(path, key, names, tree, walk).commands.map((command) =>
    command.replace(/^@(php|composer) /, "$1 ").replace(/^@/, "composer "),
  );
}
