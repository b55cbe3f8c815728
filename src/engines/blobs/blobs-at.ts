/**
 * Parses a store's address: a folder (`file:///srv/blobs`) or an S3-compatible bucket
 * (`s3://bucket/prefix?endpoint=https://host&region=name`). Credentials come from the environment, under the names the
 * AWS tools use, and never from the address: an address with a password is refused and not repeated in the error.
 */
import { fileURLToPath } from "node:url";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Blobs } from "./blobs.ts";
import { folderBlobs } from "./folder-blobs.ts";
import { s3Blobs } from "./s3-blobs.ts";

export type BlobsAt =
  { readonly ok: true; readonly blobs: Blobs } | { readonly ok: false; readonly problem: string };

const KNOWN = "use file:///absolute/folder or s3://bucket/prefix?endpoint=https://host&region=name";

export function blobsAt(address: string, env: NodeJS.ProcessEnv = process.env): BlobsAt {
  const url = URL.parse(address);
  if (url === null) return wrong(`this is not the address of a store: ${KNOWN}`);
  if (url.username !== "" || url.password !== "")
    return wrong(
      "the address of the store holds credentials: leave them out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  if (url.protocol === "file:") return folderAt(url);
  if (url.protocol === "s3:") return bucketAt(url, env);
  return wrong(`${cleanLine(url.protocol, 30)} is not a kind of store: ${KNOWN}`);
}

const wrong = (problem: string): BlobsAt => ({ ok: false, problem });

function folderAt(url: URL): BlobsAt {
  if (url.search !== "" || url.hash !== "") return wrong(`a folder takes no settings: ${KNOWN}`);
  try {
    return { ok: true, blobs: folderBlobs(fileURLToPath(url)) };
  } catch {
    return wrong(`a folder is named by its absolute path, without a host: ${KNOWN}`);
  }
}

const BUCKET = /^[a-zA-Z0-9][a-zA-Z0-9.-]{1,61}[a-zA-Z0-9]$/;
const PREFIX = /^(?:[\w.-]{1,100}\/){0,10}$/;

function bucketAt(url: URL, env: NodeJS.ProcessEnv): BlobsAt {
  const bucket = url.host;
  const path = url.pathname.replace(/^\/+/, "").replace(/\/*$/, "/");
  const prefix = path === "/" ? "" : path;
  if (!BUCKET.test(bucket)) return wrong(`an S3 address names a bucket: ${KNOWN}`);
  if (!PREFIX.test(prefix) || /(?:^|\/)\.{1,2}\//.test(prefix))
    return wrong(
      "the prefix of an S3 address is made of letters, digits and - _ . between slashes",
    );
  const strange = [...url.searchParams.keys()].find(
    (name) => !["endpoint", "region"].includes(name),
  );
  if (strange !== undefined)
    return wrong(
      `an S3 address takes endpoint and region, not ${cleanLine(strange, 30)}: ${KNOWN}`,
    );
  const settings = (name: string): string | undefined => env[name]?.trim() || undefined;
  const region =
    url.searchParams.get("region") ??
    settings("AWS_REGION") ??
    settings("AWS_DEFAULT_REGION") ??
    "us-east-1";
  if (!/^[\w-]{1,50}$/.test(region)) return wrong("the region is a name such as eu-central-1");
  const named =
    url.searchParams.get("endpoint") ??
    settings("AWS_ENDPOINT_URL_S3") ??
    settings("AWS_ENDPOINT_URL") ??
    `https://s3.${region}.amazonaws.com`;
  const endpoint = URL.parse(named);
  if (endpoint === null || !isEndpoint(endpoint))
    return wrong(
      "the endpoint is an address such as https://s3.example.org, without a path or credentials",
    );
  const [accessKeyId, secretAccessKey, sessionToken] = [
    ...[settings("AWS_ACCESS_KEY_ID"), settings("AWS_SECRET_ACCESS_KEY")],
    settings("AWS_SESSION_TOKEN"),
  ];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return wrong("the store needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  const token = sessionToken === undefined ? {} : { sessionToken };
  const credentials = { accessKeyId, secretAccessKey, ...token };
  return { ok: true, blobs: s3Blobs({ endpoint, region, bucket, prefix, credentials }) };
}

const isEndpoint = ({ protocol, username, password, pathname, search }: URL): boolean =>
  /^https?:$/.test(protocol) && `${username}${password}${search}` === "" && pathname === "/";
