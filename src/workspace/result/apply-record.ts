/**
 * Records of what was applied to the user's checkout: what was there and what the apply made of it. A record is on
 * disk before anything it tells of is done, and its number is used once.
 */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readOrNull, writeDurably } from "../base/files.ts";
import { layout, type Run } from "../base/run-folder.ts";

/** The checkout on one side of an apply: HEAD's commit, and trees for what is staged and for the files. */
export interface Side {
  readonly head: string | null;
  readonly staged: string;
  readonly files: string;
}

export interface ApplyRecord {
  readonly id: string;
  readonly at: number;
  /** Null when HEAD was detached. */
  readonly branch: string | null;
  readonly squash: boolean;
  /** Of an apply of one attempt: which. */
  readonly attempt?: string;
  readonly before: Side;
  readonly after: Side;
  /** Files that differ between the sides. */
  readonly paths: readonly string[];
  /** Entries of the index that do. */
  readonly stagedPaths: readonly string[];
  /** Label of the snapshot from before. */
  readonly rescue: string;
  readonly tries: number;
  /** `applying`, `undoing`: cut off, the next call finishes it; `left`: the branch went on, the snapshot is good. */
  readonly state: "applying" | "applied" | "undoing" | "undone" | "left";
  /** Hash of the user's index as the apply left it. */
  readonly indexAfter?: string;
}

export const folder = (run: Run): string => layout(run.runDir).private("_applied");

/** Another one whenever a run was opened, removed, applied or taken back. */
export function recordStamp(runDir: string): string {
  const timeOf = (path: string): number | undefined =>
    statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (timeOf(runDir) === undefined) return "gone";
  const { record, private: own } = layout(runDir);
  return [record, own("_applied")].map(timeOf).join(" ");
}

const recordPath = (run: Run, id: string): string => join(folder(run), `${id}.json`);

export const saveRecord = async (run: Run, record: ApplyRecord): Promise<ApplyRecord> => {
  await writeDurably(recordPath(run, record.id), JSON.stringify(record));
  return record;
};

/** Newest first. */
export async function readRecords(run: Run): Promise<ApplyRecord[]> {
  const names = await readdir(folder(run)).catch(() => []);
  const numbers = names.flatMap((name) => /^apply-(\d{1,9})\.json$/.exec(name)?.[1] ?? []);
  const records: ApplyRecord[] = [];
  for (const number of numbers.map(Number).sort((a, b) => b - a)) {
    const content = await readOrNull(recordPath(run, `apply-${number}`));
    if (content !== null) records.push(JSON.parse(content.toString("utf8")) as ApplyRecord);
  }
  return records;
}

export const nextId = ([latest]: readonly ApplyRecord[]): string =>
  `apply-${latest === undefined ? 1 : Number(latest.id.slice("apply-".length)) + 1}`;
