/** The resource use of a Restate server started by this process, as Linux reports it. Not a benchmark by itself. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface ServerUse {
  readonly cpuMs: number;
  readonly peakMegabytes: number;
  /** Written to the disk since it began. */
  readonly writtenMegabytes: number;
  /** The current size of its folder. */
  readonly keptMegabytes: number;
}

const TICKS_MS = 10;

export function serverUse(): ServerUse {
  const pid = serverPid();
  const times = (readText(`/proc/${pid}/stat`).split(") ")[1] ?? "").split(" ");
  const [user = 0, system = 0] = times.slice(11, 13).map(Number);
  const number = (file: string, name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readText(`/proc/${pid}/${file}`))?.[1] ?? NaN);
  return {
    cpuMs: (user + system) * TICKS_MS,
    peakMegabytes: number("status", "VmHWM") / 1024,
    writtenMegabytes: number("io", "write_bytes") / 1024 ** 2,
    keptMegabytes: bytesIn(folderOf(pid)) / 1024 ** 2,
  };
}

function folderOf(pid: number): string {
  const words = readText(`/proc/${pid}/cmdline`).split("\0");
  return words[words.indexOf("--base-dir") + 1] ?? "";
}

/** Allocated size on the disk: its log files are preallocated. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found?.isFile() === true) bytes += Math.min(found.size, found.blocks * 512);
  }
  return bytes;
}

/** The server among this process's descendants. */
function serverPid(): number {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === process.pid || isOurs(parents.get(pid)));
  const found = pids.find(
    (pid) => readText(`/proc/${pid}/comm`).startsWith("restate-server") && isOurs(pid),
  );
  if (found === undefined) throw new Error("the server's process is not found: this needs Linux");
  return found;
}

const parentOf = (pid: number): number =>
  Number((readText(`/proc/${pid}/stat`).split(") ")[1] ?? "").split(" ")[1]);

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
