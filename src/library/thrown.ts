/**
 * Classifies what an agent loop caught: fetch errors, errors of the AI SDK and of OpenAI-like clients, failed commands,
 * verdicts of the stuck detector, or plain text. Fields are read by name, so no client library is needed. Invariant: a
 * field of an unexpected type is ignored.
 */
import { defined } from "../core/defined.ts";
import { classify } from "../core/classify/classify.ts";
import type { RuleBook } from "../core/classify/rule-book.ts";
import { readEvidence, type Evidence, type ProviderError } from "../core/evidence.ts";
import { cleanLine } from "../core/foreign-text.ts";
import { FAILURE_KINDS, type FailureKind } from "../core/kinds.ts";
import { makeFailure, type Failure } from "../core/failure.ts";
import { checkFailure, checkText, errorText } from "../core/run/decide/attempt-failure.ts";
import { failedCall, type FailedCall } from "../core/repair/failed-call.ts";
import type { ToolCallStep } from "../core/stuck/step.ts";
import type { StuckVerdict } from "../core/stuck/verdict.ts";
import type { FailedAttempt } from "./task-recovery.ts";

/** Errors whose name alone identifies the failure. */
const NAMED: Readonly<Record<string, FailureKind>> = {
  AbortError: "interrupted",
  TimeoutError: "timeout",
  APIConnectionError: "network_error",
  APIConnectionTimeoutError: "timeout",
  AI_LoadAPIKeyError: "auth_required",
  AI_NoObjectGeneratedError: "malformed_output",
  AI_JSONParseError: "malformed_output",
  AI_TypeValidationError: "malformed_output",
  AI_NoSuchToolError: "tool_not_found",
  AI_InvalidToolInputError: "invalid_arguments",
};

/** What browsers and Node report when there was no response at all. */
const NO_ANSWER =
  /^(?:fetch failed|failed to fetch|load failed|networkerror when attempting to fetch)/i;

/** Undici's own codes, mapped to the system's. */
const ERRNOS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
  UND_ERR_HEADERS_TIMEOUT: "ETIMEDOUT",
  UND_ERR_BODY_TIMEOUT: "ETIMEDOUT",
  UND_ERR_SOCKET: "ECONNRESET",
};
const MAX_CAUSES = 5;

type Fields = Readonly<Record<string, unknown>>;

/** The failure, and its text for later prompts. */
export function failureOf(
  thrown: unknown,
  { failing = [], step }: FailedAttempt,
  rules: RuleBook,
  at: number,
): { readonly failure: Failure; readonly error: string; readonly call?: FailedCall } {
  if (isFailure(thrown)) return { failure: thrown, error: thrown.because.join("\n") };
  if (isLoop(thrown)) {
    const error = cleanLine(thrown.reason, 300);
    const because = [`it went in circles: ${error}`];
    return { failure: makeFailure({ kind: "looping", origin: "agent", because }), error };
  }
  const { evidence, kind } = readThrown(thrown, step);
  const error = errorText(evidence);
  const { origin = "provider", httpStatus, errno } = evidence;
  if (kind !== undefined)
    return { failure: makeFailure({ kind, origin, because: [cleanLine(error, 300)] }), error };
  const isOfService = httpStatus !== undefined || errno !== undefined;
  const isJudged = evidence.origin === "check" || (failing.length > 0 && !isOfService);
  const dated = { observedAt: at, ...evidence };
  if (!isJudged) {
    const failure = classify(dated, rules);
    return { failure, error, ...failedCall(failure, { evidence }, rules) };
  }
  const failure = checkFailure({ ...dated, origin: "check" }, rules);
  return { failure, error: checkText(evidence, rules) };
}

const isFailure = (value: unknown): value is Failure =>
  isRecord(value) && "signature" in value && FAILURE_KINDS.some((kind) => kind === value["kind"]);

const isLoop = (value: unknown): value is StuckVerdict & { readonly reason: string } =>
  isRecord(value) && "level" in value && "pattern" in value && typeof value["reason"] === "string";

/** The evidence, and the kind of failure if the error's name identifies it. */
function readThrown(
  thrown: unknown,
  step: ToolCallStep | undefined,
): { readonly evidence: Evidence; readonly kind?: FailureKind | undefined } {
  if (!isRecord(thrown)) return { evidence: { ...calledBy(step), message: String(thrown) } };
  if (!isThrownObject(thrown)) {
    const reading = readEvidence(thrown);
    const evidence = reading.ok ? reading.evidence : { message: safeJson(thrown) };
    return { evidence: { ...ofService(evidence), ...calledBy(step), ...evidence } };
  }
  const chain = causesOf(thrown);
  const evidence = evidenceOf(chain, step);
  if (evidence.httpStatus !== undefined) return { evidence };
  const names = chain.flatMap((error) => [textOf(error["name"]), classOf(error)]);
  const kind = names.map((name) => NAMED[name ?? ""]).find((known) => known !== undefined);
  const isSilent = evidence.errno === undefined && NO_ANSWER.test(evidence.message ?? "");
  return { evidence, kind: kind ?? (isSilent ? "network_error" : undefined) };
}

