/**
 * Who may speak to `unstuck serve`: tokens of programs, browsers that are signed in, and links that sign one in. Each
 * is one file of the home, named by the hash of its secret. Invariants: a secret is never written, only its hash; a
 * link is used up by removing its file, which succeeds once, whoever else tries at that moment.
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
/** How a token is known for one, wherever it turns up. */
const PREFIX = "unstuck_";

const folder = (): string => join(openHome().root, "access");
const idOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const fileOf = (id: string): string => join(folder(), `${id}.json`);

/** The secret, which nobody can ask for again. */
export function grant(access: Access): string {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const file = fileOf(idOf(secret));
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify(access), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secret;
}

/** Nothing for a secret that is unknown, revoked or expired. */
export function accessOf(secret: string, now: number): KeptAccess | undefined {
  return isSecret(secret) ? readAccess(idOf(secret), now) : undefined;
}

/** Whether it is a link that works; it is used up: the second who tries gets nothing. */
export function useUpLink(secret: string, now: number): boolean {
  const access = accessOf(secret, now);
  return access?.kind === "link" && revoke(access);
}

/** Oldest first; what has expired is removed on the way. */
export function allAccess(now: number): readonly KeptAccess[] {
  const files = readdirOf(folder()).filter((name) => name.endsWith(".json"));
  const all = files.flatMap((name) => readAccess(name.slice(0, -".json".length), now) ?? []);
  return all.toSorted((a, b) => a.created - b.created);
}

/** Whether it was there. */
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

/** A file is read again only where another one stands in its place: every request asks for one. */
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

/** Nothing where there is no such file, or it cannot be looked at. */
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
