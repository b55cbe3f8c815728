/**
 * Where everything of a run lies on disk, and git dirs written by hand so that each holds only what we mean: no
 * hooks, no templates, no settings of the user's beyond how files are read. Invariant: nothing here writes into a
 * folder an agent could have changed; a git dir is built aside and renamed into place.
 *
 * runDir/workspace.json   the run, written last      runDir/slots/<key>/     where agents work   runDir/store/
 * objects: ours alone        runDir/private/<key>/   our view of a worktree   runDir/clone.git/       refs,
 * branches, snapshots  runDir/kept/            what was moved aside   runDir/clean.git/       git's usual
 * conversions, for commits   runDir/checks/<n>/      where checks judge: never given to an agent
 * runDir/outside-ignore   the user's ignore rules that stand outside the tree   runDir/tags             the user's
 * tags, as packed refs: checks may ask for a version   runDir/carried/         what the plan carries, copied once
 * from the checkout   runDir/lfs/             LFS objects: the run's own, and links to the user's
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Run, Settings } from "../base/types.ts";

export const layout = (runDir: string) => ({
  record: join(runDir, "workspace.json"),
  store: join(runDir, "store"),
  clone: join(runDir, "clone.git"),
  clean: join(runDir, "clean.git"),
  shallow: join(runDir, "clone.git", "shallow"),
  outsideRules: join(runDir, "outside-ignore"),
  tags: join(runDir, "tags"),
  slots: join(runDir, "slots"),
  checks: join(runDir, "checks"),
  kept: join(runDir, "kept"),
  carried: join(runDir, "carried"),
  private: (key: string) => join(runDir, "private", key),
  rawGit: (key: string) => join(runDir, "private", key, "git"),
  filterGit: (key: string) => join(runDir, "private", key, "filter-git"),
  forms: (key: string) => join(runDir, "private", key, "forms.json"),
  lfs: join(runDir, "lfs"),
});

/** Which refs: the result, a subtask's good commits, a snapshot, the pin in the user's repository. */
export const refs = {
  result: (run: string) => `refs/heads/unstuck/${run}`,
  pin: (run: string) => `refs/unstuck/${run}/base`,
  base: "refs/unstuck/base",
  subtask: (id: string) => `refs/unstuck/subtask/${encoded(id)}`,
  snapshots: "refs/unstuck/snap/",
  snapshot: (label: string) => `refs/unstuck/snap/${encoded(label)}`,
} as const;

