/**
 * The files of an attempt (its prompt, its transcript) on other machines than the one it runs on: the worker hands them
 * on while they grow and whole at the end, a reader brings them to the same place in its own home. Invariants: a reader's
 * copy is only ever a beginning of the file or all of it; a name never leads out of the attempt's folder.
 */
import { mkdir, open, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Blobs } from "../../engines/blobs/blobs.ts";
import type { Ingress } from "../../engines/restate/ingress.ts";
import {
  REPLICA_OBJECT,
  type AttemptFile,
  type FilePiece,
  type KeptFiles,
} from "../../engines/restate/replica-object.ts";

const FILES_MAX = 100;
const LOOK_MS = 1500;
const PIECE_BYTES = 8 * 1024 * 1024;

export interface FilesOf {
  readonly engine: Ingress;
  readonly blobs: Blobs;
  readonly run: string;
  /** `run/subtask/attempt`. */
  readonly attempt: string;
  readonly folder: string;
}

/** Whole, once the attempt has ended. */
export async function keepFiles({ engine, blobs, run, attempt, folder }: FilesOf): Promise<void> {
  const files: AttemptFile[] = [];
  for (const file of await filesIn(folder)) {
    const { sha256, bytes } = await blobs.put({ file });
    files.push({ name: relative(folder, file), sha256, bytes });
  }
  await engine.call(REPLICA_OBJECT, run, "keepFiles", { attempt, files });
}

/** While it runs. What cannot be handed on now is handed on with the rest. */
export async function handOnGrowing(of: FilesOf, until: AbortSignal): Promise<void> {
  const sent = new Map<string, number>();
  while (!until.aborted) {
    await sleep(LOOK_MS, undefined, { signal: until }).catch(() => undefined);
    if (!until.aborted) await handOnNews(of, sent).catch(() => undefined);
  }
}

async function handOnNews(of: FilesOf, sent: Map<string, number>): Promise<void> {
  const { engine, blobs, run, attempt, folder } = of;
  for (const file of await filesIn(folder)) {
    const name = relative(folder, file);
    const from = sent.get(name) ?? 0;
    const added = await bytesFrom(file, from);
    if (added.length === 0) continue;
    const { sha256, bytes } = await blobs.put(added);
    const piece: FilePiece = { name, from, sha256, bytes };
    await engine.call(REPLICA_OBJECT, run, "grow", { attempt, piece });
    sent.set(name, from + bytes);
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

/** Brings what there is of them here; asked again, what was added. */
export async function bringFiles({ engine, blobs, run, attempt, folder }: FilesOf): Promise<void> {
  const { files, pieces } = await engine.call<KeptFiles>(REPLICA_OBJECT, run, "files", { attempt });
  await mkdir(folder, { recursive: true });
  for (const { name, sha256, bytes } of files ?? []) {
    const place = placeIn(folder, name);
    if (place === undefined || (await sizeOf(place)) === bytes) continue;
    await mkdir(dirname(place), { recursive: true });
    if (!(await blobs.getTo(sha256, place))) throw lacking(attempt, name);
  }
  for (const { name, from, sha256 } of files === null ? pieces : []) {
    const place = placeIn(folder, name);
    if (place === undefined || (await sizeOf(place)) !== from) continue;
    const added = await blobs.get(sha256);
    if (added === undefined) throw lacking(attempt, name);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, added, { flag: "a", mode: 0o600 });
  }
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
