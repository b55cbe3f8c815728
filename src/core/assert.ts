/**
 * Assertions for internal invariants. A broken invariant crashes the process, which the journal makes safe. Never use
 * them for conditions that an agent, a user or the environment can cause.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`);
}

export function unreachable(value: never): never {
  throw new Error(`broken invariant: unexpected ${JSON.stringify(value)}`);
}
