/**
 * What one changed file is to the checks: its role, whether it is the work itself, and what a change to it asks
 * for. Invariants: pure; a file of the base is judged by what the base's own files say of it.
 */
import type { ChangedPath, JudgeRole, RestoreTo } from "./contract.ts";
import { manifestOf } from "./manifests.ts";
import type { Reach } from "./walk.ts";
import { PACKAGE_MANIFEST } from "./source-files.ts";
import type { SourceFiles } from "./source-files.ts";
import { isBuildFile, steeringBy } from "./steering-files.ts";
import { isTestData, testConvention } from "./test-conventions.ts";
import type { KnownTree } from "./trees.ts";
import { foldersUp, folderOf, nameOf } from "./tree-paths.ts";
import type { Reached } from "./walk-state.ts";

export interface JudgedFile {
  readonly role: JudgeRole;
  readonly source: boolean;
  /** The change asks for the checks to run once more with the base's files. */
  readonly again: boolean;
  readonly to: RestoreTo | undefined;
}

export interface Scene {
  readonly base: KnownTree;
  readonly now: KnownTree;
  readonly source: SourceFiles;
  /** From the base's versions, with new files beside them. */
  readonly mixed: Reach;
  readonly reachedNow: Reach;
  readonly isProtected: (path: string) => boolean;
}

/** What only says which packages there are: never judged, wherever it lies. */
const LOCKS =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|requirements[\w.-]{0,40}\.txt|Cargo\.lock|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.lock|mix\.lock|pubspec\.lock|Podfile\.lock)$/;

const INSTALLED = /(?:^|\/)node_modules\//;

export function fileJudge(scene: Scene): (change: ChangedPath) => JudgedFile | undefined {
  const { base, now, source, mixed, reachedNow } = scene;
  const used = {
    tools: new Set([...mixed.tools, ...reachedNow.tools]),
    unclear: mixed.unclear || reachedNow.unclear,
  };
  const steers = steeringBy(used);

  const manifest = (path: string, how: ChangedPath["how"]): JudgedFile | undefined | "none" => {
    if (isTestData(path) || INSTALLED.test(path)) return "none";
    const scripts = new Set(
      [mixed, reachedNow].flatMap((reach) => [...(reach.scripts.get(path) ?? [])]),
    );
    const kind = manifestOf(path, { ...used, scripts });
    if (kind === undefined) return "none";
    const [was, is] = [base.read(path) ?? "", now.read(path) ?? ""];
    const [before, after] = [kind.steering(was), kind.steering(is)];
    const listed = { role: "manifest", source: true, again: false, to: undefined } as const;
    if (before === undefined || after === undefined) return was === is ? undefined : listed;
    if (before === after) return undefined;
    if (how === "deleted") return { role: "manifest", source: false, again: true, to: "base" };
    if (how === "added") return addedManifest(path, is, kind.restored("", is));
    const text = kind.restored(was, is);
    return text === undefined
      ? listed
      : { role: "manifest", source: false, again: true, to: text === was ? "base" : { text } };
  };
  const addedManifest = (path: string, is: string, bare: string | undefined): JudgedFile => {
    const own = manifestOf(path, { ...used, scripts: new Set() })?.steering(is) ?? "";
    const shadows = mixed.shadowing.has(path);
    const again = (own !== "" || shadows) && newPackage(path) === undefined;
    const to =
      shadows || /^tsconfig/.test(nameOf(path)) || bare?.trim() === "" ? "remove" : undefined;
    const text = bare === undefined ? undefined : { text: bare };
    return { role: "manifest", source: false, again, to: again ? (to ?? text) : undefined };
  };

  /** The folder of a package that is new as a whole: what it brings steers only itself. */
  const newPackage = (path: string): string | undefined =>
    INSTALLED.test(path)
      ? undefined
      : foldersUp(folderOf(path)).find(
          (folder) => folder !== "" && !base.isFolder(folder) && isPackage(folder),
        );
  const packages = new Set(
    now.paths.filter((path) => PACKAGE_MANIFEST.test(nameOf(path))).map(folderOf),
  );
  const isPackage = (folder: string): boolean => packages.has(folder);

  const judged = (role: JudgeRole, how: ChangedPath["how"], again: boolean): JudgedFile => ({
    role,
    source: false,
    again: how !== "added" || again,
    to: how === "added" ? "remove" : "base",
  });
  const kept = (role: JudgeRole, isSource: boolean): JudgedFile => ({
    role,
    source: isSource,
    again: false,
    to: undefined,
  });

  const reached = (path: string, how: ChangedPath["how"], found: Reached): JudgedFile => {
    if (found.source) return kept(found.role, true);
    if (how !== "added") return judged(found.role, how, true);
    if (found.role === "test")
      return newPackage(path) === undefined ? judged("test", how, false) : kept("test", false);
    const byBase = found.from !== undefined && base.has(found.from);
    return byBase || found.found === "shadow"
      ? judged(found.role, how, true)
      : kept(found.role, false);
  };

  return ({ path, how }) => {
    if (scene.isProtected(path)) return judged("protected", how, true);
    if (LOCKS.test(nameOf(path)) && !isTestData(path)) return undefined;
    const asManifest = manifest(path, how);
    if (asManifest !== "none") return asManifest;
    const isNewPackage = how === "added" && newPackage(path) !== undefined;
    const steering = steers(path);
    if (steering === "global" || (steering === "local" && !isTestData(path)))
      return steering === "local" && isNewPackage
        ? kept("steering", false)
        : judged("steering", how, true);
    const found = mixed.files.get(path);
    const inSource = source.inFolder(path);
    const isTest =
      testConvention(path, inSource) !== undefined ||
      (!source.isSource(path) &&
        [...mixed.tests, ...reachedNow.tests].some((matches) => matches(path)));
    if (isTest && (found === undefined || found.role === "test"))
      return isNewPackage ? kept("test", false) : judged("test", how, false);
    if (found !== undefined) return reached(path, how, found);
    if (isBuildFile(path, used)) return kept("steering", true);
    const later = reachedNow.files.get(path);
    return later === undefined ? undefined : kept(later.role, later.source);
  };
}
