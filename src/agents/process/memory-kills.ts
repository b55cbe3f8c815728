/**
 * Counts the processes killed by the kernel for lack of memory: in the control group that attempts share with us if
 * readable, otherwise on the whole machine. A process that got SIGKILL while the count rose was one of them.
 * Invariants: never throws; undefined if no file gives a count.
 */
import { readFileSync } from "node:fs";

/** `root`: where the system's files are. */
export function countMemoryKills(root = ""): number | undefined {
  for (const file of [...groupFiles(root), `${root}/proc/vmstat`]) {
    const count = /^oom_kill (\d{1,15})$/m.exec(textOf(file))?.[1];
    if (count !== undefined) return Number(count);
  }
  return undefined;
}

/** The files of our group, then of the one that a container shows as topmost. */
function groupFiles(root: string): readonly string[] {
  const rows = textOf(`${root}/proc/self/cgroup`).matchAll(
    /^\d{1,4}:([^:\n]{0,200}):(\/.{0,400})$/gm,
  );
  return [...rows].flatMap(([, controllers = "", path = ""]) => {
    const names = controllers.split(",");
    if (names.includes("memory"))
      return [path, ""].map((at) => `${root}/sys/fs/cgroup/memory${at}/memory.oom_control`);
    if (controllers !== "") return [];
    return [path, ""].map((at) => `${root}/sys/fs/cgroup${at}/memory.events`);
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
