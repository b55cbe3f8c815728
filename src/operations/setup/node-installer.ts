/** The package manager with which a Node project is installed. */
import { operand, sh } from "../../core/repair/shell-script.ts";
import { defined } from "../operation.ts";
import type { Manifests } from "./manifests.ts";

const NODE_LOCKS: readonly (readonly [manager: string, file: string])[] = [
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn", "yarn.lock"],
  ["bun", "bun.lock"],
  ["bun", "bun.lockb"],
  ["npm", "npm-shrinkwrap.json"],
  ["npm", "package-lock.json"],
];

/** The manager named by `packageManager`, otherwise the one whose lock file exists. */
export function nodeManager(at: Manifests): { readonly manager: string; readonly lock?: string } {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(namedManager(at))?.[1];
  const locks = NODE_LOCKS.filter(([, file]) => at.has(file));
  const ofNamed = locks.find(([name]) => name === named);
  const [manager, lock] = named === undefined ? (locks[0] ?? ["npm"]) : (ofNamed ?? [named]);
  return { manager, ...defined({ lock }) };
}

export function namedManager(at: Manifests): string {
  const named = at.json("package.json")?.["packageManager"];
  return typeof named === "string" ? named : "";
}

/** Makes a command for a folder runnable in the root. `folder` is relative; empty means the root itself. */
export function inFolder(folder: string, command: string): string {
  return folder === "" ? command : `cd ${shellWord(folder)} && ${command}`;
}

/** Quoted only if a shell needs it. */
export function shellWord(word: string): string {
  const safe = operand(word);
  return /^[\w./@%+-]+$/.test(safe) ? safe : sh`${safe}`;
}
