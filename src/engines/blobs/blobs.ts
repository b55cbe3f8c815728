/**
 * Content that is too large for a journal, stored by its SHA-256: transcripts, long output, bundles of git objects.
 * Identical content is stored once. A blob that is read whole is checked against its name, so a store can lose content
 * but never substitute other content. No store accepts or returns a blob larger than `BLOB_BYTES_MAX`.
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";

export const BLOB_BYTES_MAX = 1024 ** 3;
/** The most one `read` returns. */
export const PART_BYTES_MAX = 16 * 1024 ** 2;

export interface StoredBlob {
  readonly sha256: string;
  readonly bytes: number;
}

export type BlobSource = Buffer | { readonly file: string };

export interface Blobs {
  put(data: BlobSource): Promise<StoredBlob>;
  /** Undefined if the store does not have it. */
  get(sha256: string): Promise<Buffer | undefined>;
  /** Writes the blob to a file, whole or not at all; false if the store does not have it. */
  getTo(sha256: string, file: string): Promise<boolean>;
  /** Reads a part, shorter at the end of the blob. Not checked against the name, which hashes the whole. */
  read(sha256: string, from: number, length: number): Promise<Buffer | undefined>;
  has(sha256: string): Promise<boolean>;
}

export type BlobsErrorCode = "unreachable" | "denied" | "damaged" | "too-big" | "refused";

/** Its message says what happened and what to do, and contains no credentials. */
export class BlobsError extends Error {
  override readonly name = "BlobsError";
  readonly code: BlobsErrorCode;

  constructor(code: BlobsErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** Checks a name, which comes from a journal, before it becomes part of a path or an address. */
export function requireName(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256))
    throw new BlobsError("refused", "this is not the name of a blob");
  return sha256;
}

export function requirePart(from: number, length: number): void {
  const isPart = Number.isSafeInteger(from) && Number.isSafeInteger(length) && from >= 0;
  if (!isPart || length < 0 || length > PART_BYTES_MAX)
    throw new BlobsError("refused", `at most ${PART_BYTES_MAX} bytes of a blob are read at a time`);
}

/** Checks the size before anything is read. */
export async function requireFits(source: BlobSource): Promise<void> {
  requireBytes(Buffer.isBuffer(source) ? source.length : (await stat(source.file)).size);
}

function requireBytes(bytes: number): void {
  if (bytes > BLOB_BYTES_MAX)
    throw new BlobsError(
      "too-big",
      `larger than ${BLOB_BYTES_MAX} bytes, the most a blob may have`,
    );
}

/** Counts and hashes what passes through; content that grows too large on the way is refused before it is stored. */
export function blobMeter(): { take(chunk: Buffer): void; blob(): StoredBlob } {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    take(chunk) {
      bytes += chunk.length;
      requireBytes(bytes);
      hash.update(chunk);
    },
    blob: () => ({ sha256: hash.digest("hex"), bytes }),
  };
}

export function requireContent(sha256: string, found: StoredBlob, where: string): void {
  if (found.sha256 !== sha256)
    throw new BlobsError(
      "damaged",
      `the content of ${sha256} in ${where} does not match its hash: restore it from a backup, or delete it`,
    );
}
