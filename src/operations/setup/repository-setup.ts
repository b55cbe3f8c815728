/**
 * The set-up a repository asks for, used if the plan says nothing about it: a `node_modules` that matches its lock file
 * is copied, and installed again only when its inputs change. Invariants: only git is run; commands consist of our own
 * words and quoted folder names, to be run in the repository's root; what is unreadable or not in the base requires
 * nothing; only `node_modules` is ever carried without being asked for.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isFields, type Fields } from "../../agents/output/json.ts";
import type { DerivedSetup } from "../../core/plan/read-plan.ts";
import { heldFiles } from "../../workspace/repository/checkout.ts";
import type { Inspection } from "../../workspace/repository/inspect.ts";
import { defined } from "../operation.ts";
import type { Environment } from "./ecosystems.ts";
import { manifestsOf } from "./manifests.ts";
import { findSetup, type FoundSetup } from "./found-setup.ts";

/** The inputs of set-up: it runs again when one of these changes. */
export const SETUP_INPUTS: readonly string[] = [
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"],
  ...["pnpm-workspace.yaml", "yarn.lock", ".yarnrc.yml", ".npmrc", "bun.lock", "bun.lockb"],
  ...["pyproject.toml", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile", "Pipfile.lock"],
  ...["requirements*.txt", "*-requirements.txt", "setup.py", "setup.cfg", "environment.yml"],
  ...["Gemfile", "Gemfile.lock", "*.gemspec", "composer.json", "composer.lock"],
  ...["mix.exs", "mix.lock", "*.csproj", "*.fsproj", "*.sln", "packages.lock.json"],
  ...["Cargo.toml", "Cargo.lock", "go.mod", "go.sum", "CMakeLists.txt", "meson.build"],
].map((name) => `**/${name}`);

const CARRIED_MOST = 50;

const ROUNDS_MOST = 10;

interface SetupPlace {
  readonly repository: Inspection;
  readonly folder: string;
  readonly withChanges: boolean;
  readonly env: Environment;
}

export async function deriveSetup(
  place: SetupPlace,
): Promise<{ readonly found?: FoundSetup; readonly derived?: DerivedSetup }> {
  const found = await foundInBase(place);
  if (found === undefined || found.commands.length === 0) return defined({ found });
  const { commands: setup, from, files } = found;
  const carry = files.length === 1 ? carried(place, files[0] ?? "", setup[0] ?? "") : [];
  return { found, derived: { setup, carry, from, whenChanged: carry.length > 0 } };
}

/** A file that git ignores or does not track yet is missing in the trees where set-up runs. */
export async function foundInBase(place: SetupPlace): Promise<FoundSetup | undefined> {
  const { repository, folder, withChanges, env } = place;
  const without = new Set<string>();
  for (let round = 0; round < ROUNDS_MOST; round += 1) {
    const found = findSetup(repository.root, folder, env, without);
    if (found === undefined) return undefined;
    const held = await heldFiles(repository, found.asked, withChanges);
    const lost = found.asked.filter((file) => held.ok && !held.value.includes(file));
    if (lost.length === 0) return found;
    for (const file of lost) without.add(join(repository.root, file));
  }
  return undefined;
}

function carried(
  { repository, withChanges }: SetupPlace,
  file: string,
  command: string,
): readonly string[] {
  if (!/(?:^|&& )npm (?:ci|install)/.test(command)) return [];
  const { staged, unstaged } = repository.dirty;
  const inputs = [file, join(dirname(file), "package.json")];
  const differs = inputs.some((one) => staged.includes(one) || unstaged.includes(one));
  if (differs && !withChanges) return [];
  const lock = basename(file) === "package.json" ? join(dirname(file), "package-lock.json") : file;
  return modulesAsLocked(repository.root, lock);
}

/** The `node_modules` folders that match the lock file exactly; none if anything differs. */
export function modulesAsLocked(root: string, lock: string): readonly string[] {
  const folder = join(root, dirname(lock));
  const wanted = packagesOf(folder, basename(lock));
  const installed = packagesOf(folder, "node_modules/.package-lock.json");
  if (wanted === undefined || installed === undefined) return [];
  const paths = Object.keys(installed).filter((path) => path !== "");
  const asWanted = paths.every(
    (path) => isSame(installed[path], wanted[path]) && existsSync(join(folder, path)),
  );
  const isLeftOut = (path: string): boolean =>
    path !== "" && !Object.hasOwn(installed, path) && wanted[path]?.["optional"] !== true;
  if (!asWanted || Object.keys(wanted).some(isLeftOut)) return [];
  const places = paths.flatMap((path) => {
    const [place] = /^(?:.{1,1000}?\/)??node_modules(?=\/)/.exec(path) ?? [];
    return place === undefined ? [] : [join(dirname(lock), place)];
  });
  const all = [...new Set(places)];
  return all.length <= CARRIED_MOST && !all.some((place) => place.startsWith("..")) ? all : [];
}

function packagesOf(folder: string, file: string): Readonly<Record<string, Fields>> | undefined {
  const packages = manifestsOf(folder).json(file)?.["packages"];
  return isFields(packages) && Object.values(packages).every(isFields)
    ? (packages as Readonly<Record<string, Fields>>)
    : undefined;
}

const isSame = (one: Fields | undefined, other: Fields | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one["extraneous"] !== true &&
  ["version", "resolved", "integrity", "link"].every((field) => one[field] === other[field]);
