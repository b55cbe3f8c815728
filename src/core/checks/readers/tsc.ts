/**
 * tsc: one item for each error, named by file, code and message but not by line, so that moving code makes no new
 * failure. The same error twice in a file gives two items.
 */

// src/a.ts(1,7): error TS2322: Type 'string' ...
const PLAIN = /^(\S.{0,400})\(\d{1,7},\d{1,7}\): error (TS\d{1,6}: .{1,400})/;
// src/a.ts:1:7 - error TS2322: Type 'string' ...
const PRETTY = /^(\S.{0,400}):\d{1,7}:\d{1,7} - error (TS\d{1,6}: .{1,400})/;
// error TS5058: The specified path does not exist: 'tsconfig.json'.
const GLOBAL = /^()error (TS\d{1,6}: .{1,400})/;

export function* readTsc(lines: readonly string[]): Iterable<string> {
  const seen = new Map<string, number>();
  for (const line of lines) {
    if (!line.includes("error TS")) continue;
    const [, file = "", error] = PLAIN.exec(line) ?? PRETTY.exec(line) ?? GLOBAL.exec(line) ?? [];
    if (error === undefined) continue;
    const name = file === "" ? error : `${file} ${error}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    yield count === 1 ? name : `${name} (${count})`;
  }
}
