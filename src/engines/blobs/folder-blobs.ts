/**
 * Blobs in a folder, which several machines may share. A blob is written to a temporary file, synced and renamed, so an
 * existing blob is complete, even after a power loss.
 */
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import {
  blobMeter,
  type Blobs,
  type BlobSource,
  requireContent,
  requireFits,
  requireName,
  requirePart,
  type StoredBlob,
} from "./blobs.ts";

export function folderBlobs(folder: string): Blobs {
  const placeOf = (sha256: string): string => join(folder, requireName(sha256).slice(0, 2), sha256);
  return {
    put: (data) => put(folder, placeOf, data),
    async get(sha256) {
      const chunks: Buffer[] = [];
      const blob = await metered(placeOf(sha256), (chunk) => void chunks.push(chunk));
      if (blob === undefined) return undefined;
      requireContent(sha256, blob, folder);
      return Buffer.concat(chunks);
    },
    async getTo(sha256, file) {
      const source = placeOf(sha256);
      if (!(await isFile(source))) return false;
      await writtenAside(dirname(file), createReadStream(source), (blob) => {
        requireContent(sha256, blob, folder);
        return file;
      });
      return true;
    },
    async read(sha256, from, length) {
      requirePart(from, length);
      const file = await open(placeOf(sha256), "r").catch(missing);
      if (file === undefined) return undefined;
      try {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    has: (sha256) => isFile(placeOf(sha256)),
  };
}

async function put(
  folder: string,
  placeOf: (sha256: string) => string,
  data: BlobSource,
): Promise<StoredBlob> {
  await requireFits(data);
  const source = Buffer.isBuffer(data) ? Readable.from([data]) : createReadStream(data.file);
  return writtenAside(folder, source, async ({ sha256, bytes }) => {
    const place = placeOf(sha256);
    if ((await stat(place).catch(missing))?.size === bytes) return undefined;
    await mkdir(dirname(place), { recursive: true });
    return place;
  });
}

/** Writes a stream to a temporary file and renames it to its content's name; undefined if the blob exists already. */
async function writtenAside(
  folder: string,
  source: AsyncIterable<Buffer>,
  placeFor: (blob: StoredBlob) => string | undefined | Promise<string | undefined>,
): Promise<StoredBlob> {
  await mkdir(folder, { recursive: true });
  const aside = join(folder, `.${randomUUID()}.tmp`);
  try {
    const file = await open(aside, "wx");
    const meter = blobMeter();
    try {
      for await (const chunk of source) {
        meter.take(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const blob = meter.blob();
    const place = await placeFor(blob);
    if (place !== undefined) {
      await rename(aside, place);
      await syncFolder(dirname(place));
    }
    return blob;
  } finally {
    await rm(aside, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

async function metered(
  path: string,
  take: (chunk: Buffer) => void,
): Promise<StoredBlob | undefined> {
  if (!(await isFile(path))) return undefined;
  const meter = blobMeter();
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    meter.take(chunk);
    take(chunk);
  }
  return meter.blob();
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(missing))?.isFile() === true;

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
