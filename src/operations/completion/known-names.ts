/**
 * Names a shell can complete: runs, and the subtasks and attempts of one run. Invariants: reads only what it needs and
 * writes nothing; never fails, it only returns fewer names; a name that a shell would read as more than one word is
 * omitted, because plans and their names are foreign; a home on a network mount is not touched, because it might not
 * respond.
 */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseFields } from "../../agents/output/json.ts";
import { isRecord } from "../../core/defined.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { openJournalToRead } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { homeFolder, isRemote } from "../home.ts";
import { operation } from "../operation.ts";
import { redact } from "../redaction.ts";
import { textIfThere } from "../text.ts";

export interface KnownName {
  readonly name: string;
  /** A short description. */
  readonly about: string;
}

const MOST = 100;
const ABOUT_CHARS = 60;
const ONE_WORD = /^[\w@%+=,./-]{1,200}$/;

export const knownNames = operation({
  name: "known-names",
  schemas: async () => (await import("./schemas.ts")).knownNames,
  async run({ cwd }, { of, run: asked }) {
    const home = homeFolder();
    if (isRemote(home)) return { names: [] };
    const runs = byPlace(await runsIn(join(home, "unstuck.db")), cwd);
    if (of === "runs") return { names: told(runs.map(({ id, title }) => [id, title])) };
    const run = asked === undefined ? runs[0] : runs.find(({ id }) => id.includes(asked));
    if (run === undefined || !ONE_WORD.test(run.id)) return { names: [] };
    const folder = join(home, "runs", run.id);
    const attempts = attemptsIn(join(folder, "attempts"));
    const subtasks = subtasksIn(folder).map((id) => [id, "subtask"] as const);
    return {
      names: told([...(of === "attempts" ? [] : subtasks), ...(of === "subtasks" ? [] : attempts)]),
    };
  },
});

const told = (names: readonly (readonly [name: string, about: string])[]): readonly KnownName[] =>
  names
    .filter(([name]) => ONE_WORD.test(name))
    .slice(0, MOST)
    .map(([name, about]) => ({ name, about: redact(cleanLine(about, ABOUT_CHARS)) }));

/** Newest first; empty if the journal is missing or unreadable. */
async function runsIn(path: string): Promise<readonly RunRow[]> {
  if (!existsSync(path)) return [];
  try {
    const journal = await openJournalToRead(path);
    return await journal.runs().finally(() => journal.close());
  } catch {
    return [];
  }
}

/** Runs of this repository first: the nearest parent folder that has runs. */
function byPlace(runs: readonly RunRow[], cwd: string): readonly RunRow[] {
  const repos = new Set(runs.map(({ repo }) => repo));
  let folder = realFolder(cwd);
  while (!repos.has(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return [
    ...runs.filter(({ repo }) => repo === folder),
    ...runs.filter(({ repo }) => repo !== folder),
  ];
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function subtasksIn(folder: string): readonly string[] {
  const { subtasks } = parseFields(textIfThere(join(folder, "plan.json")) ?? "") ?? {};
  return isRecord(subtasks) ? Object.keys(subtasks) : [];
}

function attemptsIn(folder: string): readonly (readonly [string, string])[] {
  return namesIn(folder).flatMap((subtask) =>
    namesIn(join(folder, subtask))
      .filter((number) => /^\d+$/.test(number))
      .toSorted((a, b) => Number(b) - Number(a))
      .map((number) => [`${decoded(subtask)}/${number}`, "attempt"] as const),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
