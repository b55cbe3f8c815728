/**
 * Dies at a named point, as a power cut would: for the crash tests, which set UNSTUCK_CRASH_AT to `point` or
 * `point#n` (the n-th time it is passed). Without the variable it does nothing.
 */
const [wanted, times = "1"] = (process.env["UNSTUCK_CRASH_AT"] ?? "").split("#");
let passed = 0;

export function crashPoint(point: string): void {
  if (point !== wanted) return;
  passed += 1;
  if (passed === Number(times)) process.kill(process.pid, "SIGKILL");
}

/** For what takes its points from outside. */
export const CRASH_POINTS = { onPoint: crashPoint };
