/**
 * What the command said to a fault, kept word for word in test/faults/<name>.txt: `$ command`, output, `exit N`, with ids, paths and
 * numbers masked. With UNSTUCK_UPDATE=1 the file is written instead of compared. Imports node: and the runs' fixture.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../run/repository.ts";

const FOLDER = join(import.meta.dirname, "..", "faults");

export function assertSaid(name: string, here: Repository, ...args: string[]): void {
  const { code, out, err } = here.unstuck(...args);
  const said = masked(`$ unstuck ${args.join(" ")}\n${out}${err}exit ${code}\n`, here);
  const file = join(FOLDER, `${name}.txt`);
  if (process.env["UNSTUCK_UPDATE"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, said);
  }
  assert.ok(existsSync(file), `${file} is missing; the command said:\n${said}`);
  assert.equal(said, readFileSync(file, "utf8"));
}

const masked = (text: string, { path, home }: Repository): string =>
  text
    .replaceAll(path, "<repository>")
    .replaceAll(home, "<home>")
    .replace(/\d{8}-\d{4}-[0-9a-f]{6}/g, "<run>")
    .replace(/\b\d+ KB/g, "<n> KB")
    .replace(/\b\d+(?:\.\d+)? s\b/g, "<n> s");
