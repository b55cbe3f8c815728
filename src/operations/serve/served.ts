/**
 * Where this home is served: recorded while a server runs, so that other commands find it, and the links that sign a
 * browser in. Invariants: a link is good for one sign-in within its time; the record holds no secret; a dead server is
 * not taken for a running one.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { systemProcesses } from "../../engines/system.ts";
import { openHome } from "../home.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { grant } from "./access.ts";

const LINK_MINUTES = 10;

const served = z.strictObject({
  url: z.string(),
  owner: z.strictObject({ pid: z.number(), bootId: z.string(), startTime: z.string() }),
});

const file = (): string => join(openHome().root, "serve.json");

/** Returns a function that removes the record. */
export function keepServed(url: string): () => void {
  const { self: owner } = systemProcesses();
  writeFileSync(`${file()}.new`, JSON.stringify({ url, owner }), { mode: 0o600 });
  renameSync(`${file()}.new`, file());
  return () => {
    if (readServed()?.owner.pid === owner.pid) rmSync(file(), { force: true });
  };
}

/** The server's address; undefined if no server runs. */
export function servedAt(): string | undefined {
  const found = readServed();
  return found === undefined || systemProcesses().isDead(found.owner) ? undefined : found.url;
}

/** The code comes after the #, which browsers send to no server. */
export function signInLink(url: string, now: number): string {
  refuseInsideAttempt("open", { orphans: "allowed" });
  const expires = now + LINK_MINUTES * 60_000;
  const code = grant({ kind: "link", name: "sign-in link", created: now, expires });
  return `${url}/sign-in#${code}`;
}

function readServed(): z.infer<typeof served> | undefined {
  try {
    const read = served.safeParse(JSON.parse(readFileSync(file(), "utf8")));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
