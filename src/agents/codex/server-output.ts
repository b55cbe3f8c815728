/**
 * What `codex app-server` writes, one JSON-RPC message a line. The user's words come back as items and are no
 * steps; threads of other agents it starts are runs of their own and not the attempt. Usage is told as a running
 * total, sometimes twice; of a resumed thread also the one of its earlier turns. Its errors are typed, but some of
 * its names only wrap whatever went wrong below: there the HTTP status tells, or the words.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { Step } from "../../core/stuck/step.ts";
import { evidenceOfText } from "../output/error-text.ts";
import { SAYS_NOTHING } from "../output/format.ts";
import type { LineReader, LineReading } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";
import { completed, counting, failed, recovered, retrying, warned } from "../output/seen.ts";
import type { Seen } from "../output/seen.ts";

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

const MAX_KNOWN = 1024;

export function createServerReader(): LineReader {
  const started = new Set<string>();
  const turns = new Set<string>();
  const totals = new Map<string, number>();
  let main = "";
  return (line) => {
    const params = fieldsOf(line["params"]);
    const thread = textOf(params["threadId"]);
    main ||= thread || textOf(fieldsOf(fieldsOf(line["result"])["thread"])["id"]);
    for (const known of [started, turns, totals]) if (known.size > MAX_KNOWN) known.clear();
    const { steps = [], tells } = readMessage(line, params, { started, turns, totals });
    return {
      steps:
        thread === "" || thread === main
          ? steps
          : steps.map((step) => ({ ...step, runId: thread })),
      ...(tells === undefined ? {} : { tells }),
    };
  };
}

interface Known {
  /** Calls that were announced. */
  readonly started: Set<string>;
  readonly turns: Set<string>;
  /** Tokens so far, by thread. */
  readonly totals: Map<string, number>;
}

function readMessage(line: Fields, params: Fields, known: Known): LineReading {
  const item = fieldsOf(params["item"]);
  const id = textOf(item["id"]);
  /** Of the attempt's own thread. */
  const own = (tells: (seen: Seen) => Seen): Required<LineReading>["tells"] => {
    const thread = textOf(params["threadId"]);
    return (seen) =>
      thread !== "" && seen.session !== undefined && thread !== seen.session ? seen : tells(seen);
  };
  switch (line["method"]) {
    case undefined:
      return { tells: (seen) => readAnswer(seen, line) };
    case "turn/started": {
      const turn = textOf(fieldsOf(params["turn"])["id"]);
      known.turns.add(turn);
      return { tells: own((seen) => ({ ...seen, completed: false, turn })) };
    }
    case "item/started": {
      const call = callOf(item, id);
      if (call === undefined) return SAYS_NOTHING;
      known.started.add(id);
      return { steps: [call] };
    }
    case "item/completed":
      return { steps: completedSteps(item, id, !known.started.delete(id)) };
    case "thread/tokenUsage/updated":
      return {
        steps: usageSteps(params, known.totals, known.turns.has(textOf(params["turnId"]))),
        tells: (seen) => readUsage(seen, params),
      };
    case "turn/completed": {
      const turn = fieldsOf(params["turn"]);
      const { message } = fieldsOf(turn["error"]);
      return {
        steps: typeof message === "string" ? [{ kind: "error", text: message }] : [],
        tells: own((seen) => readEnd(seen, turn)),
      };
    }
    case "error": {
      const error = fieldsOf(params["error"]);
      return params["willRetry"] === true
        ? {
            steps: [{ kind: "stream_retry" }],
            tells: own((seen) => retrying(seen, { evidence: evidenceOf(error) })),
          }
        : { tells: own((seen) => readFailure(seen, error)) };
    }
    case "account/rateLimits/updated":
      return { tells: own((seen) => readLimits(seen, fieldsOf(params["rateLimits"]))) };
    case "warning":
      return { tells: own((seen) => warned(seen, textOf(params["message"]))) };
    case "model/rerouted": {
      const warning = `Codex answers with ${textOf(params["toModel"])} instead`;
      return { tells: own((seen) => warned(seen, warning)) };
    }
    default:
      return SAYS_NOTHING;
  }
}

