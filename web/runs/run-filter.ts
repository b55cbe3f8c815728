/**
 * Which runs are shown, and in which order: those that wait for a person first, then those in progress, then the
 * newest.
 */
import type { ListedRun } from "../api/operations.ts";

export const FILTERS = ["all", "needs you", "going on", "stopped", "done"] as const;
export type Filter = (typeof FILTERS)[number];

export const FILTER_WORDS: { readonly [filter in Filter]: string } = {
  all: "All",
  "needs you": "Needs you",
  "going on": "Active",
  stopped: "Stopped",
  done: "Done",
};

type Facts = Pick<ListedRun, "state" | "questions">;

export function filterOf({ state, questions }: Facts): Exclude<Filter, "all"> {
  switch (state) {
    case "needs you":
      return "needs you";
    case "running":
    case "waiting":
      return questions > 0 ? "needs you" : "going on";
    case "pausing":
    case "paused":
    case "interrupted":
    case "not started":
      return "stopped";
    default:
      return "done";
  }
}

export function counts(runs: readonly Facts[]): { readonly [filter in Filter]: number } {
  const found = { all: runs.length, "needs you": 0, "going on": 0, stopped: 0, done: 0 };
  for (const run of runs) found[filterOf(run)] += 1;
  return found;
}

const RANK = { "needs you": 0, "going on": 1, stopped: 2, done: 2 } as const;

export const ordered = (runs: readonly ListedRun[]): readonly ListedRun[] =>
  runs.toSorted((a, b) => RANK[filterOf(a)] - RANK[filterOf(b)] || b.created - a.created);

/** Every word has to occur somewhere. */
export function found(
  runs: readonly ListedRun[],
  filter: Filter,
  search: string,
): readonly ListedRun[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (filter !== "all" && filterOf(run) !== filter) return false;
    if (words.length === 0) return true;
    const text = [run.title, run.id, run.repository, run.branch ?? "", run.state]
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The last folder, which is what most people call it. */
export const repositoryName = (repository: string): string =>
  repository.split(/[/\\]/).filter(Boolean).at(-1) ?? "–";
