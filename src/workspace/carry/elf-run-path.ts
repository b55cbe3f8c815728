/**
 * Where a program or shared library (ELF) looks for other libraries: its run path. Reads a few small pieces, never the
 * whole file; what is no ELF file, or a broken one, names nothing.
 */
import { closeSync, openSync, readSync } from "node:fs";

const MOST_ENTRIES = 4096;
const MOST_TEXT = 16 * 1024;
const [LOAD, DYNAMIC] = [1, 2];
const [STRINGS, RPATH, RUNPATH] = [5, 15, 29];

/** The folders of its run path, as they stand there. */
export function runPathOf(file: string): readonly string[] {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return [];
  }
  try {
    return readRunPath((at, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
    });
  } catch {
    return []; // cut short or nonsense inside
  } finally {
    closeSync(fd);
  }
}

type Read = (at: number, length: number) => Buffer;

function readRunPath(read: Read): readonly string[] {
  const head = read(0, 64);
  const isLittle = head[5] === 1;
  if (head.subarray(0, 4).toString("latin1") !== "\x7fELF" || !isLittle) return [];
  const wide = head[4] === 2;
  const word = (bytes: Buffer, at: number): number =>
    wide ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);
  const [offset, entry, count] = wide
    ? [word(head, 32), head.readUInt16LE(54), head.readUInt16LE(56)]
    : [word(head, 28), head.readUInt16LE(42), head.readUInt16LE(44)];
  const segments = Array.from({ length: Math.min(count, 64) }, (_, index) => {
    const bytes = read(offset + index * entry, entry);
    const [at, address, size] = wide ? [8, 16, 32] : [4, 8, 16];
    return {
      ...{ kind: bytes.readUInt32LE(0), at: word(bytes, at) },
      ...{ address: word(bytes, address), size: word(bytes, size) },
    };
  });
  const dynamic = segments.find(({ kind }) => kind === DYNAMIC);
  if (dynamic === undefined) return [];
  const step = wide ? 16 : 8;
  const table = read(dynamic.at, Math.min(dynamic.size, MOST_ENTRIES * step));
  let strings = 0;
  const paths: number[] = [];
  for (let at = 0; at + step <= table.length; at += step) {
    const tag = word(table, at);
    if (tag === STRINGS) strings = word(table, at + step / 2);
    if (tag === RPATH || tag === RUNPATH) paths.push(word(table, at + step / 2));
  }
  const home = segments.find(
    ({ kind, address, size }) => kind === LOAD && strings >= address && strings < address + size,
  );
  if (home === undefined) return [];
  const start = strings - home.address + home.at;
  return paths.flatMap((path) => {
    const text = read(start + path, MOST_TEXT);
    const end = text.indexOf(0);
    return text
      .subarray(0, end < 0 ? 0 : end)
      .toString("utf8")
      .split(":")
      .filter((one) => one !== "");
  });
}
