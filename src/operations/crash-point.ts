/**
 * Kills the process at a named point, like a power cut. For crash tests, which set UNSTUCK_CRASH_AT to `point` or
 * `point#n` (the n-th time it is reached). Without the variable it does nothing.
 */
const [wanted, times = "1"] = (process.env["UNSTUCK_CRASH_AT"] ?? "").split("#");
let passed = 0;

export function crashPoint(point: string): void {
  if (point !== wanted) return;
  passed += 1;
  if (passed === Number(times)) process.kill(process.pid, "SIGKILL");
}

/** For modules that take their crash points as an option. */
export const CRASH_POINTS = { onPoint: crashPoint };
