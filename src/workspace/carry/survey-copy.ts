/**
 * Finds carried content that points back to the user's checkout by absolute path, because a check would then test the
 * checkout instead of its own tree. Text files are selected by name, so thousands of files cost one lstat each; in
 * programs and libraries (ELF) only the run path is read. Invariants: links are never followed; sockets, pipes and
 * devices are removed from the copy; what cannot be re-pointed is a problem that says which set-up to use instead.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  type Stats,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { bytes } from "../git/git.ts";
import { isWithin, type PathRewriter } from "./checkout-paths.ts";

/** The copy of one carried path, and where it was copied from. */
export interface Copy {
  readonly copy: string;
  /** The requested path, below the checkout. */
  readonly path: string;
  /** Its real location, which differs if the path is a link. */
  readonly real: string;
  readonly root: string;
}

interface Survey {
  /** Paths below the copy (`""` is the copy itself) to re-point in each tree. */
  readonly pointing: readonly string[];
  /** A description of the first of them. */
  readonly said: readonly string[];
  readonly problem?: string;
  /** A hash over all paths, sizes, times and modes. */
  readonly mark: string;
}

const TEXT_FILES =
  /(?:\.pth|\.egg-link|\.pc|\.la)$|^(?:__editable__.{0,200}\.py|direct_url\.json|pyvenv\.cfg|activate.{0,20}|\.modules\.yaml|\.package-lock\.json|\.env.{0,40}|\.npmrc)$/;
const CARGO = /(?:^|\/)\.cargo\/config(?:\.toml)?$/;
const PROGRAMS = /(?:^|\/)(?:bin|\.bin|sbin|Scripts)$/;
const LIBRARIES = /\.(?:so(?:\.[\d.]{1,20})?|node)$/;
const DEPENDENCIES = /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor)\//;
const TEXT_MOST = 32 * 1024 * 1024;

/** Build tools generate these for one folder; they are useless in another. */
const BUILDS: readonly (readonly [file: RegExp, setup: (folder: string) => string])[] = [
  [
    /^(?:CMakeCache\.txt|cmake_install\.cmake|CTestTestfile\.cmake|TargetDirectories\.txt)$/,
    (folder) => `cmake -S ${dirname(folder)} -B ${folder} && cmake --build ${folder}`,
  ],
  [/^config\.status$/, () => "./configure && make"],
  [/^build\.ninja$/, (folder) => `meson setup ${folder} && meson compile -C ${folder}`],
];
const CONDA = /(?:^|\/)conda-meta$/;

export async function surveyCopy(of: Copy, rewriter: PathRewriter): Promise<Survey> {
  const pointing: string[] = [];
  const said: string[] = [];
  const hash = createHash("sha256");
  const open = [""];
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    const file = inner === "" ? of.copy : join(of.copy, inner);
    const found = lookAt(file);
    if (found === undefined) continue;
    if (!found.isDirectory() && !found.isFile() && !found.isSymbolicLink()) {
      rmSync(file, { force: true });
      continue;
    }
    const target = found.isSymbolicLink() ? readlinkSync(file) : "";
    hash.update(
      `${inner}\0${found.mode}\0${found.isDirectory() ? 0 : found.size}\0${found.mtimeMs}\0${target}\0`,
    );
    if (found.isDirectory()) {
      const names = readdirSync(file).sort().reverse();
      open.push(...names.map((name) => join(inner, name)));
      await setImmediate();
      continue;
    }
    const what = found.isSymbolicLink()
      ? linkOut(of, inner, target, rewriter)
      : await named(of, inner, found, rewriter);
    if (what === undefined) continue;
    const place = inner === "" ? of.path : join(of.path, inner);
    if (what.problem !== undefined)
      return { pointing: [], said: [], mark: "", problem: `${place} ${what.problem}` };
    pointing.push(inner);
    if (said.length < 100) said.push(`${place}: ${what.words}`);
  }
  return { pointing, said, mark: hash.digest("hex") };
}

