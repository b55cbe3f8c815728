/**
 * The set-up of a run whose plan says nothing about it: what the lock files ask for; a `node_modules` that is
 * already as its lock file asks is copied instead, and installed anew only when what it was made from changes.
 * Invariants: nothing is run but git; a lock file that the base does not hold asks for nothing; only
 * `node_modules` is ever carried unasked.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DerivedSetup } from "../core/plan/read-plan.ts";
import { heldFiles } from "../workspace/repository/checkout.ts";
import type { Inspection } from "../workspace/repository/inspect.ts";
import { findSetup, type FoundSetup } from "./found-setup.ts";
import { isRecord, manifestsOf, type JsonObject } from "./manifest-text.ts";

const CARRIED_MOST = 50;
const ROUNDS_MOST = 10;

export interface SetupPlace {
  readonly repository: Inspection;
  readonly folder: string;
  readonly withChanges: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function deriveSetup(
  place: SetupPlace,
): Promise<{ readonly found?: FoundSetup; readonly derived?: DerivedSetup }> {
  const found = await foundInBase(place);
  if (found === undefined || found.commands.length === 0)
    return found === undefined ? {} : { found };
  const { commands: setup, from, files } = found;
  const carry = files.length === 1 ? carried(place, files[0] ?? "", setup[0] ?? "") : [];
  return { found, derived: { setup, carry, from, whenChanged: carry.length > 0 } };
}

/** A file that git ignores or does not know yet is not in the trees that set-up runs in. */
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

/** The `node_modules` folders that are exactly what the lock file asks for; none where anything differs. */
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

type Packages = Readonly<Record<string, JsonObject>>;

function packagesOf(folder: string, file: string): Packages | undefined {
  const packages = manifestsOf(folder).json(file)?.["packages"];
  return isRecord(packages) && Object.values(packages).every(isRecord)
    ? (packages as Packages)
    : undefined;
}

const isSame = (one: JsonObject | undefined, other: JsonObject | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one["extraneous"] !== true &&
  ["version", "resolved", "integrity", "link"].every((field) => one[field] === other[field]);