/** Any text as one ref component: flat, so that no label can shadow another. */
function encoded(label: string): string {
  const safe = Buffer.from(label, "utf8")
    .toString("latin1")
    .replace(/[^A-Za-z0-9_-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(2, "0")}`);
  if (safe.length <= 200) return safe;
  return `${safe.slice(0, 160)}-${createHash("sha256").update(label).digest("hex").slice(0, 32)}`;
}

/** `own`: objects are written to and looked for in the run's store only, so nothing leans on others. */
export type Objects = "own" | "all";

const objectVariables = (run: Run, objects: Objects): Record<string, string> => ({
  GIT_OBJECT_DIRECTORY: layout(run.runDir).store,
  ...(objects === "own" ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(run.objects) }),
});

/** The run's clone: no working tree. */
export const cloneView = (run: Run, objects: Objects = "all"): Record<string, string> => ({
  GIT_DIR: layout(run.runDir).clone,
  ...objectVariables(run, objects),
});

/** A working tree byte for byte: our git dir and index, no filters, no line-ending conversion. */
export const rawView = (
  run: Run,
  worktree: { readonly key: string; readonly path: string },
  objects: Objects,
): Record<string, string> => ({
  GIT_DIR: layout(run.runDir).rawGit(worktree.key),
  GIT_WORK_TREE: worktree.path,
  ...objectVariables(run, objects),
});

/**
 * The same index, with the user's filters: `prepareFilters` makes the git dir. The last variable tells
 * whoever waits for orphans in the raw git dir that these work on its index too.
 */
export const filterView = (
  run: Run,
  worktree: { readonly key: string; readonly path: string },
  objects: Objects,
): Record<string, string> => ({
  ...rawView(run, worktree, objects),
  GIT_DIR: layout(run.runDir).filterGit(worktree.key),
  GIT_INDEX_FILE: join(layout(run.runDir).rawGit(worktree.key), "index"),
  UNSTUCK_GIT_DIR: layout(run.runDir).rawGit(worktree.key),
});

/** A working tree as git would commit it: the user's line-ending settings and filters. */
export const cleanView = (run: Run, path: string, index: string): Record<string, string> => ({
  GIT_DIR: layout(run.runDir).clean,
  GIT_WORK_TREE: path,
  GIT_INDEX_FILE: index,
  ...objectVariables(run, "all"),
});

/** The user's repository, for the pin, the result branch, and `apply`. */
export const userView = (repository: Pick<Run, "gitDir" | "root">): Record<string, string> => ({
  GIT_DIR: repository.gitDir,
  GIT_WORK_TREE: repository.root,
});

/** The same for what writes there: with the run's objects, and known to whoever waits for what a killed owner left at work. */
export const checkoutView = (run: Run): Record<string, string> => ({
  ...userView(run),
  GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(layout(run.runDir).store),
  UNSTUCK_GIT_DIR: layout(run.runDir).rawGit("_checkout"),
});

/** An index of ours must be whole, however the user keeps theirs. */
export const WHOLE_INDEX = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.splitIndex",
  GIT_CONFIG_VALUE_0: "false",
} as const;

/** The clone with a folder of its own to write objects to. */
export const quarantineView = (run: Run, folder: string): Record<string, string> => ({
  GIT_DIR: layout(run.runDir).clone,
  GIT_OBJECT_DIRECTORY: folder,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: [layout(run.runDir).store, run.objects].map(quoted).join(":"),
});

/** Binary for every file, whatever the tree's own attributes say: this file wins over them. */
export const RAW_ATTRIBUTES = "* -text -ident -filter !eol !working-tree-encoding\n";

/** The same, but for filters. */
export const FILTER_ATTRIBUTES = "* -text -ident !eol !working-tree-encoding\n";

const FILE_SETTINGS = [
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.trustctime",
  "core.checkstat",
  "core.longpaths",
];
const CONVERSION_SETTINGS = ["core.autocrlf", "core.eol"];
export const CARRIED_SETTINGS: readonly string[] = [...FILE_SETTINGS, ...CONVERSION_SETTINGS];

export interface GitDirPlan {
  readonly objectFormat: "sha1" | "sha256";
  readonly settings: Settings;
  readonly conversions: boolean;
  readonly bare: boolean;
  readonly head: string;
  readonly lines?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Made anew whenever it is needed, so nothing has to be on disk. */
  readonly passing?: boolean;
}

/** Builds a git dir beside `path` and renames it there, unless it is there already. */
export async function makeGitDir(path: string, plan: GitDirPlan): Promise<void> {
  if (existsSync(path)) return;
  const building = `${path}.new`;
  await rm(building, { recursive: true, force: true });
  await mkdir(join(building, "refs"), { recursive: true });
  await mkdir(join(building, "objects"));
  const files = { HEAD: `${plan.head}\n`, config: configText(plan), ...plan.files };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(building, name)), { recursive: true });
    await writeFile(join(building, name), content, {
      encoding: "latin1",
      flush: plan.passing !== true,
    });
  }
  await rename(building, path);
}

function configText(plan: GitDirPlan): string {
  const sha256 = plan.objectFormat === "sha256";
  const carried = [...FILE_SETTINGS, ...(plan.conversions ? CONVERSION_SETTINGS : [])];
  const core = carried
    .filter((name) => plan.settings[name] !== undefined)
    .map((name) => `${name.slice("core.".length)} = ${configValue(plan.settings[name] ?? "")}`);
  return [
    "[core]",
    `repositoryformatversion = ${sha256 ? 1 : 0}`,
    `bare = ${String(plan.bare)}`,
    ...(plan.conversions ? [] : ["autocrlf = false", "eol = lf"]),
    ...core,
    "hooksPath = /dev/null",
    "logAllRefUpdates = false",
    "protectNTFS = false",
    "protectHFS = false",
    ...(sha256 ? ["[extensions]", "objectFormat = sha256"] : []),
    "[gc]",
    "auto = 0",
    "[maintenance]",
    "auto = false",
    ...(plan.lines ?? []),
    "",
  ].join("\n");
}

export const configValue = (value: string): string =>
  `"${Buffer.from(value, "utf8")
    .toString("latin1")
    .replace(/[\\"]/g, "\\$&")
    .replace(/\n/g, "\\n")}"`;

/** A path for a list that is split at colons. */
const quoted = (path: string): string =>
  /[:"\\]/.test(path) ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
