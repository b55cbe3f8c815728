/**
 * The machine's clocks, and the identity and liveness of processes as the system reports them. Invariants: doubt is
 * never death; a zombie is dead; a clock's callback is never lost, whatever the wall clock does: it comes when the wall
 * clock says so (also after sleep), or, if the wall clock was set back, when the remaining time has passed on the
 * steady clock; never before `at` has returned.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { OwnerProcess, Processes } from "../journal/owners.ts";
import type { Clock } from "../runtime/ports.ts";

/** Whether the process is gone; otherwise its start time, undefined if the system does not report it. */
type ProcessStatus =
  { readonly gone: true } | { readonly gone: false; readonly startTime?: string };

export function systemProcesses(pid: number = process.pid): Processes {
  const bootId = readBootId();
  const me = processStatus(pid);
  const self: OwnerProcess = { pid, bootId, startTime: (me.gone ? undefined : me.startTime) ?? "" };
  return {
    self,
    isDead(owner) {
      if (owner.bootId !== "" && bootId !== "" && owner.bootId !== bootId) return true;
      const look = processStatus(owner.pid);
      if (look.gone) return true;
      const known = owner.startTime !== "" && look.startTime !== undefined;
      return known && look.startTime !== owner.startTime;
    },
  };
}

function processStatus(pid: number): ProcessStatus {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return { gone: true };
  }
  return existsSync("/proc/self/stat") ? lookInProc(pid) : lookWithPs(pid);
}

function lookInProc(pid: number): ProcessStatus {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return { gone: false };
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", startTime] = [fields[0], fields[19]];
  if (state === "Z" || state === "X") return { gone: true };
  return { gone: false, ...(startTime === undefined ? {} : { startTime }) };
}

function lookWithPs(pid: number): ProcessStatus {
  const line = output("ps", ["-o", "stat=,lstart=", "-p", String(pid)]).trim();
  const [state = "", ...start] = line.split(" ").filter((word) => word !== "");
  if (state.startsWith("Z")) return { gone: true };
  return { gone: false, ...(start.length === 0 ? {} : { startTime: start.join(" ") }) };
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return output("sysctl", ["-n", "kern.bootsessionuuid"]).trim();
  }
}

/** Empty if the program is missing or fails. */
function output(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

interface TimeSources {
  /** Epoch milliseconds; may jump. */
  readonly wall: () => number;
  /** Milliseconds since an arbitrary point; never goes back, may stand still while the machine sleeps. */
  readonly steady: () => number;
}

/** Also the longest that a jump of the wall clock, or sleep, can delay a callback. */
const LOOK_AGAIN_MS = 15_000;
/** More than any correction of a running clock: the wall clock was set back. */
const PUT_BACK_MS = 1000;

export function systemClock(
  { wall, steady }: TimeSources = { wall: Date.now, steady: () => performance.now() },
): Clock {
  return {
    now: wall,
    at(time, callback) {
      const steadyTime = steady() + (time - wall()) + PUT_BACK_MS;
      let timer: NodeJS.Timeout;
      const sleep = (): void => {
        const left = Math.min(time - wall(), steadyTime - steady());
        timer = setTimeout(look, Math.max(0, Math.min(Math.ceil(left), LOOK_AGAIN_MS)));
      };
      const look = (): void => {
        if (time <= wall() || steadyTime <= steady()) callback();
        else sleep();
      };
      sleep();
      return () => clearTimeout(timer);
    },
  };
}
