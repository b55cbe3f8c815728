/**
 * Blobs in an S3-compatible store, one object each, named by content. The same name always means the same content, so
 * conditional writes, listing and locks are not needed: two clients that put the same blob write the same bytes.
 */
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import {
  blobMeter,
  type Blobs,
  BlobsError,
  type BlobSource,
  PART_BYTES_MAX,
  requireContent,
  requireFits,
  requireName,
  requirePart,
  type StoredBlob,
} from "./blobs.ts";
import { isMissingBucket, type S3Place, s3Request } from "./s3-request.ts";

export function s3Blobs(place: S3Place): Blobs {
  const keyOf = (sha256: string): string => `${requireName(sha256).slice(0, 2)}/${sha256}`;
  const where = `${place.endpoint.origin}/${place.bucket}`;
  const noBucket = (): BlobsError =>
    new BlobsError(
      "refused",
      `the store at ${place.endpoint.origin} has no bucket ${place.bucket}: create it`,
    );
  const sizeOf = (sha256: string): Promise<number | undefined> =>
    s3Request(place, {
      ...{ method: "HEAD", key: keyOf(sha256), ok: [200, 404] },
      read: async (answer) =>
        answer.statusCode === 404 ? undefined : Number(answer.headers["content-length"]),
    });
  /** Streams the whole object through `take` and checks it at the end. */
  const whole = <T>(sha256: string, take: (answer: IncomingMessage) => Promise<[StoredBlob, T]>) =>
    s3Request<T | undefined>(place, {
      ...{ method: "GET", key: keyOf(sha256), ok: [200, 404] },
      read: async (answer) => {
        if (answer.statusCode === 404) {
          if (await isMissingBucket(answer)) throw noBucket();
          return undefined;
        }
        const [blob, value] = await take(answer);
        requireContent(sha256, blob, where);
        return value;
      },
    });
  return {
    async put(source) {
      const blob = await measured(source);
      // Without permission to list the bucket, a missing object looks like a denied one.
      const there = await sizeOf(blob.sha256).catch((error: unknown) => {
        if (!(error instanceof BlobsError) || error.code !== "denied") throw error;
      });
      if (there === blob.bytes) return blob;
      await s3Request(place, {
        ...{
          method: "PUT",
          key: keyOf(blob.sha256),
          ok: [200, 201, 204],
          body: { source, ...blob },
        },
        read: async () => undefined,
      });
      return blob;
    },
    get: (sha256) => whole(sha256, collected),
    async getTo(sha256, file) {
      const aside = `${file}.${randomUUID()}.tmp`;
      try {
        const found = await whole(sha256, (answer) => written(answer, aside));
        if (found === undefined) return false;
        await rename(aside, file);
        return true;
      } finally {
        await rm(aside, { force: true });
      }
    },
    read(sha256, from, length) {
      requirePart(from, length);
      if (length === 0) return Promise.resolve(Buffer.alloc(0));
      return s3Request(place, {
        ...{ method: "GET", key: keyOf(sha256), ok: [200, 206, 404, 416] },
        range: `bytes=${from}-${from + length - 1}`,
        read: async (answer) => {
          if (answer.statusCode === 416) return Buffer.alloc(0);
          if (answer.statusCode !== 404) return partOf(answer, from, length);
          if (await isMissingBucket(answer)) throw noBucket();
          return undefined;
        },
      });
    },
    has: async (sha256) => (await sizeOf(sha256)) !== undefined,
  };
}

async function measured(source: BlobSource): Promise<StoredBlob> {
  await requireFits(source);
  const meter = blobMeter();
  if (Buffer.isBuffer(source)) meter.take(source);
  else
    for await (const chunk of createReadStream(source.file) as AsyncIterable<Buffer>)
      meter.take(chunk);
  return meter.blob();
}

async function collected(answer: IncomingMessage): Promise<[StoredBlob, Buffer]> {
  const meter = blobMeter();
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    meter.take(chunk);
    chunks.push(chunk);
  }
  return [meter.blob(), Buffer.concat(chunks)];
}

async function written(answer: IncomingMessage, file: string): Promise<[StoredBlob, true]> {
  const meter = blobMeter();
  const metered = async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of source) {
      meter.take(chunk);
      yield chunk;
    }
  };
  await pipeline(answer, metered, createWriteStream(file, { flush: true }));
  return [meter.blob(), true];
}

/** Some stores return the whole object even if a range was requested. */
async function partOf(answer: IncomingMessage, from: number, length: number): Promise<Buffer> {
  const skipped = answer.statusCode === 206 ? 0 : from;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > skipped) chunks.push(chunk.subarray(Math.max(0, skipped - (bytes - chunk.length))));
    if (bytes >= skipped + length || bytes > skipped + PART_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, length);
}