/** How something points back to the checkout, or why that cannot be fixed. */
interface Reference {
  readonly words: string;
  readonly problem?: string;
}

/**
 * The absolute target of a link that, from another tree, would lead back to the checkout or nowhere; otherwise empty.
 */
export function linkTarget({ path, real, root }: Copy, inner: string, target: string): string {
  if (isAbsolute(target)) return target;
  const [from, place] = [join(real, inner), join(root, path, inner)];
  const to = resolve(dirname(from), target);
  const stays = inner !== "" && isWithin(real, to);
  return stays || (from === place && isWithin(root, to)) ? "" : to;
}

function linkOut(
  of: Copy,
  inner: string,
  target: string,
  rewriter: PathRewriter,
): Reference | undefined {
  const to = linkTarget(of, inner, target);
  if (to === "" || (isAbsolute(target) && !rewriter.found(bytes(target)))) return undefined;
  return { words: `link to ${target}` };
}

async function named(
  of: Copy,
  inner: string,
  { size, mode }: Stats,
  rewriter: PathRewriter,
): Promise<Reference | undefined> {
  const place = inner === "" ? of.path : join(of.path, inner);
  const [name, folder] = [basename(place), dirname(place)];
  const file = inner === "" ? of.copy : join(of.copy, inner);
  const build = DEPENDENCIES.test(place)
    ? undefined
    : BUILDS.find(([pattern]) => pattern.test(name));
  if (build !== undefined && (await names(file, size, rewriter)))
    return refused(of, `--setup "${build[1](folder === "." ? "build" : folder)}"`);
  if (CONDA.test(folder) && name === "history")
    return refused(of, `--setup "conda env create -p ${dirname(folder)} -f environment.yml"`);
  if (LIBRARIES.test(name) || (PROGRAMS.test(folder) && (mode & 0o111) !== 0)) {
    const [path] = runPathOf(file).filter((one) => rewriter.found(bytes(one)));
    if (path !== undefined) return refused(of, "--setup with the command that builds it");
  }
  if (size > TEXT_MOST) return undefined;
  const text = inner === "" || TEXT_FILES.test(name) || CARGO.test(place);
  if (!text && !(PROGRAMS.test(folder) && size <= 512 * 1024 && isScript(file))) return undefined;
  return (await names(file, size, rewriter)) ? { words: "names the checkout" } : undefined;
}

const refused = ({ root, path }: Copy, instead: string): Reference => ({
  words: "",
  problem: `points at ${root}, so checks would test your checkout: leave ${path} out of carry and use ${instead}`,
});

async function names(file: string, size: number, rewriter: PathRewriter): Promise<boolean> {
  if (size > TEXT_MOST) return false;
  const text = await readFile(file, "latin1").catch(() => "");
  return !text.includes("\0") && rewriter.found(text);
}

function isScript(file: string): boolean {
  try {
    const fd = openSync(file, "r");
    const start = Buffer.alloc(2);
    readSync(fd, start, 0, 2, 0);
    closeSync(fd);
    return start.toString("latin1") === "#!";
  } catch {
    return false;
  }
}

function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined; // a name that is not UTF-8
  }
}

const [LOAD, DYNAMIC] = [1, 2];
const [STRINGS, RPATH, RUNPATH] = [5, 15, 29];

/** The folders of the run path, exactly as written in the file. */
function runPathOf(file: string): readonly string[] {
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
    return []; // truncated or malformed
  } finally {
    closeSync(fd);
  }
}

function readRunPath(read: (at: number, length: number) => Buffer): readonly string[] {
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
  const table = read(dynamic.at, Math.min(dynamic.size, 4096 * step));
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
    const text = read(start + path, 16 * 1024);
    const end = text.indexOf(0);
    return text
      .subarray(0, end < 0 ? 0 : end)
      .toString("utf8")
      .split(":")
      .filter((one) => one !== "");
  });
}
