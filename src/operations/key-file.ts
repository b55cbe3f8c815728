/** A secret key in a file of its own, made when it is first needed, readable by its user only. */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Whoever comes first chooses the key; what the file holds then. */
export function madeKeyFile(file: string): string {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  try {
    linkSync(fresh, file);
  } catch {
    // Somebody else was first.
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, "utf8");
}
