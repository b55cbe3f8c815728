/**
 * Shares the files of an attempt (prompt, transcript) with other machines: the worker uploads them while they grow and
 * whole at the end; a reader downloads them to the same place in its own home. Invariants: a reader's copy is always a
 * prefix of the file or all of it; a name never leads out of the attempt's folder.
 */
import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TRANSCRIPT_FILE } from "../../agents/attempt-files.ts";
import { TIMES_SUFFIX } from "../../agents/process/transcript-times.ts";
import type { Blobs } from "../../engines/blobs/blobs.ts";
import type { Ingress } from "../../engines/restate/ingress.ts";
import {
  REPLICA_OBJECT,
  type AttemptFile,
  type FilePiece,
  type KeptFiles,
} from "../../engines/restate/replica-object.ts";

const FILES_MAX = 100;
const PIECES_MAX = 10_000;
const LOOK_MS = 1500;
const PIECE_BYTES = 8 * 1024 * 1024;
const SMALL_BYTES = 32 * 1024;

export interface FilesOf {
  readonly engine: Ingress;
  readonly blobs: Blobs;
  readonly run: string;
  /** `run/subtask/attempt`. */
  readonly attempt: string;
  readonly folder: string;
}

/** Uploads the whole files once the attempt has ended. */
export async function uploadFiles({ engine, blobs, run, attempt, folder }: FilesOf): Promise<void> {
  const files: AttemptFile[] = [];
  for (const file of await filesIn(folder)) {
    const { sha256, bytes } = await blobs.put({ file });
    files.push({ name: relative(folder, file), sha256, bytes });
  }
  await engine.call(REPLICA_OBJECT, run, "keepFiles", { attempt, files });
}

/** Uploads growing files while the attempt runs. What fails now is uploaded with the rest. */
export async function uploadGrowing(of: FilesOf, until: AbortSignal): Promise<void> {
  const sent: Sent = new Map();
  while (!until.aborted) {
    await sleep(LOOK_MS, undefined, { signal: until }).catch(() => undefined);
    if (!until.aborted) await uploadNews(of, sent).catch(() => undefined);
  }
}

/** The last piece uploaded, by name. */
type Sent = Map<string, FilePiece>;

/**
 * A small last piece is uploaded again with what was appended, so that the number of pieces stays that of full ones.
 */
async function uploadNews(of: FilesOf, sent: Sent): Promise<void> {
  const { engine, blobs, run, attempt, folder } = of;
  for (const file of await filesIn(folder)) {
    const name = relative(folder, file);
    const last = sent.get(name);
    const end = (last?.from ?? 0) + (last?.bytes ?? 0);
    const from = last !== undefined && last.bytes < SMALL_BYTES ? last.from : end;
    const content = await bytesFrom(file, from);
    if (from + content.length <= end) continue;
    const piece: FilePiece = { name, from, ...(await blobs.put(content)) };
    await engine.call(REPLICA_OBJECT, run, "grow", { attempt, piece });
    sent.set(name, piece);
  }
}

async function bytesFrom(file: string, from: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(
      Math.min(PIECE_BYTES, Math.max(0, (await handle.stat()).size - from)),
    );
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Downloads what exists of the files; called again, what was added. */
export async function downloadFiles(of: FilesOf): Promise<void> {
  const { engine, run, attempt, folder } = of;
  const { files, pieces } = await engine.call<KeptFiles>(REPLICA_OBJECT, run, "files", { attempt });
  await mkdir(folder, { recursive: true });
  for (const kept of files ?? pieces.slice(0, PIECES_MAX)) {
    const place = placeIn(folder, kept.name);
    if (place === undefined) continue;
    await mkdir(dirname(place), { recursive: true });
    if ("from" in kept || GROWING.has(kept.name)) await bringRest(of, { from: 0, ...kept }, place);
    else if ((await hashOf(place)) !== kept.sha256) await bringWhole(of, kept, place);
  }
}

/** Files that only grow: reading them continues at the last position. */
const GROWING: ReadonlySet<string> = new Set([
  TRANSCRIPT_FILE,
  `${TRANSCRIPT_FILE}${TIMES_SUFFIX}`,
]);

async function bringRest(of: FilesOf, piece: FilePiece, place: string): Promise<void> {
  const { from, bytes, sha256, name } = piece;
  for (;;) {
    const size = await sizeOf(place);
    if (size < from || size >= from + bytes) return;
    if (size === 0) return bringWhole(of, piece, place);
    const length = Math.min(PIECE_BYTES, from + bytes - size);
    const added = await of.blobs.read(sha256, size - from, length);
    if (added === undefined || added.length === 0) throw lacking(of.attempt, name);
    await writeFile(place, added, { flag: "a", mode: 0o600 });
  }
}

async function bringWhole(
  { blobs, attempt }: FilesOf,
  { sha256, name }: AttemptFile,
  place: string,
): Promise<void> {
  if (!(await blobs.getTo(sha256, place))) throw lacking(attempt, name);
}

async function hashOf(file: string): Promise<string | undefined> {
  const content = await readFile(file).catch(() => undefined);
  return content && createHash("sha256").update(content).digest("hex");
}

const lacking = (attempt: string, name: string): Error =>
  new Error(`${attempt}: the store of blobs has no ${name}`);

/** Names come from another machine. */
function placeIn(folder: string, name: string): string | undefined {
  const place = resolve(folder, name);
  return place.startsWith(folder + sep) ? place : undefined;
}

const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => undefined))?.size ?? 0;

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files: string[] = [];
  for (const name of names.slice(0, FILES_MAX)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() === true) files.push(join(folder, name));
  }
  return files;
}