function evidenceOf(chain: readonly Fields[], step: ToolCallStep | undefined): Evidence {
  const first = <T>(read: (error: Fields) => T | undefined): T | undefined =>
    chain.map(read).find((found) => found !== undefined);
  const command = first(processOf);
  const httpStatus = command === undefined ? first(statusOf) : undefined;
  const answered = defined({ httpStatus, providerError: first(providerErrorOf) });
  return {
    tool: "agent_cli",
    ...ofService(answered),
    ...(step === undefined && command !== undefined ? { tool: "run_bash" } : {}),
    ...calledBy(step),
    ...command,
    message: [...new Set(chain.map(({ message }) => textOf(message) ?? ""))].join("\n").trim(),
    ...answered,
    ...defined({ errno: first(errnoOf), retryAfter: first(retryAfterOf) }),
  };
}

/** A status or provider error without a tool comes from the model: a loop calls nothing else over HTTP. */
const ofService = ({ httpStatus, providerError }: Evidence): Pick<Evidence, "tool"> =>
  httpStatus === undefined && providerError === undefined ? {} : { tool: "llm" };

/** The agent's tool, if the loop says that a tool call failed. */
function calledBy(step: ToolCallStep | undefined): Pick<Evidence, "tool" | "command" | "origin"> {
  if (step === undefined) return {};
  const command = isRecord(step.args) ? textOf(step.args["command"]) : textOf(step.args);
  return { tool: step.tool, origin: "tool", ...defined({ command }) };
}

/** The error and its causes; for a client that retried, the error of the last try. */
function causesOf(thrown: Fields): readonly Fields[] {
  const chain: Fields[] = [];
  for (
    let error: unknown = thrown;
    isRecord(error) && chain.length < MAX_CAUSES && !chain.includes(error);
    error = error["lastError"] ?? error["cause"]
  )
    chain.push(error);
  return chain;
}

const isThrownObject = (value: Fields): boolean =>
  value instanceof Error ||
  ["status", "statusCode", "headers", "responseHeaders", "cause", "response"].some(
    (field) => field in value,
  );

/** A failed command, as `child_process` throws it. */
function processOf(error: Fields): Evidence | undefined {
  const { stdout, stderr, signal, code, status, cmd } = error;
  if (stderr === undefined && stdout === undefined && cmd === undefined) return undefined;
  return defined({
    stdout: bytesOf(stdout),
    stderr: bytesOf(stderr),
    command: textOf(cmd),
    exitCode: [code, status].find((value) => typeof value === "number"),
    signal: typeof signal === "string" ? signal : undefined,
  });
}

function statusOf(error: Fields): number | undefined {
  const { status, statusCode } = error;
  return [status, statusCode, responseOf(error)["status"]].find(
    (value): value is number => typeof value === "number" && value >= 100 && value < 600,
  );
}

/**
 * OpenAI and Anthropic clients keep the body's `error`; the AI SDK keeps the body as `data` or text; others put it in
 * the message.
 */
function providerErrorOf(error: Fields): ProviderError | undefined {
  const { data, responseBody, message, type, code } = error;
  const body = responseOf(error)["data"];
  const found = [error["error"], data, body, parsed(responseBody), parsed(message)].find(
    (value) => isRecord(value) && Object.keys(value).length > 0,
  );
  const own = { type: textOf(type), code: isErrno(code) ? undefined : textOf(code) };
  const isNamed = message !== undefined && (own.type ?? own.code) !== undefined;
  const given = found ?? (isNamed ? own : undefined);
  const reading = readEvidence({ providerError: given });
  return reading.ok ? reading.evidence.providerError : undefined;
}

const responseOf = ({ response }: Fields): Fields => (isRecord(response) ? response : {});

const errnoOf = ({ code }: Fields): string | undefined =>
  isErrno(code) ? (ERRNOS[code] ?? code) : undefined;

const isErrno = (code: unknown): code is string =>
  typeof code === "string" && /^(?:E[A-Z0-9_]{2,20}|UND_ERR_[A-Z_]{1,30})$/.test(code);

function retryAfterOf(error: Fields): string | undefined {
  const { responseHeaders, headers } = error;
  for (const source of [responseHeaders, headers, responseOf(error)["headers"]]) {
    const ms = Number(headerOf(source, "retry-after-ms") ?? Number.NaN);
    if (ms >= 0) return String(ms / 1000);
    const seconds = headerOf(source, "retry-after");
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/** From a `Headers` object, a `Map` or a plain record. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (!isRecord(headers)) return undefined;
  if (typeof headers["get"] === "function") {
    const get = headers["get"] as (this: unknown, name: string) => unknown;
    return textOf(get.call(headers, name));
  }
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return textOf(Array.isArray(value) ? value[0] : value);
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "an object that cannot be printed";
  }
}

const classOf = (error: Fields): string | undefined =>
  typeof error["constructor"] === "function" ? error["constructor"].name : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const bytesOf = (value: unknown): string | undefined =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : textOf(value);

const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;
