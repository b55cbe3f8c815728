/**
 * Reads the output of `codex app-server`, one JSON-RPC message per line. The user's messages come back as items but are
 * not steps; threads of other agents that it starts are runs of their own, not the attempt. Usage is reported as a
 * running total, sometimes twice, and for a resumed thread including earlier turns.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { TokenCounts } from "../../core/prices.ts";
import type { Step } from "../../core/stuck/step.ts";
import { evidenceOfText } from "../output/error-text.ts";
import { EMPTY_READING, type LineReading } from "../output/format.ts";
import { countOf, fieldsOf, spent, textOf, type Fields } from "../output/json.ts";
import {
  completed,
  withCounts,
  withFailure,
  liftedAt,
  withRecovery,
  withRetry,
  withWarning,
} from "../output/output-state.ts";
import type { OutputState } from "../output/output-state.ts";
import { startedSteps, completedSteps, type CodexState } from "./items.ts";

/** Prefix of request ids whose rejection does not matter. */
export const CODEX_OPTIONAL = "optional ";

export function readMessage(line: Fields, known: CodexState): LineReading {
  const thread = textOf(fieldsOf(line["params"])["threadId"]);
  known.main ||= thread || textOf(fieldsOf(fieldsOf(line["result"])["thread"])["id"]);
  const reading = readOwnOrOther(line, known);
  if (thread === "" || thread === known.main) return reading;
  return { ...reading, steps: (reading.steps ?? []).map((step) => ({ ...step, runId: thread })) };
}

function readOwnOrOther(line: Fields, known: CodexState): LineReading {
  const params = fieldsOf(line["params"]);
  const item = fieldsOf(params["item"]);
  const turn = fieldsOf(params["turn"]);
  const error = fieldsOf(params["error"]);
  /** Only for the attempt's own thread. */
  const own = (tells: (seen: OutputState) => OutputState): Required<LineReading>["tells"] => {
    const thread = textOf(params["threadId"]);
    return (seen) =>
      thread !== "" && seen.session !== undefined && thread !== seen.session ? seen : tells(seen);
  };
  switch (line["method"]) {
    case undefined:
      return { tells: (seen) => readAnswer(seen, line) };
    case "turn/started": {
      const id = textOf(turn["id"]);
      known.turns.add(id);
      return { tells: own((seen) => ({ ...seen, completed: false, turn: id })) };
    }
    case "item/started":
      return { steps: startedSteps(item, known) };
    case "item/completed":
      return { steps: completedSteps(item, known) };
    case "thread/tokenUsage/updated":
      return { steps: usageSteps(params, known), tells: (seen) => readUsage(seen, params) };
    case "turn/completed": {
      const { message } = fieldsOf(turn["error"]);
      return {
        steps: typeof message === "string" ? [{ kind: "error", text: message }] : [],
        tells: own((seen) => readEnd(seen, turn)),
      };
    }
    case "error":
      if (params["willRetry"] !== true) return { tells: own((seen) => readFailure(seen, error)) };
      return {
        steps: [{ kind: "stream_retry" }],
        tells: own((seen) => withRetry(seen, { evidence: evidenceOf(error) })),
      };
    case "account/rateLimits/updated":
      return { tells: own((seen) => readLimits(seen, fieldsOf(params["rateLimits"]))) };
    case "warning":
      return { tells: own((seen) => withWarning(seen, textOf(params["message"]))) };
    case "model/rerouted": {
      const warning = `Codex answers with ${textOf(params["toModel"])} instead`;
      return { tells: own((seen) => withWarning(seen, warning)) };
    }
    default:
      return EMPTY_READING;
  }
}

/** One model answer has ended; usage before this attempt only sets the starting point. */
function usageSteps(params: Fields, { turns, totals }: CodexState): readonly Step[] {
  const thread = textOf(params["threadId"]);
  const usage = fieldsOf(params["tokenUsage"]);
  const total = tokensOf(fieldsOf(usage["total"]));
  const before = totals.get(thread) ?? total - tokensOf(fieldsOf(usage["last"]));
  totals.set(thread, total);
  const isNew = turns.has(textOf(params["turnId"]));
  return isNew && total > before ? [{ kind: "turn_end", ...spent(total - before) }] : [];
}

