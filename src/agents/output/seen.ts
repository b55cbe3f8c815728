/** What an agent's output has told of the attempt so far, and the changes that a reader's lines can mean. */
import type { Refusal } from "../../core/agent-words/refusal.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { TokenCounts } from "../../core/prices.ts";
import type { AgentUsage, Capped } from "../../runtime/agent-result.ts";

/** A failure the agent means to get over by itself. */
export interface AnnouncedRetry {
  readonly evidence: Evidence;
  /** The agent's own word for the failure, where it has one. */
  readonly name?: string;
  /** How long it is going to wait. */
  readonly waitMs?: number;
  /** How many came without anything done between them, this one counted. */
  readonly inARow: number;
}

export interface Seen {
  readonly completed: boolean;
  readonly error?: Evidence;
  readonly retry?: AnnouncedRetry;
  readonly session?: string;
  /** Its version, as it tells it. */
  readonly version?: string;
  /** Totals, where the agent gives them; else the steps are summed up. */
  readonly usage?: AgentUsage;
  /** The agent's own turn that is this attempt, where it tells of earlier ones too. */
  readonly turn?: string;
  /** The model that works, and the tokens it is billed for so far: for an estimate where no price is named. */
  readonly model?: string;
  readonly counts?: TokenCounts;
  /** The model answer that was counted last: it may come in several lines. */
  readonly countedId?: string;
  /** The agent itself stopped at what it may use. */
  readonly capped?: Capped;
  /** The moment a limit is lifted, as an HTTP date. */
  readonly liftedAt?: string;
  /** Calls that it says its gate refused. */
  readonly refused?: readonly Refusal[];
  readonly warnings: readonly string[];
}

export const NOTHING_SEEN: Seen = { completed: false, warnings: [] };

export const withSession = (seen: Seen, session: string): Seen =>
  session === "" ? seen : { ...seen, session };

export const retrying = (seen: Seen, retry: Omit<AnnouncedRetry, "inARow">): Seen => ({
  ...seen,
  retry: { ...retry, inARow: (seen.retry?.inARow ?? 0) + 1 },
});

export function failed({ retry: _, ...seen }: Seen, error: Evidence): Seen {
  const retryAfter = error.retryAfter ?? seen.liftedAt;
  return {
    ...seen,
    completed: false,
    error: retryAfter === undefined ? error : { ...error, retryAfter },
  };
}

export const completed = ({ retry: _, error: __, ...seen }: Seen): Seen => ({
  ...seen,
  completed: true,
});

/** One more model answer, or a part of one that was counted already. */
export function counting(seen: Seen, counts: TokenCounts, countedId = ""): Seen {
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

/** In seconds since 1970; no such moment where that cannot be a date. */
export function liftedAt({ liftedAt: _, ...seen }: Seen, seconds: number): Seen {
  if (seconds === 0 || seconds > 1e11) return seen;
  return { ...seen, liftedAt: new Date(seconds * 1000).toUTCString() };
}

/** The agent did something: what went wrong before it is over. */
export const recovered = ({ retry: _, error: __, ...seen }: Seen): Seen => ({
  ...seen,
  completed: false,
});

export const MAX_WARNINGS = 20;
const MAX_WARNING = 300;

export function warned(seen: Seen, warning: string): Seen {
  const text = warning.slice(0, MAX_WARNING);
  if (text === "" || seen.warnings.includes(text) || seen.warnings.length >= MAX_WARNINGS)
    return seen;
  return { ...seen, warnings: [...seen.warnings, text] };
}
