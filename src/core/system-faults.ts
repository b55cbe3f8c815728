/**
 * The one table from an errno to its meaning and remedy in plain words. Invariant: a code that is not in the table is
 * not a fault of the machine and is never explained as one.
 */
interface Fault {
  readonly words: string;
  /** What a person can do. */
  readonly next: string;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  EACCES: { words: "permission denied", next: "check who owns it and its permissions" },
  EPERM: { words: "not permitted", next: "check who owns it and its permissions" },
  EROFS: { words: "read-only file system", next: "use a folder you can write to" },
  ENOSPC: { words: "no space left", next: "free some space, then try again" },
  EDQUOT: { words: "the disk quota is used up", next: "free some space, then try again" },
  EMFILE: { words: "too few file handles", next: "raise the limit (ulimit -n), then try again" },
  ENFILE: {
    words: "the machine has no file handles left",
    next: "end some programs, then try again",
  },
  EAGAIN: { words: "too few processes", next: "raise the limit (ulimit -u), then try again" },
  ENOMEM: { words: "not enough memory", next: "end some programs, then try again" },
  ENOEXEC: {
    words: "not a program for this machine (exec format error)",
    next: "give it a #! line, or install the build for this machine",
  },
  ENOTDIR: { words: "a part of the path is not a folder", next: "use another path" },
  EISDIR: { words: "it is a folder", next: "use another path" },
  EEXIST: { words: "there is a file in its place", next: "use another path" },
  ELOOP: { words: "its links lead in a circle", next: "use another path" },
  ENAMETOOLONG: { words: "the path is too long", next: "use another path" },
  EIO: { words: "the disk or device failed", next: "check it, then try again" },
};

export const systemFault = (code: string): Fault | undefined =>
  Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;

/** `EACCES (permission denied)`; a code that is not in the table is returned as it is. */
export function faultText(code: string): string {
  const fault = systemFault(code);
  return fault === undefined ? code : `${fault.words} (${code})`;
}
