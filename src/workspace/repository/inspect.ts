/**
 * Inspects the user's repository without touching it: its kind, what is dirty, and the few settings that decide how its
 * files are read. The user's index is read from a copy under one of our git dirs, so no hook or monitor runs and
 * nothing is refreshed, written or fetched; clean filters run as in `git status`, with a temporary LFS store.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Control, withResult } from "../base/operation.ts";
import type { FileRules, Identity, Repository, Settings } from "../base/run-folder.ts";
import { copyIndex } from "../git/edit-index.ts";
import { filterLimit, userLfsObjects } from "../git/filters.ts";
import { filterLines, filterSettings } from "../git/filter-settings.ts";
import { CONVERSION_SETTINGS, FILE_SETTINGS, makeGitDir } from "../git/make-git-dir.ts";
import { git, idOf, records, text } from "../git/git.ts";
import { userView } from "../git/git-dir.ts";
import { rememberTree } from "../git/objects.ts";
import { findRepository } from "./find-repository.ts";

export interface Inspection extends Repository, Required<FileRules> {
  /** `commit` is null if there is no commit yet, `branch` if HEAD is detached. */
  readonly head: { readonly commit: string | null; readonly branch: string | null };
  readonly dirty: {
    readonly staged: readonly string[];
    readonly unstaged: readonly string[];
    readonly untracked: readonly string[];
    readonly unmerged: readonly string[];
  };
  readonly shallow: boolean;
  readonly partial: boolean;
  readonly sparse: boolean;
  readonly linkedWorktree: boolean;
  readonly submodules: boolean;
  readonly lfs: boolean;
  readonly operation: "merge" | "rebase" | "cherry-pick" | "revert" | "bisect" | null;
  /** Null if neither settings nor environment say who the user is. */
  readonly identity: Identity | null;
  /** Whether the user's own commits are signed here. */
  readonly signsCommits: boolean;
}

export const inspect = withResult(inspected);

