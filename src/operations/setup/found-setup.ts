/** The projects in a repository and the commands that install what each of them needs. */
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { defined } from "../operation.ts";
import { ECOSYSTEMS, type Asked, type Environment } from "./ecosystems.ts";
import { inFolder } from "./node-installer.ts";
import { programOn } from "./found-agents.ts";
import { manifestsOf } from "./manifests.ts";

export interface FoundSetup {
  readonly commands: readonly string[];
  /** The files it comes from, in words. */
  readonly from: string;
  /** The same files, relative to the root, one per command. */
  readonly files: readonly string[];
  /** All files that require something, including those whose program is missing. */
  readonly asked: readonly string[];
  /** A program that is not on the search path, so its command is omitted. */
  readonly missing?: string;
}

/** Folders that are not projects of their own, whatever lock files they contain. */
export const NOT_PROJECTS =
  /^(?:\.|node_modules$|vendor$|third_party$|dist$|build$|target$|tests?$|fixtures?$|examples?$|__tests__$|testdata$)/;

const GROUPS = new Set(
  "packages apps services libs crates modules projects plugins src".split(" "),
);

const PROJECTS_MOST = 5;

const NAMES_MOST = 500;

/** For each ecosystem the nearest project at or above the folder; if the root has none, those just below it. */
export function findSetup(
  root: string,
  folder: string,
  env: Environment,
  without?: ReadonlySet<string>,
): FoundSetup | undefined {
  const above = pathUp(root, folder);
  const askedIn = (place: string, ask: (typeof ECOSYSTEMS)[number]): Placed[] => {
    const asked = ask(manifestsOf(place, without), env);
    return asked === undefined ? [] : [{ place, ...asked }];
  };
  // The nearest project with requirements; a workspace member is set up by its root.
  const near = ECOSYSTEMS.flatMap((ask) => {
    const asked = above.flatMap((place) => askedIn(place, ask));
    return asked.find(({ isWorkspace }) => isWorkspace === true) ?? asked.slice(0, 1);
  });
  if (near.length > 0 || folder !== root) return found(root, near, env);
  const below = projectsBelow(root).flatMap((place) =>
    ECOSYSTEMS.flatMap((ask) => askedIn(place, ask)),
  );
  return found(root, below.slice(0, PROJECTS_MOST), env);
}

type Placed = Asked & { readonly place: string };

function found(root: string, asked: readonly Placed[], env: Environment): FoundSetup | undefined {
  if (asked.length === 0) return undefined;
  const has = ({ program }: Asked): boolean => programOn(env["PATH"] ?? "", program) !== undefined;
  const [can, cannot] = [asked.filter(has), asked.filter((one) => !has(one))];
  const named = (some: readonly Placed[]): string[] =>
    some.map(({ place, file }) => relative(root, join(place, file)));
  return {
    commands: can.map(({ place, command }) => inFolder(relative(root, place), command)),
    from: named(can.length > 0 ? can : cannot).join(", "),
    files: named(can),
    asked: named(asked),
    ...defined({ missing: cannot[0]?.program }),
  };
}

/** The folder and its parents up to the root. */
export function pathUp(root: string, folder: string): readonly string[] {
  const places = [folder];
  for (let at = folder; at !== root && at !== dirname(at); at = dirname(at))
    places.push(dirname(at));
  return places;
}

/** Folders just below the root, and in its package groups, that may be projects of their own. */
export function projectsBelow(root: string): string[] {
  return namesOf(root).flatMap((name) => {
    const place = join(root, name);
    return GROUPS.has(name) ? [place, ...namesOf(place).map((one) => join(place, one))] : [place];
  });
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_PROJECTS.test(entry.name))
      .map(({ name }) => name)
      .sort()
      .slice(0, NAMES_MOST);
  } catch {
    return [];
  }
}
