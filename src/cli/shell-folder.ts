/**
 * Commands that are meant for a folder, written to be run in the repository's root. Invariant: a folder's name is
 * one word to the shell, whatever it is made of.
 */
import { operand, sh } from "../core/repair/shell-script.ts";

/** `folder` is relative; empty means the root itself. */
export function inFolder(folder: string, command: string): string {
  return folder === "" ? command : `cd ${shellWord(folder)} && ${command}`;
}

/** Quoted only where a shell would not take it as it is. */
export function shellWord(word: string): string {
  const safe = operand(word);
  return /^[\w./@%+-]+$/.test(safe) ? safe : sh`${safe}`;
}
