// What every attempt of the tests is given; no test runner in here, so that programs under test
// may import it.
import type { AttemptPlace } from "../../../src/runtime/ports-agent.ts";

/** Without the variable by which a test runner tells its children that they are tests. */
export function userEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => name !== "NODE_TEST_CONTEXT");
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? ""]));
}

export const placeOf = (attemptId: string): AttemptPlace => ({
  run: "run",
  subtask: "subtask",
  attemptId,
  slot: 3,
});
