/** The .env files that a run carries: what they name is known for a secret. */
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

const FILES_MAX = 50;
const BYTES_MAX = 256 * 1024;

/** Their texts; what cannot be read is not carried either. */
export const carriedSecrets = (root: string, carry: readonly string[]): readonly string[] =>
  carry
    .filter((path) => basename(path).startsWith(".env"))
    .slice(0, FILES_MAX)
    .flatMap((path) => textOf(join(root, path)));

function textOf(file: string): string[] {
  try {
    const { size } = statSync(file);
    return size > BYTES_MAX ? [] : [readFileSync(file, "utf8")];
  } catch {
    return [];
  }
}