const tokensOf = (usage: Fields): number =>
  countOf(usage["inputTokens"]) + countOf(usage["outputTokens"]);

/** Its input counts include cached tokens. */
export function countsOf(input: unknown, cached: unknown, output: unknown): TokenCounts {
  const fresh = Math.max(0, countOf(input) - countOf(cached));
  return { input: fresh, cached: countOf(cached), output: countOf(output) };
}

/** Reported once per model answer and sometimes repeated; a resumed thread starts with its last answer. */
function readUsage(seen: OutputState, { threadId, turnId, tokenUsage }: Fields): OutputState {
  if (threadId === seen.session && turnId !== seen.turn) return seen;
  const usage = fieldsOf(tokenUsage);
  const { inputTokens, cachedInputTokens, outputTokens } = fieldsOf(usage["last"]);
  const total = fieldsOf(usage["total"]);
  const counted = [threadId, countOf(total["inputTokens"]), countOf(total["outputTokens"])];
  return withCounts(
    seen,
    countsOf(inputTokens, cachedInputTokens, outputTokens),
    counted.join(" "),
  );
}

function readAnswer(seen: OutputState, line: Fields): OutputState {
  if (textOf(line["id"]).startsWith(CODEX_OPTIONAL)) return seen;
  if (line["error"] !== undefined)
    return withFailure(seen, evidenceOfText(textOf(fieldsOf(line["error"])["message"])));
  const { userAgent, thread, model } = fieldsOf(line["result"]);
  const session = textOf(fieldsOf(thread)["id"]);
  const version = textOf(userAgent);
  const next = version === "" ? seen : { ...seen, version };
  return session === "" ? next : { ...next, session, model: textOf(model) };
}

function readEnd(seen: OutputState, { status, error }: Fields): OutputState {
  if (status === "failed") return readFailure(seen, fieldsOf(error));
  return status === "completed" ? completed(seen) : withRecovery(seen);
}

/** Only after hitting a usage limit is there a window's end to wait for. */
function readFailure(seen: OutputState, error: Fields): OutputState {
  const isLimit = error["codexErrorInfo"] === "usageLimitExceeded";
  return withFailure(isLimit ? seen : liftedAt(seen, 0), evidenceOf(error));
}

/** Windows are reported with every answer; only exhausted ones have a time to wait for. */
function readLimits(seen: OutputState, limits: Fields): OutputState {
  const windows = [limits["primary"], limits["secondary"]].map(fieldsOf);
  const full = windows.filter(({ usedPercent }) => countOf(usedPercent) >= 100);
  return liftedAt(seen, Math.max(0, ...full.map(({ resetsAt }) => countOf(resetsAt))));
}

/** Its error names mapped to those of providers. Empty: the name only wraps a cause that the status or text reveals. */
const NAMES: Readonly<Record<string, string>> = {
  sessionBudgetExceeded: "budget_exceeded",
  modelNotFound: "model_not_found",
  cyberPolicy: "content_policy_violation",
  misalignmentPolicyViolation: "content_policy_violation",
  flexUnavailable: "server_overloaded",
  policyCapacityUnavailable: "server_overloaded",
  responseStreamDisconnected: "",
  responseStreamConnectionFailed: "",
  responseTooManyFailedAttempts: "",
  other: "",
};

function evidenceOf(error: Fields): Evidence {
  const { codexErrorInfo: info, additionalDetails: details } = error;
  const [name = "", inner] =
    typeof info === "string" ? [info] : (Object.entries(fieldsOf(info))[0] ?? []);
  const httpStatus = countOf(fieldsOf(inner)["httpStatusCode"]);
  const text = evidenceOfText(textOf(details) || textOf(error["message"]));
  const type = (Object.hasOwn(NAMES, name) ? NAMES[name] : name.slice(0, 80)) ?? "";
  const isTyped = type !== "" && httpStatus === 0 && text.providerError === undefined;
  return {
    ...text,
    ...(isTyped ? { providerError: { type } } : {}),
    ...(httpStatus === 0 ? {} : { httpStatus }),
  };
}