export async function inspected(path: string, control: Control = {}): Promise<Inspection> {
  const places = await findRepository(path, control);
  const listed = await listConfig(places.root, control);
  const config = new Map(listed.map(([name, value]) => [name.toLowerCase(), value]));
  const head = await readHead(places, control);
  const settings: Settings = Object.fromEntries(
    [...FILE_SETTINGS, ...CONVERSION_SETTINGS].flatMap((name) => {
      const value = config.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const outside = await readOutsideRules(places, config);
  const attributes = outside.attributes + (await readText(join(places.root, ".gitattributes")));
  const found = {
    ...places,
    head,
    settings,
    ignoreLines: outside.ignore,
    attributeLines: outside.attributes,
    filters: {
      settings: filterSettings(listed),
      lfsObjects: userLfsObjects(places.commonDir, config.get("lfs.storage")),
    },
    shallow: existsSync(join(places.commonDir, "shallow")),
    partial: [...config.keys()].some(
      (key) => key === "extensions.partialclone" || /^remote\..{1,500}\.promisor$/.test(key),
    ),
    sparse: config.get("core.sparsecheckout") === "true",
    linkedWorktree: places.gitDir !== places.commonDir,
    submodules: existsSync(join(places.root, ".gitmodules")),
    lfs: attributes.includes("filter=lfs"),
    operation: operationIn(places.gitDir),
    identity: await readIdentity(places.root, control),
    signsCommits: isTrue(config.get("commit.gpgsign") ?? ""),
  };
  return { ...found, dirty: await readDirty(found, control) };
}

/** Parses a boolean setting as git does. */
const isTrue = (value: string): boolean => /^(?:true|yes|on|[+-]?0*[1-9]\d{0,9})$/i.test(value);

/** All settings as the user's own git sees them, in order. */
async function listConfig(root: string, control: Control): Promise<[string, string][]> {
  const args = ["config", "--list", "-z"];
  const { stdout } = await git({ args, env: {}, cwd: root, config: "user" }, control);
  return records(stdout).map((record) => {
    const cut = record.indexOf("\n");
    if (cut < 0) return [text(record), "true"];
    return [text(record.slice(0, cut)), text(record.slice(cut + 1))];
  });
}

/** The identity that git would use for a commit here; a name derived from the machine does not count. */
async function readIdentity(root: string, control: Control): Promise<Identity | null> {
  const args = ["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"];
  const call = { args, env: {}, cwd: root, config: "user", okCodes: [0, 128] } as const;
  const { code, stdout } = await git(call, control);
  const [, name, email] =
    /^([^<>\n]{1,200}) <([^<>\n]{1,200})> \d+ [+-]\d{4}$/m.exec(text(stdout)) ?? [];
  return code !== 0 || name === undefined || email === undefined ? null : { name, email };
}

/** Whether the user's own commits are signed here. */
export async function signsCommits(root: string, control: Control = {}): Promise<boolean> {
  const args = ["config", "--type=bool", "--get", "commit.gpgsign"];
  const call = { args, env: {}, cwd: root, config: "user", okCodes: [0, 1, 128] } as const;
  const { code, stdout } = await git(call, control);
  return code === 0 && stdout.trim() === "true";
}

async function readHead(places: Repository, control: Control): Promise<Inspection["head"]> {
  const env = userView(places);
  const all = ["rev-parse", "-q", "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD"];
  // The tree that the commit itself names, without replacements, as the run's clone will see it.
  const plain = { ...env, GIT_NO_REPLACE_OBJECTS: "1" };
  const answer = await git({ args: all, env: plain, okCodes: [0, 128] }, control);
  const [commit = "", tree = "", full = "", ...rest] = text(answer.stdout).split("\n");
  if (answer.code === 0 && rest.length === 1 && full !== "") {
    rememberTree(commit, tree);
    return { commit, branch: branchOf(full) };
  }
  // No commit yet, or a branch that is also called HEAD.
  const branch = await git({ args: ["symbolic-ref", "-q", "HEAD"], env, okCodes: [0, 1] }, control);
  return {
    commit: await idOf(env, "HEAD^{commit}", control),
    branch: branchOf(text(branch.stdout).trim()),
  };
}

const branchOf = (name: string): string | null =>
  name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : null;

async function readOutsideRules(
  places: Repository,
  config: ReadonlyMap<string, string>,
): Promise<{ ignore: string; attributes: string }> {
  const home = process.env["HOME"] ?? "/";
  const folder = process.env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  const named = (key: string, standard: string): string => {
    const value = config.get(key) ?? join(folder, "git", standard);
    return resolve(places.root, value.startsWith("~/") ? join(home, value.slice(2)) : value);
  };
  const info = join(places.commonDir, "info");
  const both = async (global: string, local: string): Promise<string> =>
    `${await readText(global)}\n${await readText(join(info, local))}\n`;
  return {
    ignore: await both(named("core.excludesfile", "ignore"), "exclude"),
    attributes: await both(named("core.attributesfile", "attributes"), "attributes"),
  };
}

/** A small text file as latin1; empty if it is missing, unreadable or not a file. */
async function readText(path: string): Promise<string> {
  try {
    const content = await readFile(path, "latin1");
    return content.length > 1_000_000 ? "" : content;
  } catch {
    return "";
  }
}

function operationIn(gitDir: string): Inspection["operation"] {
  const has = (name: string): boolean => existsSync(join(gitDir, name));
  if (has("rebase-merge") || has("rebase-apply")) return "rebase";
  if (has("MERGE_HEAD")) return "merge";
  if (has("CHERRY_PICK_HEAD")) return "cherry-pick";
  if (has("REVERT_HEAD")) return "revert";
  return has("BISECT_LOG") ? "bisect" : null;
}

async function readDirty(
  found: Omit<Inspection, "dirty">,
  control: Control,
): Promise<Inspection["dirty"]> {
  const folder = await mkdtemp(join(tmpdir(), "unstuck-inspect-"));
  try {
    const view = join(folder, "git");
    await makeGitDir(view, found, {
      conversions: true,
      ...(found.head.commit === null ? {} : { head: found.head.commit }),
      lines: filterLines(found.filters, join(folder, "lfs")),
      files: { "info/exclude": found.ignoreLines, "info/attributes": found.attributeLines },
    });
    await copyIndex(found.gitDir, join(view, "index"));
    const env = {
      GIT_DIR: view,
      GIT_WORK_TREE: found.root,
      GIT_OBJECT_DIRECTORY: found.objects,
    };
    const args = ["status", "--porcelain=v2", "-z", "-uall", "--no-renames"];
    args.push("--ignore-submodules=dirty");
    const limit = filterLimit({ ...found, control });
    return parseStatus((await git({ args, env, ...limit }, control)).stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parseStatus(stdout: string): Inspection["dirty"] {
  const staged: string[] = [];
  const unstaged: string[] = [];
  const untracked: string[] = [];
  const unmerged: string[] = [];
  for (const record of records(stdout)) {
    const kind = record[0];
    const fields = record.split(" ");
    if (kind === "?") untracked.push(text(record.slice(2)));
    if (kind === "u") unmerged.push(text(fields.slice(10).join(" ")));
    if (kind !== "1") continue;
    const path = text(fields.slice(8).join(" "));
    if (record[2] !== ".") staged.push(path);
    if (record[3] !== ".") unstaged.push(path);
  }
  return { staged, unstaged, untracked, unmerged };
}
