/** A secret key in a file of its own, created on first use, readable by its user only. */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Creates the key unless it exists, and returns what the file then contains. */
export function madeKeyFile(file: string): string {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  try {
    linkSync(fresh, file);
  } catch {
    // Another process created it first.
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, "utf8");
}
