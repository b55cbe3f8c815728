/**
 * Signs requests to S3-compatible stores (AWS Signature Version 4, in the Authorization header). Pure: the time is an
 * argument. The payload's SHA-256 is signed, so a store can refuse content that changed in transit. The secret key
 * itself is never sent.
 */
import { createHash, createHmac } from "node:crypto";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface Unsigned {
  readonly method: string;
  readonly host: string;
  /** Encoded as on the wire; no query. */
  readonly path: string;
  /** In addition to those that signing adds; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadSha256: string;
}

export function signedHeaders(
  { method, host, path, headers, payloadSha256 }: Unsigned,
  { region, credentials, at }: { region: string; credentials: Credentials; at: Date },
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    ...{ host, "x-amz-content-sha256": payloadSha256, "x-amz-date": time },
    ...(credentials.sessionToken === undefined
      ? {}
      : { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(all).sort();
  const lines = names.map((name) => `${name}:${(all[name] ?? "").trim()}\n`).join("");
  const signed = names.join(";");
  const request = [method, path, "", lines, signed, payloadSha256].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash("sha256").update(request).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, hash].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer>(
    (before, part) => hmac(before, part),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const signature = hmac(key, toSign).toString("hex");
  const who = `Credential=${credentials.accessKeyId}/${scope}`;
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 ${who}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** A key as part of a path: every byte except letters, digits, `-._~` and slashes becomes `%XX`. */
export const encodedKey = (key: string): string =>
  key
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
