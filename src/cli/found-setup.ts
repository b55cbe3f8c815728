/**
 * The set-up a repository asks for, from its lock files and manifests, with where it was found. Invariants:
 * nothing is run; only commands made of our own words and quoted folder names; what cannot be read asks for
 * nothing; every command is written to be run in the repository's root.
 */
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ECOSYSTEMS, type Asked } from "./ecosystems.ts";
import { programOn } from "./found-agents.ts";
import { manifestsOf } from "./manifest-text.ts";
import { inFolder } from "./shell-folder.ts";

export interface FoundSetup {
  readonly commands: readonly string[];
  /** The files that say so, in words. */
  readonly from: string;
  /** The same below the root, one for each command. */
  readonly files: readonly string[];
  /** Every file that asks for something, also for a program that is missing. */
  readonly asked: readonly string[];
  /** A program that is not on the search path, so that its command is left out. */
  readonly missing?: string;
}

/** What set-up reads: it runs again when one of these changes. */
export const SETUP_INPUTS: readonly string[] = [
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"],
  ...["pnpm-workspace.yaml", "yarn.lock", ".yarnrc.yml", ".npmrc", "bun.lock", "bun.lockb"],
  ...["pyproject.toml", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile", "Pipfile.lock"],
  ...["requirements*.txt", "*-requirements.txt", "setup.py", "setup.cfg", "environment.yml"],
  ...["Gemfile", "Gemfile.lock", "*.gemspec", "composer.json", "composer.lock"],
  ...["mix.exs", "mix.lock", "*.csproj", "*.fsproj", "*.sln", "packages.lock.json"],
  ...["Cargo.toml", "Cargo.lock", "go.mod", "go.sum", "CMakeLists.txt", "meson.build"],
].map((name) => `**/${name}`);

/** Not projects of their own, whatever lock files they hold. */
const NOT_PROJECTS =
  /^(?:\.|node_modules$|vendor$|third_party$|dist$|build$|target$|tests?$|fixtures?$|examples?$|__tests__$|testdata$)/;
const GROUPS = new Set(["packages", "apps", "services", "libs", "crates", "modules"]);
const PROJECTS_MOST = 5;
const NAMES_MOST = 500;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `folder` lies in `root`; `without` counts as not there. For each ecosystem the nearest project at or above the folder; where the root itself has
 * none at all, the projects just below it.
 */
export function findSetup(
  root: string,
  folder: string,
  env: Environment,
  without?: ReadonlySet<string>,
): FoundSetup | undefined {
  const above = pathUp(root, folder);
  const near = ECOSYSTEMS.flatMap((ask) =>
    nearest(above, (place) => ask(manifestsOf(place, without), env)),
  );
  if (near.length > 0 || folder !== root) return found(root, near, env);
  const below = projectsBelow(root).flatMap((place) =>
    ECOSYSTEMS.flatMap((ask) => {
      const asked = ask(manifestsOf(place, without), env);
      return asked === undefined ? [] : [{ place, ...asked }];
    }),
  );
  return found(root, below.slice(0, PROJECTS_MOST), env);
}

type Placed = Asked & { readonly place: string };

/** The nearest that asks; one of a workspace is made ready by its root. */
function nearest(places: readonly string[], ask: (place: string) => Asked | undefined): Placed[] {
  const asked = places.flatMap((place) => {
    const one = ask(place);
    return one === undefined ? [] : [{ place, ...one }];
  });
  const chosen = asked.find(({ isWorkspace }) => isWorkspace === true) ?? asked[0];
  return chosen === undefined ? [] : [chosen];
}

function found(root: string, asked: readonly Placed[], env: Environment): FoundSetup | undefined {
  if (asked.length === 0) return undefined;
  const has = ({ program }: Asked): boolean => programOn(env["PATH"] ?? "", program) !== undefined;
  const [can, cannot] = [asked.filter(has), asked.filter((one) => !has(one))];
  const named = (some: readonly Placed[]): string[] =>
    some.map(({ place, file }) => relative(root, join(place, file)));
  const [first] = cannot;
  return {
    commands: can.map(({ place, command }) => inFolder(relative(root, place), command)),
    from: named(can.length > 0 ? can : cannot).join(", "),
    files: named(can),
    asked: named(asked),
    ...(first === undefined ? {} : { missing: first.program }),
  };
}

/** The folder and those above it, up to the root. */
export function pathUp(root: string, folder: string): readonly string[] {
  const places = [folder];
  for (let at = folder; at !== root && at !== dirname(at); at = dirname(at))
    places.push(dirname(at));
  return places;
}

function projectsBelow(root: string): string[] {
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
