/**
 * One request to an S3-compatible store: signed, limited in time, and retried if the store or the connection failed.
 * Redirects are never followed, so signed requests go only to the endpoint. A store's error text is foreign text.
 */
import { createReadStream } from "node:fs";
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../core/foreign-text.ts";
import { BlobsError, type BlobSource } from "./blobs.ts";
import { type Credentials, encodedKey, signedHeaders } from "./signature-v4.ts";

export interface S3Place {
  readonly endpoint: URL;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly credentials: Credentials;
}

export interface S3Ask<T> {
  readonly method: "GET" | "HEAD" | "PUT";
  readonly key: string;
  readonly range?: string;
  readonly body?: { readonly source: BlobSource; readonly bytes: number; readonly sha256: string };
  /** Statuses that count as answers; `read` consumes their body. */
  readonly ok: readonly number[];
  readonly read: (response: IncomingMessage) => Promise<T>;
}

const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const SILENT_MS = 30_000;
const TRIES = 4;
const FIRST_PAUSE_MS = 100;

export async function s3Request<T>(place: S3Place, ask: S3Ask<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(place, ask);
    } catch (error) {
      if (error instanceof BlobsError && error.code !== "unreachable") throw error;
      const failure = error instanceof BlobsError ? error : unreachable(place, error);
      if (tries >= TRIES) throw failure;
    }
    await sleep(FIRST_PAUSE_MS * 3 ** (tries - 1) * (0.5 + Math.random()));
  }
}

const unreachable = ({ endpoint }: S3Place, error: unknown): BlobsError => {
  const said = error instanceof Error ? error.message || error.name : "";
  const words = cleanLine(said, 200);
  return new BlobsError(
    "unreachable",
    `the store at ${endpoint.origin} does not answer: ${words}`,
    error,
  );
};

async function tryOnce<T>(place: S3Place, ask: S3Ask<T>): Promise<T> {
  const sent = started(place, ask);
  sent.setTimeout(SILENT_MS, () => sent.destroy(new Error(`silent for ${SILENT_MS / 1000} s`)));
  sent.on("error", () => undefined); // an error after the answer arrived is reported by the answer too
  const [answer] = await Promise.all([answered(sent), sendBody(sent, ask)]);
  try {
    if (ask.ok.includes(answer.statusCode ?? 0)) return await ask.read(answer);
    throw await refused(place, answer);
  } finally {
    if (!answer.complete) sent.destroy();
    else answer.resume();
  }
}

function started<T>(place: S3Place, { method, key, range, body }: S3Ask<T>): ClientRequest {
  const { endpoint, region, credentials, bucket, prefix } = place;
  const path = encodedKey(`/${bucket}/${prefix}${key}`);
  const headers = {
    ...(range === undefined ? {} : { range }),
    ...(body === undefined ? {} : { "content-length": String(body.bytes) }),
  };
  const payloadSha256 = body?.sha256 ?? EMPTY_SHA256;
  const unsigned = { method, host: endpoint.host, path, headers, payloadSha256 };
  const signed = signedHeaders(unsigned, { region, credentials, at: new Date() });
  const send = endpoint.protocol === "https:" ? httpsRequest : httpRequest;
  return send(endpoint, { method, path, headers: signed });
}

async function answered(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

/** A store that refuses may answer before it has received the whole body. */
async function sendBody<T>(sent: ClientRequest, { body }: S3Ask<T>): Promise<void> {
  if (body === undefined || body.bytes === 0) sent.end();
  else if (Buffer.isBuffer(body.source)) sent.end(body.source);
  else
    await pipeline(createReadStream(body.source.file, { end: body.bytes - 1 }), sent).catch(
      (error: unknown) => {
        if (!sent.destroyed) throw error;
      },
    );
}

/** The error for a status that is not an answer. */
async function refused(place: S3Place, answer: IncomingMessage): Promise<BlobsError> {
  const status = answer.statusCode ?? 0;
  const code = codeIn(await firstOf(answer));
  const said = code === "" ? String(status) : `${code}, ${status}`;
  const { origin } = place.endpoint;
  if (status === 401 || status === 403)
    return new BlobsError(
      "denied",
      `the store at ${origin} refuses the credentials (${said}): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ` +
        "AWS_SESSION_TOKEN, the region and this machine's clock",
    );
  if (status >= 500 || status === 408 || status === 429)
    return new BlobsError("unreachable", `the store at ${origin} cannot serve now (${said})`);
  if (status >= 300 && status < 400)
    return new BlobsError(
      "refused",
      `the store at ${origin} sends requests elsewhere (${said}), which are not followed: name the endpoint and region of the bucket itself`,
    );
  if (code === "NoSuchBucket" || (status === 404 && code === ""))
    return new BlobsError(
      "refused",
      `the store at ${origin} has no bucket ${place.bucket}: create it`,
    );
  return new BlobsError("refused", `the store at ${origin} refuses the request (${said})`);
}

const ERROR_BYTES_MAX = 16 * 1024;

async function firstOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    text += chunk.toString("utf8");
    if (text.length > ERROR_BYTES_MAX) break;
  }
  return text.slice(0, ERROR_BYTES_MAX);
}

const codeIn = (xml: string): string => /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(xml)?.[1] ?? "";

/** Whether a 404 is about the bucket: a missing bucket is a mistake, a missing key is an answer. */
export const isMissingBucket = async (answer: IncomingMessage): Promise<boolean> =>
  codeIn(await firstOf(answer)) === "NoSuchBucket";
