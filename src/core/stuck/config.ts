/**
 * The settings of stuck detection and their defaults: how many repeats lead to a nudge, how many mean stuck, and what
 * is known about tools.
 */

/** Counts at which a rule nudges and at which it says stuck; Infinity means never. */
export interface Threshold {
  readonly nudge: number;
  readonly stuck: number;
}

const at = (nudge: number, stuck: number): Threshold => ({ nudge, stuck });

export const DEFAULT_THRESHOLDS = {
  /** Same call, same result, in a row. */
  same_call: at(3, 4),
  /** Same call in a row, with results not visible. */
  same_call_unseen: at(3, 5),
  /** Same call in a row, failing each time with a different error. */
  same_call_failing: at(3, 4),
  /** Same call and result with a few other calls in between, while nothing changed in the world. */
  same_call_spread: at(4, 5),
  /** The same, with results not visible. */
  same_call_spread_unseen: at(5, 6),
  /** Same task delegated to another agent with the same result: each time costs a whole run of that agent. */
  same_delegation: at(2, 3),
  /** Equal outputs in a row that belong to no call. */
  same_output: at(4, 5),
  /** Two to eight calls repeated in the same order with the same results: rounds. */
  cycle: at(3, 3),
  /** Polling something that runs, without new output. */
  poll: at(10, 20),
  /** Same error with different arguments, from a tool that acts. */
  same_failure: at(3, 4),
  /** Same kind of error, ignoring names and numbers. */
  same_failure_kind: at(4, 5),
  /** The same, from a tool that only looks. */
  same_failure_looking: at(4, 5),
  failures_in_a_row: at(6, 8),
  unknown_tool: at(2, 4),
  /** Same failing checks after edits to one file. */
  same_failing_tests: at(3, 4),
  /** The same, after edits to several files. */
  same_failing_tests_spread: at(4, 5),
  edit_revert: at(2, 3),
  repeated_message: at(2, 3),
  paraphrased_message: at(4, 5),
  chanting: at(6, 10),
  /** The same block of lines printed by a plain command; a repeated single line counts one fifth. */
  repeated_output: at(10, 20),
  /** Reads and searches in a row that bring nothing new, on few targets. */
  nothing_new: at(6, 8),
  compaction: at(2, 3),
  /**
   * Steps in a row that change no files or check results and learn nothing new: reported, but never a reason to stop.
   */
  grinding: at(40, Infinity),
} as const satisfies Record<string, Threshold>;

export type RuleName = keyof typeof DEFAULT_THRESHOLDS;

export const TOOL_KINDS = [
  "read",
  "search",
  "write",
  "shell",
  "poll",
  "plan",
  "delegate",
  "other",
] as const;

export type ToolKind = (typeof TOOL_KINDS)[number];

export interface ToolConfig {
  readonly kind?: ToolKind;
  /** Meant to be called repeatedly. */
  readonly poll?: boolean;
  /** The arguments that identify a call; by default all except `ignore`. */
  readonly identity?: readonly string[];
  /** Arguments that carry no meaning, such as a display name. */
  readonly ignore?: readonly string[];
  /** Never counted. */
  readonly exempt?: boolean;
  /** Replaces the general threshold for this tool. */
  readonly same_call?: Threshold;
}

export interface StuckConfig {
  readonly enabled: boolean;
  /** A message from a person resets the counts. */
  readonly person_resets: boolean;
  /** Maximum number of tool calls for one task; Infinity means no limit. */
  readonly call_cap: number;
  readonly thresholds: Readonly<Record<RuleName, Threshold>>;
  readonly tools: Readonly<Record<string, ToolConfig>>;
}

export const DEFAULT_STUCK_CONFIG: StuckConfig = {
  enabled: true,
  person_resets: true,
  call_cap: Infinity,
  thresholds: DEFAULT_THRESHOLDS,
  tools: {},
};