/** A command as Codex tells it, without the shell that it starts it with. */
const WRAPPED = /^\S{0,40}sh -lc (['"])([^]*)\1$/;

export const unwrapped = (command: string): string => WRAPPED.exec(command)?.[2] ?? command;

function callOf(item: Fields, id: string): Step | undefined {
  switch (item["type"]) {
    case "commandExecution": {
      const command = unwrapped(textOf(item["command"]));
      return { kind: "tool_call", id, tool: "shell", args: { command } };
    }
    case "mcpToolCall": {
      const tool = `mcp__${textOf(item["server"])}__${textOf(item["tool"])}`;
      return { kind: "tool_call", id, tool, args: item["arguments"] };
    }
    case "dynamicToolCall": {
      const tool = textOf(item["tool"]) || "tool";
      return { kind: "tool_call", id, tool, args: item["arguments"] };
    }
    case "fileChange": {
      const changes = listOf(item["changes"]);
      const path = textOf(fieldsOf(changes[0])["path"]);
      return { kind: "tool_call", id, tool: "file_change", args: { path, changes } };
    }
    case "webSearch":
      return { kind: "tool_call", id, tool: "web_search", args: { query: item["query"] } };
    default:
      return undefined;
  }
}

function completedSteps(item: Fields, id: string, unannounced: boolean): readonly Step[] {
  switch (item["type"]) {
    case "agentMessage":
      return [{ kind: "message", text: textOf(item["text"]) }];
    case "reasoning": {
      const parts = [...listOf(item["summary"]), ...listOf(item["content"])];
      return [{ kind: "message", text: parts.map(textOf).join("\n"), channel: "thought" }];
    }
    case "contextCompaction":
      return [{ kind: "compaction" }];
    default: {
      const call = callOf(item, id);
      if (call === undefined) return [];
      const result: Step = { kind: "tool_result", id, output: resultOf(item), isError: bad(item) };
      return unannounced ? [call, result] : [result];
    }
  }
}

const bad = ({ status, success, exitCode }: Fields): boolean =>
  status === "failed" ||
  status === "declined" ||
  success === false ||
  (typeof exitCode === "number" && exitCode !== 0);

function resultOf(item: Fields): string {
  const error = textOf(fieldsOf(item["error"])["message"]);
  if (error !== "") return error;
  if (item["type"] === "commandExecution") return textOf(item["aggregatedOutput"]);
  return outputOf(item["contentItems"] ?? fieldsOf(item["result"])["content"]);
}

/** One answer of the model is over; what was used before this attempt only sets the mark. */
function usageSteps(params: Fields, totals: Map<string, number>, isNew: boolean): readonly Step[] {
  const thread = textOf(params["threadId"]);
  const usage = fieldsOf(params["tokenUsage"]);
  const total = tokensOf(fieldsOf(usage["total"]));
  const before = totals.get(thread) ?? total - tokensOf(fieldsOf(usage["last"]));
  totals.set(thread, total);
  return isNew && total > before ? [{ kind: "turn_end", ...spent(total - before) }] : [];
}

const tokensOf = (usage: Fields): number =>
  countOf(usage["inputTokens"]) + countOf(usage["outputTokens"]);

function readAnswer(seen: Seen, line: Fields): Seen {
  if (textOf(line["id"]).startsWith(CODEX_OPTIONAL)) return seen;
  if (line["error"] !== undefined)
    return failed(seen, evidenceOfText(textOf(fieldsOf(line["error"])["message"])));
  const { userAgent, thread, model } = fieldsOf(line["result"]);
  const session = textOf(fieldsOf(thread)["id"]);
  const version = textOf(userAgent);
  const next = version === "" ? seen : { ...seen, version };
  return session === "" ? next : { ...next, session, model: textOf(model) };
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
