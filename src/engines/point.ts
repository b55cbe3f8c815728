/** Named moments between two effects, where tests kill the process. */
export type Point =
  | "claimed"
  | "inbox-taken"
  | "timer-fired"
  | "before-append"
  | "after-append"
  | "before-perform"
  | "after-perform"
  | "snapshot-before"
  | "snapshot-after";
