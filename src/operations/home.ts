/**
 * Where Unstuck stores its data: `$UNSTUCK_HOME`, by default the XDG state folder. One database per user, one folder
 * per run; nothing is ever stored in the user's repository. Invariants: a home that cannot be created is one line with
 * what to do; creating it never hangs, on any file system; whether a home on a network or FUSE mount responds is tested
 * by a child process, because a dead mount blocks every process that touches it.
 */
import { mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { cleanLine } from "../core/foreign-text.ts";
import { systemFault } from "../core/system-faults.ts";
import { ProblemError } from "./operation.ts";
import { textIfThere } from "./text.ts";

export interface Home {
  readonly root: string;
  readonly database: string;
  readonly trust: string;
  readonly runs: string;
  readonly runDir: (run: string) => string;
}

/** The location itself is wrong, not the machine's current state. */
const WRONG_PLACE: ReadonlySet<string> = new Set(
  "EACCES EPERM EROFS ENOENT ENOTDIR EEXIST ELOOP ENAMETOOLONG".split(" "),
);

function homeProblem(root: string, code: string): ProblemError {
  const { words, next } = systemFault(code) ?? { words: "no folder can be made there", next: "" };
  const isGiven = (process.env["UNSTUCK_HOME"] ?? "") !== "";
  const isWrong = WRONG_PLACE.has(code);
  const cure = isWrong ? "set UNSTUCK_HOME to a folder you can write to" : next;
  return new ProblemError(
    isGiven && isWrong ? "bad-input" : "machine",
    `cannot write to ${cleanLine(root, 300)}: ${words} (${code}); ${cure}`,
  );
}

/** Its path, without touching it. */
export function homeFolder(): string {
  const given = process.env["UNSTUCK_HOME"] ?? "";
  return given === "" ? join(stateFolder(), "unstuck") : resolve(given);
}

export function openHome(): Home {
  const home = homePlaces();
  try {
    makeFolder(home.runs);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw homeProblem(home.root, code);
  }
  return home;
}

/** The paths, whether or not they exist. */
export function homePlaces(): Home {
  const root = homeFolder();
  const runs = join(root, "runs");
  return {
    root,
    database: join(root, "unstuck.db"),
    trust: join(root, "trust.json"),
    runs,
    runDir: (run) => join(runs, run),
  };
}

/** A relative path would depend on the current folder; the XDG rules say to ignore it. */
function stateFolder(): string {
  const given = process.env["XDG_STATE_HOME"] ?? "";
  return isAbsolute(given) ? given : join(homedir(), ".local", "state");
}

/** Top down, each folder once: Node's own `recursive` retries for ever under /proc. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** File systems served over a network or by another program; all others are the kernel's own. */
const REMOTE =
  /^(?:nfs4?|cifs|smb3|smbfs|9p|virtiofs|ceph|afs|lustre|glusterfs|beegfs|davfs|autofs|fuse(?:blk|\..*)?)$/;
const ANSWER_LIMIT_MS = 2000;

/** Only Linux lists its mounts; elsewhere no folder counts as remote. */
export function isRemote(folder: string, mounts = textIfThere("/proc/self/mounts") ?? ""): boolean {
  let longest = "";
  let system = "";
  for (const line of mounts.split("\n")) {
    const [, at = "", kind = ""] = line.split(" ");
    const place = at.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isAbove = place === "/" || folder === place || folder.startsWith(`${place}/`);
    // A later mount at the same place covers the earlier one.
    if (isAbove && place.length >= longest.length) [longest, system] = [place, kind];
  }
  return REMOTE.test(system);
}

/** True once it has responded, even with an error; false if not within the limit. */
export async function homeAnswers(folder: string): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const child = spawn("ls", ["-d", "--", `${folder}/.`], { detached: true, stdio: "ignore" });
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      child.unref();
      resolve(false);
    }, ANSWER_LIMIT_MS);
    const answered = (): void => {
      clearTimeout(late);
      resolve(true);
    };
    child.once("exit", answered);
    child.once("error", answered);
  });
}
