/**
 * Reads and writes settings files, and remembers what was put into which. Invariants: a file is replaced whole or
 * not at all, through a link to where it really is, with its own mode; bytes that are not UTF-8 are refused; only
 * folders that were made for a file are removed with it.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Fields } from "../../output/json.ts";
import { fieldsOf, listOf } from "../../output/json.ts";
import type { InstalledPieces } from "./hook-change.ts";

/** Undefined where there is none; throws where it cannot be read as text. */
export function readSettings(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new Error("it is not UTF-8 text");
  return text;
}

export interface Installed extends InstalledPieces {
  /** Made for the file, outermost first. */
  readonly folders: readonly string[];
}

/** The folders that had to be made. */
export function writeSettings(file: string, text: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder))
    folders.unshift(folder);
  mkdirSync(dirname(file), { recursive: true });
  const real = existsSync(file) ? realpathSync(file) : file;
  const mode = statSync(real, { throwIfNoEntry: false })?.mode ?? 0o644;
  const fresh = `${real}.unstuck-${process.pid}`;
  try {
    writeFileSync(fresh, text, { mode: mode & 0o777 });
    renameSync(fresh, real);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  return folders;
}

export function removeSettings(file: string, folders: readonly string[]): void {
  rmSync(file);
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // Somebody else keeps something in it.
    }
  }
}

const recordFile = (folder: string): string => join(folder, "installed.json");

export function installedIn(folder: string, file: string): Installed | undefined {
  const { pieces, created, folders } = fieldsOf(records(folder)[file]);
  const texts = listOf(pieces).filter((piece) => typeof piece === "string");
  if (texts.length === 0) return undefined;
  const made = listOf(folders).filter((one) => typeof one === "string");
  return { pieces: texts, created: created === true, folders: made };
}

export function recordInstalled(folder: string, file: string, what: Installed | undefined): void {
  const { [file]: _old, ...others } = records(folder);
  const all = what === undefined ? others : { ...others, [file]: what };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const record = recordFile(folder);
  writeFileSync(`${record}.new`, `${JSON.stringify(all, null, 1)}\n`, { mode: 0o600 });
  renameSync(`${record}.new`, record);
}

function records(folder: string): Fields {
  try {
    return fieldsOf(JSON.parse(readFileSync(recordFile(folder), "utf8")));
  } catch {
    return {};
  }
}
