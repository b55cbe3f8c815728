/**
 * An event: a call with its result, which is what all rules about calls read. Invariant: the only foreign text it holds
 * is one cleaned line, so memory stays bounded.
 */
import type { Call } from "./call.ts";
import {
  errorKindHash,
  errorLines,
  firstErrorLine,
  isUnknownTool,
  namesError,
  reportedErrorHash,
  saysCheckFailed,
  hasNoContent,
  saysRunning,
  startsFailed,
  hasOwnContent,
} from "./results/result-text.ts";
import { failingTestsHash, problemsHash } from "./results/failing-names.ts";
import { infrastructureOf } from "./results/infrastructure-text.ts";
import type { ToolResultStep } from "./step.ts";
import { maskedHash } from "../masked-hash.ts";
import { hashPair } from "../hash.ts";

export interface OpenCall extends Pick<CallEvent, "call" | "origin" | "round"> {
  readonly id: string | undefined;
  /** Equal to another call in the same answer: its result does not count. */
  readonly duplicate: boolean;
}

export const unseenEvent = ({ call, origin, round }: OpenCall): CallEvent => ({
  call,
  origin,
  round,
  outcome: "unseen",
  hash: 0,
  poll: call.poll,
  failure: undefined,
  alone: false,
  telling: false,
  complaint: 0,
});

/** The event of a result; undefined if the result only concerns the provider or the network. */
export function eventOf(open: OpenCall, result: ToolResultStep): CallEvent | undefined {
  const { call } = open;
  const { output } = result;
  const checkFailed = call.checks && saysCheckFailed(output);
  const flagged = result.isError === true || checkFailed || isFailure(call, output);
  // A search without hits and a diff with differences report an exit code, but no error.
  const failed =
    flagged && !(looks(call) && (hasNoContent(output) || isOnlyExitCode(call, output)));
  if (!(failed && checkFailed) && infrastructureOf(output, failed) !== undefined) return undefined;
  const running = result.running === true || saysRunning(output);
  return {
    ...unseenEvent(open),
    outcome: failed ? "failed" : "ok",
    hash: call.kind === "plan" && !failed ? 1 : hashPair(maskedHash(output), failed ? 1 : 2),
    poll: !failed && (call.poll || running),
    failure: failed ? failureFacts(output) : undefined,
    telling: !failed && mayAsk(call) && hasOwnContent(output),
    complaint: failed || looks(call) ? 0 : reportedErrorHash(output),
  };
}

const mayAsk = (call: Call): boolean => looks(call) || (call.kind === "shell" && !call.checks);

const looks = ({ kind }: Call): boolean => kind === "read" || kind === "search";

const isOnlyExitCode = (call: Call, output: string): boolean =>
  call.tool.kind === "shell" && !namesError(output);

/** Several agents report a failed command as a success. Long results of a read are content, not a report. */
const isFailure = (call: Call, output: string): boolean =>
  (!looks(call) || output.length < 300) && startsFailed(output);

/** Outputs without a call (one per iteration of a script) are compared by their error lines. */
export function standaloneEventOf(open: OpenCall, output: string): CallEvent | undefined {
  if (infrastructureOf(output, false) !== undefined) return undefined;
  const errors = errorLines(output);
  const failed = errors !== "";
  return {
    ...unseenEvent(open),
    outcome: failed ? "failed" : "ok",
    hash: maskedHash(failed ? errors : output),
    failure: failed ? failureFacts(output) : undefined,
    alone: true,
  };
}

function failureFacts(output: string): FailureFacts {
  const line = firstErrorLine(output);
  return {
    line,
    kind: errorKindHash(line),
    tests: failingTestsHash(output) || problemsHash(output),
    unknownTool: isUnknownTool(output),
    weak: hasNoContent(output),
  };
}

/** Consecutive events with equal hashes; the caller chooses the hash. */
export class Streak {
  count = 0;
  hash = 0;
  origin: Origin | undefined;
  error: string | undefined;
  tool = "";
}

/** An event with a different hash starts a new streak. */
export function extend(streak: Streak, hash: number, { origin, failure, call }: CallEvent): void {
  if (streak.count > 0 && streak.hash === hash) streak.count += 1;
  else {
    streak.count = 1;
    streak.hash = hash;
    streak.origin = origin;
    streak.error = failure?.line;
    streak.tool = call.tool.name;
  }
}

/** Where a loop may have started, and what had been spent by then. */
export interface Origin {
  readonly step: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Present only on failing results. */
interface FailureFacts {
  readonly line: string;
  /** The error, ignoring names and numbers. */
  readonly kind: number;
  /** The set of failing tests, or else of compiler problems; zero if none are named. */
  readonly tests: number;
  readonly unknownTool: boolean;
  /** Only an exit code, or nothing: not enough to say that two such failures are the same. */
  readonly weak: boolean;
}

export interface CallEvent {
  readonly call: Call;
  readonly origin: Origin;
  readonly round: number | string | undefined;
  readonly outcome: "ok" | "failed" | "unseen";
  /** Hash of the result without its volatile parts; zero if the result was not seen. */
  readonly hash: number;
  readonly poll: boolean;
  readonly failure: FailureFacts | undefined;
  /** An output that belongs to no call. */
  readonly alone: boolean;
  /** The result has content of its own, so the same result to a different question is nothing new. */
  readonly telling: boolean;
  /** Not flagged as a failure, but it reports an error: hash of that error, ignoring numbers; otherwise zero. */
  readonly complaint: number;
}
