/** How to reach a fleet's engine and blob store, and the name of this worker. */
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { Blobs } from "../../engines/blobs/blobs.ts";
import { blobsAt } from "../../engines/blobs/blobs-at.ts";
import { loadSdk, type Sdk } from "../../engines/restate/sdk.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { ProblemError } from "../operation.ts";
import { fleetUrl } from "./url.ts";

const ADMIN_PORT = "9070";

const DEFAULT_URL = "http://127.0.0.1:8080";

/** The given addresses, otherwise the fleet named by the environment, otherwise this machine. */
export const engineAddresses = (given: readonly string[] | undefined): readonly string[] =>
  addresses(given ?? [fleetUrl() ?? DEFAULT_URL]);

/** Addresses without path or trailing slash. */
export function addresses(given: readonly string[]): readonly string[] {
  return given.flatMap((text) => text.split(",")).map((text) => addressOf(text.trim()).origin);
}

/** The admin interface is on the ingress's host on its own port, unless given. */
export const adminAddresses = (
  urls: readonly string[],
  given: readonly string[] | undefined,
): readonly string[] =>
  given === undefined
    ? urls.map((url) => Object.assign(new URL(url), { port: ADMIN_PORT }).origin)
    : addresses(given);

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "")
    throw new ProblemError(
      "bad-input",
      `${cleanLine(text, 100)} is no address of a fleet: it looks like ${DEFAULT_URL}`,
    );
  return url;
}

export function openBlobs(url: string): Blobs {
  const found = blobsAt(url);
  if (found.ok) return found.blobs;
  throw new ProblemError("bad-input", found.problem);
}

export function restateSdk(cwd: string): Sdk {
  try {
    return loadSdk(cwd);
  } catch (error) {
    if ((error as { code?: string }).code !== "not-installed") throw error;
    throw new ProblemError("not-now", (error as Error).message);
  }
}

/** Stable across restarts: the machine's name, and which home on it. */
export function workerName(home: string): string {
  const machine = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${machine}-${createHash("sha256").update(home).digest("hex").slice(0, 6)}`;
}
