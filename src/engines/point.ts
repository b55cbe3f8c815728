/** Named moments between two effects, where tests kill the process. Imports nothing. */
export const POINTS = [
  "claimed",
  "inbox-taken",
  "timer-fired",
  "before-append",
  "after-append",
  "before-perform",
  "after-perform",
  "snapshot-before",
  "snapshot-after",
] as const;

export type Point = (typeof POINTS)[number];
