/** What an agent's output has revealed about the attempt so far, and the changes that lines can make to it. */
import type { Refusal } from "../../core/agent-words/refusal.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { TokenCounts } from "../../core/prices.ts";
import type { AgentUsage, Capped } from "../../runtime/agent-result.ts";

/** A failure that the agent intends to overcome by itself. */
export interface AnnouncedRetry {
  readonly evidence: Evidence;
  /** The agent's own name for the failure, if any. */
  readonly name?: string;
  /** How long it will wait. */
  readonly waitMs?: number;
  /** Number of consecutive retries without work in between, including this one. */
  readonly inARow: number;
}

export interface OutputState {
  readonly completed: boolean;
  readonly error?: Evidence;
  readonly retry?: AnnouncedRetry;
  readonly session?: string;
  /** The version it reports. */
  readonly version?: string;
  /** Totals, if the agent gives them; otherwise the steps are summed. */
  readonly usage?: AgentUsage;
  /** The agent's own turn for this attempt, if it reports earlier ones too. */
  readonly turn?: string;
  /** The model in use, and the tokens billed so far: for an estimate if no price is given. */
  readonly model?: string;
  readonly counts?: TokenCounts;
  /** The last model answer that was counted: it may arrive in several lines. */
  readonly countedId?: string;
  /** The agent itself stopped at its limit. */
  readonly capped?: Capped;
  /** When a limit is lifted, as an HTTP date. */
  readonly liftedAt?: string;
  /** Calls that the agent says its gate refused. */
  readonly refused?: readonly Refusal[];
  readonly warnings: readonly string[];
}

export const INITIAL_OUTPUT_STATE: OutputState = { completed: false, warnings: [] };

export const withSession = (seen: OutputState, session: string): OutputState =>
  session === "" ? seen : { ...seen, session };

export const withRetry = (
  seen: OutputState,
  retry: Omit<AnnouncedRetry, "inARow">,
): OutputState => ({
  ...seen,
  retry: { ...retry, inARow: (seen.retry?.inARow ?? 0) + 1 },
});

export function withFailure({ retry: _, ...seen }: OutputState, error: Evidence): OutputState {
  const retryAfter = error.retryAfter ?? seen.liftedAt;
  return {
    ...seen,
    completed: false,
    error: retryAfter === undefined ? error : { ...error, retryAfter },
  };
}

export const completed = ({ retry: _, error: __, ...seen }: OutputState): OutputState => ({
  ...seen,
  completed: true,
});

/** Counts one more model answer, or skips part of one already counted. */
export function withCounts(seen: OutputState, counts: TokenCounts, countedId = ""): OutputState {
  if (countedId !== "" && countedId === seen.countedId) return seen;
  const { input, cached, output } = seen.counts ?? { input: 0, cached: 0, output: 0 };
  return {
    ...seen,
    countedId,
    counts: {
      input: input + counts.input,
      cached: cached + counts.cached,
      output: output + counts.output,
    },
  };
}

/** In seconds since 1970; removed if that cannot be a date. */
export function liftedAt({ liftedAt: _, ...seen }: OutputState, seconds: number): OutputState {
  if (seconds === 0 || seconds > 1e11) return seen;
  return { ...seen, liftedAt: new Date(seconds * 1000).toUTCString() };
}

/** The agent did something, so the earlier failure is over. */
export const withRecovery = ({ retry: _, error: __, ...seen }: OutputState): OutputState => ({
  ...seen,
  completed: false,
});

export const MAX_WARNINGS = 20;
const MAX_WARNING = 300;

export function withWarning(seen: OutputState, warning: string): OutputState {
  const text = warning.slice(0, MAX_WARNING);
  if (text === "" || seen.warnings.includes(text) || seen.warnings.length >= MAX_WARNINGS)
    return seen;
  return { ...seen, warnings: [...seen.warnings, text] };
}
