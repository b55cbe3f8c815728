/** Errors that every provider has, each with its own status, body, headers and wording. */

export type Fault =
  | "rate_limited"
  | "usage_limit"
  | "overloaded"
  | "server_error"
  | "bad_key"
  | "no_credit"
  | "no_model"
  | "context_full";

type AnswerTo = (
  fault: Fault,
  model: string,
  retryAfter: number,
) => { status: number; body: object; headers?: Readonly<Record<string, string>> };

type Errors<Words extends readonly unknown[]> = Readonly<
  Record<Fault, readonly [status: number, ...Words]>
>;

const filled = (message: string, model: string, seconds: number): string =>
  message.replace("{model}", () => model).replace("{seconds}", String(seconds));

const ANTHROPIC: Errors<readonly [type: string, message: string]> = {
  rate_limited: [429, "rate_limit_error", "Too many requests for this organization."],
  usage_limit: [
    429,
    "rate_limit_error",
    "The usage limit is reached. It resets in {seconds} seconds.",
  ],
  overloaded: [529, "overloaded_error", "Overloaded"],
  server_error: [500, "api_error", "Internal server error"],
  bad_key: [401, "authentication_error", "invalid x-api-key"],
  no_credit: [400, "invalid_request_error", "Your credit balance is too low."],
  no_model: [404, "not_found_error", "model: {model}"],
  context_full: [
    400,
    "invalid_request_error",
    "prompt is too long: 230000 tokens > 200000 maximum",
  ],
};

const anthropic: AnswerTo = (fault, model, retryAfter) => {
  const [status, type, message] = ANTHROPIC[fault];
  const later = status === 429 ? { "retry-after": String(retryAfter) } : {};
  const final = fault === "usage_limit" ? { "x-should-retry": "false" } : {};
  const error = { type, message: filled(message, model, retryAfter) };
  return { status, body: { type: "error", error }, headers: { ...later, ...final } };
};

const OPENAI: Errors<readonly [type: string, code: string, message: string]> = {
  rate_limited: [
    429,
    "requests",
    "rate_limit_exceeded",
    "Rate limit reached for {model}. Please try again in {seconds}s.",
  ],
  usage_limit: [
    429,
    "usage_limit_reached",
    "usage_limit_reached",
    "The usage limit has been reached. It resets in {seconds} seconds.",
  ],
  overloaded: [503, "server_error", "server_is_overloaded", "The servers are overloaded."],
  server_error: [500, "server_error", "server_error", "The server had an error."],
  bad_key: [401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."],
  no_credit: [
    429,
    "insufficient_quota",
    "insufficient_quota",
    "You exceeded your current quota, check your plan and billing details.",
  ],
  no_model: [404, "invalid_request_error", "model_not_found", "The model {model} does not exist."],
  context_full: [
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "Your input exceeds the context window of this model.",
  ],
};

const openai: AnswerTo = (fault, model, retryAfter) => {
  const [status, type, code, message] = OPENAI[fault];
  const later = status === 429 ? { "retry-after": String(retryAfter) } : {};
  const error = { message: filled(message, model, retryAfter), type, param: null, code };
  if (fault !== "usage_limit") return { status, body: { error }, headers: later };
  const resets_at = Math.ceil(Date.now() / 1000) + retryAfter;
  return {
    status,
    body: { error: { ...error, resets_in_seconds: retryAfter, resets_at } },
    // The state of a plan's usage window, which Codex receives with every answer.
    headers: {
      ...later,
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(resets_at),
    },
  };
};

const GEMINI: Errors<readonly [name: string, message: string, reason?: string]> = {
  rate_limited: [429, "RESOURCE_EXHAUSTED", "Resource has been exhausted.", "RATE_LIMIT_EXCEEDED"],
  usage_limit: [429, "RESOURCE_EXHAUSTED", "You have exhausted your quota on this model."],
  overloaded: [503, "UNAVAILABLE", "The model is overloaded."],
  server_error: [500, "INTERNAL", "An internal error has occurred."],
  bad_key: [400, "INVALID_ARGUMENT", "API key not valid.", "API_KEY_INVALID"],
  no_credit: [402, "FAILED_PRECONDITION", "The billing account is not active."],
  no_model: [404, "NOT_FOUND", "models/{model} is not found."],
  context_full: [
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ],
};

const gemini: AnswerTo = (fault, model, retryAfter) => {
  const [code, status, message, reason] = GEMINI[fault];
  const about = "type.googleapis.com/google.rpc.";
  const info = { "@type": `${about}ErrorInfo`, reason, domain: "googleapis.com" };
  const later = { "@type": `${about}RetryInfo`, retryDelay: `${retryAfter}s` };
  const details = [...(reason === undefined ? [] : [info]), ...(code === 429 ? [later] : [])];
  return {
    status: code,
    body: { error: { code, message: filled(message, model, retryAfter), status, details } },
  };
};

/** By the name of the API. */
export const FAULT_ANSWERS = { anthropic, chat: openai, responses: openai, gemini } as const;
