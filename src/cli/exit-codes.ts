/** Exit codes of the command ("Settled" 13). */
export const EXIT = {
  ok: 0,
  failed: 1,
  badInput: 2,
  needsPerson: 3,
  budget: 4,
  paused: 5,
  unverified: 6,
} as const;
