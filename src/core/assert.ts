/**
 * Broken invariants crash; the journal makes the crash safe. Never used for what an agent, a user or the world can
 * cause.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`);
}

export function unreachable(value: never): never {
  throw new Error(`broken invariant: unexpected ${JSON.stringify(value)}`);
}
