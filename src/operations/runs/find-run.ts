/**
 * Finds the run a person means: by its full id, by a unique part of it, or the latest of the caller's repository.
 * Invariants: without a name no other repository's run is chosen; folders are compared by their real path; a linked
 * worktree also has the runs of its main checkout, but not those of other worktrees; runs of a fleet belong to every
 * clone of their remote; imported history belongs to no repository.
 */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { count } from "../../core/amounts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import type { Repository } from "../../workspace/base/run-folder.ts";
import { ownRemotes, remoteKey } from "../fleet/own-remotes.ts";
import { ProblemError, type Context } from "../operation.ts";
import { repositoryOf } from "./shared-home.ts";

export const findRun = async (
  context: Context,
  journal: JournalReader,
  asked: string | undefined,
): Promise<RunRow> =>
  asked === undefined
    ? latestHere(context, journal)
    : ((await journal.run(asked)) ?? named(await journal.runs(), asked));

async function latestHere(context: Context, journal: JournalReader): Promise<RunRow> {
  const { here, own, others } = await runsByPlace(context, journal);
  const [latest] = own;
  if (latest === undefined || here === undefined) throw noRunHere(here !== undefined, others);
  if (latest.fleet !== true && latest.repo !== here.root)
    context.tell?.(`run ${latest.id} is of the main checkout ${cleanLine(latest.repo, 200)}`);
  return latest;
}

function named(runs: readonly RunRow[], asked: string): RunRow {
  const fitting = runs.filter(({ id }) => id.includes(asked));
  const exact =
    fitting.find(({ id }) => id === asked) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (exact !== undefined) return exact;
  if (fitting.length === 0) throw noSuchRun(asked, runs);
  const names = fitting
    .slice(0, NAMED_MAX)
    .map(({ id, title }) => `\n  ${id}  ${cleanLine(title, 60)}`);
  const more = fitting.length > NAMED_MAX ? `\n  and ${fitting.length - NAMED_MAX} more` : "";
  throw new ProblemError(
    "ambiguous",
    `"${cleanLine(asked, 60)}" matches ${fitting.length} runs; type more of the id:${names.join("")}${more}`,
  );
}

const NAMED_MAX = 5;

export function noSuchRun(asked: string, runs: readonly RunRow[]): ProblemError {
  const names = runs.slice(0, NAMED_MAX).map(({ id }) => id);
  const hint =
    names.length === 0
      ? "there are no runs yet"
      : `the latest are ${names.join(", ")} (all: unstuck status --all)`;
  return new ProblemError("not-found", `no run matches "${cleanLine(asked, 60)}": ${hint}`);
}

export function noRunHere(isRepository: boolean, others: readonly RunRow[]): ProblemError {
  const elsewhere = elsewhereText(others);
  if (elsewhere === "")
    return new ProblemError(
      "not-found",
      'there are no runs yet; start one: unstuck "make the tests pass"',
    );
  return new ProblemError(
    "not-found",
    isRepository
      ? `there is no run in this repository; ${elsewhere}: unstuck status --all`
      : `this folder is not in a git repository; name a run, or go to its repository (${elsewhere}: unstuck status --all)`,
  );
}

/** `2 runs of other repositories`; empty if there are none. Imported history belongs to no repository. */
export function elsewhereText(others: readonly RunRow[]): string {
  const number = others.filter(({ repo }) => repo !== "").length;
  return number === 0 ? "" : `${count(number, "run")} of other repositories`;
}

interface ThisRepository extends Pick<Repository, "root" | "commonDir"> {
  /** The clone's remotes, if a fleet is configured. */
  readonly remotes: readonly string[];
}

export interface RunsByPlace {
  /** Undefined outside of every repository. */
  readonly here: ThisRepository | undefined;
  /** Runs of this repository, newest first. */
  readonly own: readonly RunRow[];
  /** Runs of other repositories, and imported ones. */
  readonly others: readonly RunRow[];
}

export async function runsByPlace(
  { cwd }: Context,
  journal: Pick<JournalReader, "runs">,
): Promise<RunsByPlace> {
  const here = await repositoryHere(cwd);
  const rows = await journal.runs();
  const isOwn = new Map<string, boolean>();
  for (const { repo } of rows)
    if (!isOwn.has(repo)) isOwn.set(repo, here !== undefined && (await isOf(here, repo)));
  return {
    here,
    own: rows.filter(({ repo }) => isOwn.get(repo) === true),
    others: rows.filter(({ repo }) => isOwn.get(repo) !== true),
  };
}

export async function repositoryHere(cwd: string): Promise<ThisRepository | undefined> {
  const found = await repositoryOf(cwd);
  if (!found.ok) return undefined;
  return { ...found.value, remotes: await ownRemotes(found.value.root) };
}

export async function isOf(
  { root, commonDir, remotes }: ThisRepository,
  repo: string,
): Promise<boolean> {
  if (repo === root) return true;
  if (repo === "") return false;
  if (remotes.length > 0 && remotes.includes(remoteKey(repo))) return true;
  const main = await realpath(join(repo, ".git")).catch(() => undefined);
  return main === commonDir && join(root, ".git") !== commonDir;
}
