/**
 * Step: one thing inside an attempt, as reported by a transcript reader or a live agent adapter: calls, results,
 * messages, errors, and changes in the world meanwhile.
 */

export interface Common {
  /** Steps of different runs (a subagent, a resumed session) never count together. */
  readonly runId?: string;
  /** What this step used, if the agent reports it. */
  readonly tokens?: number;
  readonly usd?: number;
}

export interface ToolCallStep extends Common {
  readonly kind: "tool_call";
  readonly tool: string;
  readonly args?: unknown;
  /** Links a call to its result; without ids they are matched by tool, in order. */
  readonly id?: string;
  /** Calls in one model answer share a round; equal calls in a round count once. */
  readonly round?: number | string;
}

export interface ToolResultStep extends Common {
  readonly kind: "tool_result";
  readonly tool?: string;
  readonly output: string;
  readonly isError?: boolean;
  readonly id?: string;
  /** The call did not run: our own loop guard refused it. */
  readonly veto?: boolean;
  /** The tool itself reports that what it watches is not finished. */
  readonly running?: boolean;
}

export interface MessageStep extends Common {
  readonly kind: "message";
  readonly text: string;
  /** A piece of a streamed message; it continues the previous piece. */
  readonly partial?: boolean;
  /** `output`: what a plain command prints. */
  readonly channel?: "answer" | "thought" | "output";
}

/** A message from a person, or from a program standing in for one (automated), which does not reset the counts. */
interface PersonStep extends Common {
  readonly kind: "user_message";
  readonly automated?: boolean;
}

/** The agent or its model service failed, outside of any tool. */
interface ErrorStep extends Common {
  readonly kind: "error";
  readonly text: string;
}

/** The current tree and the checks that fail now. */
export interface WorldStep extends Common {
  readonly kind: "world";
  readonly tree?: string;
  readonly failing?: readonly string[];
}

interface LoopReportStep extends Common {
  readonly kind: "loop_report";
  readonly text: string;
}

export interface SignalStep extends Common {
  /**
   * `compaction`: the context was cut. `stream_retry`: the answer so far is void and is requested again. `turn_end`:
   * the answer is complete. `new_task`: nothing before this counts. `wait`: until a known time, or the agent's next
   * step.
   */
  readonly kind: "compaction" | "stream_retry" | "turn_end" | "new_task" | "wait";
}

export type Step =
  | ToolCallStep
  | ToolResultStep
  | MessageStep
  | PersonStep
  | ErrorStep
  | WorldStep
  /** The agent's own guard reports a loop. */
  | LoopReportStep
  | SignalStep;
