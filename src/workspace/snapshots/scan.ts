/**
 * Finds what changed in a working tree since its index and puts it into the index, byte for byte. Invariants:
 * ignore rules are those of the attempt's start unless asked for the present ones; files of repositories inside
 * the tree count as plain files; a file that cannot be stored is named in `skipped`, never silently left out.
 */
import { appendFile, lstat, readdir, stat, writeFile } from "node:fs/promises";
import type { Control, Run, Skipped, Worktree } from "../base/types.ts";
import { layout, rawView } from "../git/git-dir.ts";
import { git, records, text } from "../git/git.ts";
import { rememberGitlinks } from "../git/submodules.ts";
import { below, frozenRules, type ViewState } from "../trees/worktree.ts";
import { anchored, freezeRules, isAttributeFile, isIgnoreFile } from "./ignore-rules.ts";
import { stageAll, storable } from "./stage.ts";

const MOST_ROUNDS = 16;
const SEED = ".unstuck-seed";

interface Rules {
  /** `live` also obeys the `.gitignore` files as they are now. */
  readonly live: boolean;
  readonly file: string;
  readonly carry: readonly string[];
}

/** New, changed and deleted paths; a repository inside the tree comes as one entry in `nested`. */
export async function listChanges(
  env: Readonly<Record<string, string>>,
  rules: Rules,
  control: Control,
  limit: { readonly filterLimitMs?: number } = {},
): Promise<Changes> {
  const args = ["ls-files", "-t", "-z", "-o", "-m", "-d", `--exclude-from=${rules.file}`];
  if (rules.live) args.push("--exclude-per-directory=.gitignore");
  args.push(...rules.carry.map((path) => `--exclude=${text(anchored(path))}`));
  const others: string[] = [];
  const nested: string[] = [];
  const tracked = new Set<string>();
  const { stdout, stderr } = await git({ args, env, ...limit }, control);
  for (const record of records(stdout)) {
    const path = record.slice(2);
    if (!record.startsWith("?")) tracked.add(path);
    else if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else others.push(path);
  }
  return { others, nested, tracked: [...tracked], tooDeep: tooDeepIn(stderr) };
}

/** Brings the private index up to the working tree. Says what was left out once staged. */
export async function absorb(
  run: Run,
  worktree: Worktree,
  state: ViewState,
  options: { readonly live: boolean; readonly maxFileBytes?: number },
  control: Control,
): Promise<{ stage: () => Promise<Skipped[]> }> {
  const env = rawView(run, worktree, "own");
  const file = options.live ? layout(run.runDir).outsideRules : frozenRules(run, worktree.key);
  const skipped: Skipped[] = [];
  const isGitlink = (path: string): boolean => state.gitlinks.includes(path);
  let changes: Changes;
  for (let round = 1; ; round += 1) {
    changes = await listChanges(env, { live: options.live, file, carry: state.carry }, control);
    const unfold = [...changes.nested, ...(await populated(worktree.path, state.gitlinks))];
    const late = options.live ? [] : await lateRules(run, worktree, state, changes.others);
    if (unfold.length === 0 && late.length === 0) break;
    if (round === MOST_ROUNDS) {
      skipped.push(...unfold.map((path) => skip(path, "nested-repository", 0)));
      break;
    }
    await rememberGitlinks(run, worktree, unfold.filter(isGitlink), control);
    if (unfold.length > 0) await unfoldNested(env, run, state, unfold, control);
    if (late.length > 0) await freezeLate(run, worktree, state, late);
  }
  skipped.push(...changes.tooDeep.map((path) => skip(path, "too-deep", 0)));
  remember(state, changes);
  await rememberGitlinks(run, worktree, changes.tracked.filter(isGitlink), control);
  const found = await storable(worktree.path, changes, options.maxFileBytes);
  const stage = async (): Promise<Skipped[]> => [
    ...skipped,
    ...found.left,
    ...(await stageAll(run, worktree, { ...found, attributes: state.attributes }, control)),
  ];
  return { stage };
}

/** Writes the rules that hold until the next freeze, from every ignore file known. */
export async function freeze(run: Run, worktree: Worktree, state: ViewState): Promise<void> {
  const rules = await freezeRules(worktree.path, state.ignoreFiles, run.ignoreLines);
  const file = frozenRules(run, worktree.key);
  await writeFile(file, rules, "latin1");
  state.frozenAt = String((await stat(file, { bigint: true })).ctimeNs);
}

/** Adds rules of files that stood there at the freeze; the others are not read again. */
async function freezeLate(
  run: Run,
  worktree: Worktree,
  state: ViewState,
  late: readonly string[],
): Promise<void> {
  state.ignoreFiles.push(...late);
  await appendFile(
    frozenRules(run, worktree.key),
    await freezeRules(worktree.path, late, ""),
    "latin1",
  );
}

/** Makes git walk into inner repositories: with an entry below it, a folder is just a folder. */
async function unfoldNested(
  env: Readonly<Record<string, string>>,
  run: Run,
  state: ViewState,
  found: readonly string[],
  control: Control,
): Promise<void> {
  const width = run.objectFormat === "sha256" ? 64 : 40;
  const gone = found.map((path) => `0 ${"0".repeat(width)}\t${path}\0`);
  const seeds = found.map((path) => `100644 ${"1".repeat(width)} 0\t${path}/${SEED}\0`);
  const input = Buffer.from([...gone, ...seeds].join(""), "latin1");
  await git({ args: ["update-index", "-z", "--index-info"], env, input }, control);
  state.gitlinks = state.gitlinks.filter((path) => !found.includes(path));
  state.nested = [...new Set([...state.nested, ...found])];
}

/** Submodule folders with files in them: git itself would look no further. */
async function populated(root: string, gitlinks: readonly string[]): Promise<string[]> {
  const full: string[] = [];
  for (const path of gitlinks) {
    const names = await readdir(below(root, path)).catch(() => []);
    if (names.some((name) => name !== ".git")) full.push(path);
  }
  return full;
}

/** New ignore files that are older than the freeze: made by the setup, hidden by their own rules. */
async function lateRules(
  run: Run,
  worktree: Worktree,
  state: ViewState,
  others: readonly string[],
): Promise<string[]> {
  const candidates = others.filter(
    (path) => isIgnoreFile(path) && !state.ignoreFiles.includes(path),
  );
  if (candidates.length === 0) return [];
  const ours = await stat(frozenRules(run, worktree.key), { bigint: true });
  const late: string[] = [];
  for (const path of candidates) {
    const found = await lstat(below(worktree.path, path), { bigint: true });
    if (found.dev === ours.dev && found.ctimeNs < BigInt(state.frozenAt)) late.push(path);
  }
  return late;
}

function remember(state: ViewState, changes: Changes): void {
  const seen = new Set(state.ignoreFiles);
  for (const path of changes.others) {
    if (isIgnoreFile(path)) seen.add(path);
    if (isAttributeFile(path)) state.attributes = true;
  }
  state.ignoreFiles = [...seen];
}

const WARNING = /could not (?:open directory '|lstat )([^\n]{3800,})/g;
/** A folder is named by this much of its path: it still fits below any other folder. */
const NAMED_LENGTH = 1000;

/** Git cuts such a warning off at 4096 characters; the reason behind the path is lost, its length is reason enough. */
export const tooDeepIn = (stderr: string): readonly string[] => [
  ...new Set(
    [...stderr.matchAll(WARNING)].map(([, path = ""]) => {
      const cut = path.lastIndexOf("/", NAMED_LENGTH);
      return path.slice(0, cut);
    }),
  ),
];
