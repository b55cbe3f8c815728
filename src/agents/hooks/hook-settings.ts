/**
 * What the user told the hooks: checks by folder, and the tools an agent may call. In a file of the user's own,
 * under Unstuck's home; never from a checkout. What cannot be read is not there.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Fields } from "../output/json.ts";
import { fieldsOf, listOf } from "../output/json.ts";

export interface StopGate {
  readonly checks: readonly string[];
  /** How often a stop is sent back before it is let go. */
  readonly sendBacks: number;
}

export const DEFAULT_SEND_BACKS = 3;

const fileIn = (folder: string): string => join(folder, "settings.json");
export const toolsFileIn = (folder: string, agent: string): string =>
  join(folder, `tools-${agent}.json`);

/** The gate of the nearest folder above, if any. */
export function stopGateOf(folder: string, cwd: string): StopGate | undefined {
  const folders = fieldsOf(read(folder)["folders"]);
  const above = Object.keys(folders).filter((one) => cwd === one || cwd.startsWith(one + sep));
  const nearest = above.sort((a, b) => b.length - a.length)[0];
  if (nearest === undefined) return undefined;
  const { checks, sendBacks } = fieldsOf(folders[nearest]);
  const commands = listOf(checks).filter((check) => typeof check === "string");
  const count = typeof sendBacks === "number" ? sendBacks : DEFAULT_SEND_BACKS;
  return commands.length === 0 ? undefined : { checks: commands, sendBacks: count };
}

export function setStopGate(folder: string, of: string, gate: StopGate | undefined): void {
  const settings = read(folder);
  const { [of]: _old, ...others } = fieldsOf(settings["folders"]);
  const folders = gate === undefined ? others : { ...others, [of]: gate };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = fileIn(folder);
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...settings, folders }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(`${file}.new`, file);
}

function read(folder: string): Fields {
  try {
    return fieldsOf(JSON.parse(readFileSync(fileIn(folder), "utf8")));
  } catch {
    return {};
  }
}
