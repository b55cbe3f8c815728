/** A process of the table, in a session of its own below the first, unless said otherwise. */
import type { Unmarked } from "../../../src/agents/process/proc-files.ts";

export const processRow = (pid: number, more: Partial<Unmarked> = {}): Unmarked => ({
  ...{ pid, parent: 1, group: pid, session: pid, terminal: false },
  ...{ startTime: String(pid * 10), cpuMs: 0, ended: false, name: "x" },
  ...more,
});
