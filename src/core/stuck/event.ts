/**
 * An event: a call together with what came of it. What all rules over calls read. Invariant: holds no foreign text
 * but one tamed line, so memory stays bounded.
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
  saysNothing,
  saysRunning,
  startsFailed,
  tells,
} from "./results/result-text.ts";
import { failingTestsHash, problemsHash } from "./results/failing-names.ts";
import { infrastructureOf } from "./results/infrastructure-text.ts";
import type { ToolResultStep } from "./step.ts";
import { maskedHash } from "../masked-hash.ts";
import { hashPair } from "../hash.ts";

export interface OpenCall extends Pick<CallEvent, "call" | "origin" | "round"> {
  readonly id: string | undefined;
  /** Equal to another call of the same answer: its result does not count. */
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

/** The event of a result, or nothing where it speaks of the provider or the network only. */
export function eventOf(open: OpenCall, result: ToolResultStep): CallEvent | undefined {
  const { call } = open;
  const { output } = result;
  const checkFailed = call.checks && saysCheckFailed(output);
  const flagged = result.isError === true || checkFailed || isFailure(call, output);
  // a search without hits and a diff with differences end with an exit code, not with an error
  const failed = flagged && !(looks(call) && (saysNothing(output) || isOnlyExitCode(call, output)));
  if (!(failed && checkFailed) && infrastructureOf(output, failed) !== undefined) return undefined;
  const running = result.running === true || saysRunning(output);
  return {
    ...unseenEvent(open),
    outcome: failed ? "failed" : "ok",
    hash: call.kind === "plan" && !failed ? 1 : hashPair(maskedHash(output), failed ? 1 : 2),
    poll: !failed && (call.poll || running),
    failure: failed ? failureFacts(output) : undefined,
    telling: !failed && mayAsk(call) && tells(output),
    complaint: failed || looks(call) ? 0 : reportedErrorHash(output),
  };
}

const mayAsk = (call: Call): boolean => looks(call) || (call.kind === "shell" && !call.checks);

const looks = ({ kind }: Call): boolean => kind === "read" || kind === "search";

const isOnlyExitCode = (call: Call, output: string): boolean =>
  call.tool.kind === "shell" && !namesError(output);

/** Several agents report a failed command as a success. Long texts that were read are content. */
const isFailure = (call: Call, output: string): boolean =>
  (!looks(call) || output.length < 300) && startsFailed(output);

/** Outputs without a call (one per iteration of a script) are compared by their error lines. */
export function aloneEventOf(open: OpenCall, output: string): CallEvent | undefined {
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
    weak: saysNothing(output),
  };
}

/** Equal events in a row, by whatever hash makes them equal. */
export class Streak {
  count = 0;
  hash = 0;
  origin: Origin | undefined;
  error: string | undefined;
  tool = "";
}

/** An event with another hash begins anew. */
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

/** Where a loop may begin, and what had been spent by then. */
export interface Origin {
  readonly step: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Seen only on failing results. */
interface FailureFacts {
  readonly line: string;
  /** The error with names and numbers apart. */
  readonly kind: number;
  /** The set of failing tests, else of a compiler's problems; zero where none is named. */
  readonly tests: number;
  readonly unknownTool: boolean;
  /** Only an exit code, or nothing: no proof that two of them are the same failure. */
  readonly weak: boolean;
}

export interface CallEvent {
  readonly call: Call;
  readonly origin: Origin;
  readonly round: number | string | undefined;
  readonly outcome: "ok" | "failed" | "unseen";
  /** Of the result without its volatile pieces; zero where it was not seen. */
  readonly hash: number;
  readonly poll: boolean;
  readonly failure: FailureFacts | undefined;
  /** An output that belongs to no call. */
  readonly alone: boolean;
  /** What was looked at or asked has content of its own: the same to another question is no news. */
  readonly telling: boolean;
  /** Nothing calls it a failure, but it reports an error: which one, numbers apart; else zero. */
  readonly complaint: number;
}
