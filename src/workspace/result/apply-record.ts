/**
 * Records of what was applied to the user's checkout: its state before and after. A record is on disk before any step
 * it describes is taken, and its number is used once.
 */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readOrNull, writeDurably } from "../base/files.ts";
import { layout, type Run } from "../base/run-folder.ts";

/** The checkout before or after an apply: HEAD's commit, and trees for the staged content and the files. */
export interface Side {
  readonly head: string | null;
  readonly staged: string;
  readonly files: string;
}

export interface ApplyRecord {
  readonly id: string;
  readonly at: number;
  /** Null if HEAD was detached. */
  readonly branch: string | null;
  readonly squash: boolean;
  /** The attempt, if only one attempt was applied. */
  readonly attempt?: string;
  readonly before: Side;
  readonly after: Side;
  /** Files that differ between the sides. */
  readonly paths: readonly string[];
  /** Index entries that differ between the sides. */
  readonly stagedPaths: readonly string[];
  /** Label of the snapshot taken before. */
  readonly rescue: string;
  readonly tries: number;
  /**
   * `applying`, `undoing`: interrupted, the next call finishes it; `left`: the branch moved on, the snapshot is kept.
   */
  readonly state: "applying" | "applied" | "undoing" | "undone" | "left";
  /** Hash of the user's index after the apply. */
  readonly indexAfter?: string;
}

export const folder = (run: Run): string => layout(run.runDir).private("_applied");

/** Changes whenever a run is opened, removed, applied or undone. */
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
