/**
 * What the messages of `codex app-server` say of the attempt. Its errors are typed, but some of its names only
 * wrap whatever went wrong below: there the HTTP status tells, or the words. Threads of other agents it starts are
 * not the attempt.
 */
import type { Evidence } from "../../core/evidence.ts";
import { countOf, fieldsOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { versionWarning } from "../version.ts";
import { evidenceOfText } from "./error-text.ts";
import { completed, counting, failed, recovered, retrying, warned } from "./seen.ts";
import type { Seen } from "./seen.ts";

/** Begins the id of a request whose refusal does not matter. */
export const CODEX_OPTIONAL = "optional ";

/** Its words in those of providers; those not listed are told as they are, empty ones not at all. */
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

export function readServerEvent(seen: Seen, line: Fields): Seen {
  const params = fieldsOf(line["params"]);
  const thread = textOf(params["threadId"]);
  if (line["method"] === undefined) return readAnswer(seen, line);
  if (line["method"] === "thread/tokenUsage/updated") return readUsage(seen, params);
  if (thread !== "" && seen.session !== undefined && thread !== seen.session) return seen;
  switch (line["method"]) {
    case "turn/started": {
      const turn = textOf(fieldsOf(params["turn"])["id"]);
      return { ...seen, completed: false, turn };
    }
    case "turn/completed":
      return readEnd(seen, fieldsOf(params["turn"]));
    case "error": {
      const error = fieldsOf(params["error"]);
      return params["willRetry"] === true
        ? retrying(seen, { evidence: evidenceOf(error) })
        : readFailure(seen, error);
    }
    case "account/rateLimits/updated":
      return readLimits(seen, fieldsOf(params["rateLimits"]));
    case "warning":
      return warned(seen, textOf(params["message"]));
    case "model/rerouted":
      return warned(seen, `Codex answers with ${textOf(params["toModel"])} instead`);
    default:
      return seen;
  }
}

function readAnswer(seen: Seen, line: Fields): Seen {
  if (textOf(line["id"]).startsWith(CODEX_OPTIONAL)) return seen;
  if (line["error"] !== undefined)
    return failed(seen, evidenceOfText(textOf(fieldsOf(line["error"])["message"])));
  const { userAgent, thread, model } = fieldsOf(line["result"]);
  const session = textOf(fieldsOf(thread)["id"]);
  const next = session === "" ? seen : { ...seen, session, model: textOf(model) };
  return warned(next, versionWarning("codex", textOf(userAgent)) ?? "");
}

function readEnd(seen: Seen, turn: Fields): Seen {
  switch (turn["status"]) {
    case "completed":
      return completed(seen);
    case "failed":
      return readFailure(seen, fieldsOf(turn["error"]));
    default:
      return recovered(seen);
  }
}

/** Only a limit that was hit is waited for until a window ends. */
function readFailure(seen: Seen, error: Fields): Seen {
  const { liftedAt: _, ...others } = seen;
  const isLimit = error["codexErrorInfo"] === "usageLimitExceeded";
  return failed(isLimit ? seen : others, evidenceOf(error));
}

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

/** Told once for each model answer and now and then again; of a resumed thread, the last one first. */
function readUsage(seen: Seen, { threadId, turnId, tokenUsage }: Fields): Seen {
  if (threadId === seen.session && turnId !== seen.turn) return seen;
  const usage = fieldsOf(tokenUsage);
  const { inputTokens, cachedInputTokens, outputTokens } = fieldsOf(usage["last"]);
  const total = fieldsOf(usage["total"]);
  const cached = countOf(cachedInputTokens);
  const input = Math.max(0, countOf(inputTokens) - cached);
  const counted = [threadId, countOf(total["inputTokens"]), countOf(total["outputTokens"])];
  return counting(seen, { input, cached, output: countOf(outputTokens) }, counted.join(" "));
}

/** Its windows are told with every answer; only those that are used up have a moment to wait for. */
function readLimits({ liftedAt: _, ...seen }: Seen, limits: Fields): Seen {
  const windows = [limits["primary"], limits["secondary"]].map(fieldsOf);
  const full = windows.filter(({ usedPercent }) => countOf(usedPercent) >= 100);
  const seconds = Math.max(0, ...full.map(({ resetsAt }) => countOf(resetsAt)));
  if (seconds === 0 || seconds > 1e11) return seen;
  return { ...seen, liftedAt: new Date(seconds * 1000).toUTCString() };
}
