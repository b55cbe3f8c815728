/**
 * Access to `unstuck serve`: tokens of programs, signed-in browsers, and links that sign one in. Each is one file of
 * the home, named by the hash of its secret. Invariants: only the hash of a secret is ever written; a link is used up
 * by removing its file, which succeeds only once, even for simultaneous attempts.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { openHome } from "../home.ts";
import { textIfThere } from "../text.ts";

const kept = z.strictObject({
  kind: z.enum(["token", "browser", "link"]),
  name: z.string(),
  /** Epoch milliseconds. */
  created: z.number(),
  expires: z.number().optional(),
});

export type Access = z.infer<typeof kept>;

export interface KeptAccess extends Access {
  /** The name of its file. */
  readonly id: string;
}

const SECRET_BYTES = 32;
/** The prefix by which a token is recognized anywhere. */
const PREFIX = "unstuck_";

const folder = (): string => join(openHome().root, "access");
const idOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const fileOf = (id: string): string => join(folder(), `${id}.json`);

/** Returns the secret, which cannot be retrieved again. */
export function grant(access: Access): string {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const file = fileOf(idOf(secret));
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify(access), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secret;
}

/** Undefined for a secret that is unknown, revoked or expired. */
export function accessOf(secret: string, now: number): KeptAccess | undefined {
  return isSecret(secret) ? readAccess(idOf(secret), now) : undefined;
}

/** Whether this is a valid link. It is used up: a second attempt fails. */
export function useUpLink(secret: string, now: number): boolean {
  const access = accessOf(secret, now);
  return access?.kind === "link" && revoke(access);
}

/** Oldest first; removes expired entries. */
export function allAccess(now: number): readonly KeptAccess[] {
  const files = readdirOf(folder()).filter((name) => name.endsWith(".json"));
  const all = files.flatMap((name) => readAccess(name.slice(0, -".json".length), now) ?? []);
  return all.toSorted((a, b) => a.created - b.created);
}

/** Returns whether it existed. */
export function revoke({ id }: Pick<KeptAccess, "id">): boolean {
  try {
    unlinkSync(fileOf(id));
    return true;
  } catch {
    return false;
  }
}

const isSecret = (text: string): boolean => /^unstuck_[\w-]{43}$/.test(text);

function readAccess(id: string, now: number): KeptAccess | undefined {
  const access = accessIn(fileOf(id));
  if (access === undefined) return undefined;
  if (now < (access.expires ?? Infinity)) return { ...access, id };
  rmSync(fileOf(id), { force: true });
  return undefined;
}

const READ_MAX = 1000;
const read = new Map<string, { readonly stamp: string; readonly access: Access | undefined }>();

/** Every request needs a file's contents, so it is read again only if the file was replaced. */
function accessIn(file: string): Access | undefined {
  const stamp = stampOf(file);
  const known = read.get(file);
  if (stamp !== undefined && known?.stamp === stamp) return known.access;
  read.delete(file);
  if (stamp === undefined) return undefined;
  const { data: access } = kept.safeParse(jsonOf(textIfThere(file) ?? ""));
  if (read.size >= READ_MAX) read.clear();
  read.set(file, { stamp, access });
  return access;
}

/** Undefined if the file is missing or cannot be inspected. */
function stampOf(file: string): string | undefined {
  try {
    const { ino, mtimeMs, ctimeMs, size } = statSync(file);
    return [ino, mtimeMs, ctimeMs, size].join(" ");
  } catch {
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readdirOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
