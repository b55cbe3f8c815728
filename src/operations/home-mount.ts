/**
 * Whether the home answers at all. A dead network or FUSE mount holds whoever touches it for ever, so that the
 * question is put by a child process, and only where the home is on such a mount. Invariant: nothing here touches
 * the home itself.
 */
import { readFileSync } from "node:fs";

/** Systems that answer over a network, or through another program; all others are the kernel's own. */
const REMOTE =
  /^(?:nfs4?|cifs|smb3|smbfs|9p|virtiofs|ceph|afs|lustre|glusterfs|beegfs|davfs|autofs|fuse(?:blk|\..*)?)$/;
const LIMIT_MS = 2000;

/** Linux tells; elsewhere nothing is known, and nothing is asked. */
export function isRemote(folder: string, mounts: string = mountTable()): boolean {
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

/** True once it has answered, whatever it said; false where it has not by the limit. */
export async function answers(folder: string): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const child = spawn("ls", ["-d", "--", `${folder}/.`], { detached: true, stdio: "ignore" });
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      child.unref();
      resolve(false);
    }, LIMIT_MS);
    const answered = (): void => {
      clearTimeout(late);
      resolve(true);
    };
    child.once("exit", answered);
    child.once("error", answered);
  });
}

function mountTable(): string {
  try {
    return readFileSync("/proc/self/mounts", "utf8");
  } catch {
    return "";
  }
}
