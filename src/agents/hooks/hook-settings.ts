/**
 * The hooks' own records in Unstuck's home, never taken from a checkout, and access to the agents' settings files.
 * Invariants: a file is replaced whole or not at all; an agent's file is written where its link points, keeping its
 * mode; an unreadable record counts as absent, but settings that are not UTF-8 are refused; only folders that were
 * created for a file are removed with it.
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
import { dirname, join, sep } from "node:path";
import { fieldsOf, listOf, parseFields, type Fields } from "../output/json.ts";

export interface StopGate {
  readonly checks: readonly string[];
  /** How often a stop is rejected before it is allowed. */
  readonly sendBacks: number;
}

export const DEFAULT_SEND_BACKS = 3;

const SETTINGS = "settings.json";
const INSTALLED = "installed.json";

export const toolsFileIn = (folder: string, agent: string): string =>
  join(folder, `tools-${agent}.json`);

const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((one) => typeof one === "string");

/** The gate of the nearest enclosing folder, if any. */
export function stopGateOf(folder: string, cwd: string): StopGate | undefined {
  const folders = fieldsOf(readRecord(folder, SETTINGS)["folders"]);
  const above = Object.keys(folders).filter((one) => cwd === one || cwd.startsWith(one + sep));
  const nearest = above.sort((a, b) => b.length - a.length)[0];
  if (nearest === undefined) return undefined;
  const { checks: given, sendBacks } = fieldsOf(folders[nearest]);
  const checks = textsOf(given);
  const count = typeof sendBacks === "number" ? sendBacks : DEFAULT_SEND_BACKS;
  return checks.length === 0 ? undefined : { checks, sendBacks: count };
}

export function setStopGate(folder: string, of: string, gate: StopGate | undefined): void {
  const settings = readRecord(folder, SETTINGS);
  const folders = replaced(fieldsOf(settings["folders"]), of, gate);
  writeRecord(folder, SETTINGS, JSON.stringify({ ...settings, folders }, null, 2));
}

export interface InstalledPieces {
  readonly pieces: readonly string[];
  /** The file did not exist before. */
  readonly created: boolean;
}

interface Installed extends InstalledPieces {
  /** Folders created for the file, outermost first. */
  readonly folders: readonly string[];
}

export function installedIn(folder: string, file: string): Installed | undefined {
  const record = fieldsOf(readRecord(folder, INSTALLED)[file]);
  const pieces = textsOf(record["pieces"]);
  if (pieces.length === 0) return undefined;
  return { pieces, created: record["created"] === true, folders: textsOf(record["folders"]) };
}

export function recordInstalled(folder: string, file: string, what: Installed | undefined): void {
  const all = replaced(readRecord(folder, INSTALLED), file, what);
  writeRecord(folder, INSTALLED, JSON.stringify(all, null, 1));
}

function replaced(all: Fields, name: string, value: unknown): Fields {
  const { [name]: _old, ...others } = all;
  return value === undefined ? others : { ...others, [name]: value };
}

function readRecord(folder: string, name: string): Fields {
  try {
    return parseFields(readFileSync(join(folder, name), "utf8")) ?? {};
  } catch {
    return {};
  }
}

function writeRecord(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Undefined if there is no file; throws if it cannot be read as text. */
export function readSettings(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new Error("it is not UTF-8 text");
  return text;
}

/** Returns the folders that had to be created. */
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
      return; // Not empty: something else uses it.
    }
  }
}
