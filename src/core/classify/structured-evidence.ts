/**
 * Matches from structured evidence: provider errors, HTTP statuses, errno, exit codes, signals, and the origin.
 * Statuses found in text use the same table. Invariants: total; a field of the wrong type is ignored; an origin given
 * by the observer always wins; a generic "bad request" gets a low score, because the message says more.
 */
import { TABLE, providerCodeOf, type ProviderCode } from "./provider-codes.ts";
import { hasTrait, type FailureKind } from "../kinds.ts";
import type { Evidence, Origin } from "../evidence.ts";
import type { TextSource } from "./rule.ts";
import type { Match } from "./text-matches.ts";

const TYPED: Partial<Record<FailureKind, string>> = {
  billing: `
    insufficient_quota billing_error billing_hard_limit_reached billing_not_active
    quota_exceeded_billing insufficient_credits insufficient_funds insufficient_balance
    credit_balance_too_low credits_exhausted creditserror payment_required budget_exceeded
    budgetexceedederror budget_exhausted error_max_budget_usd usage_not_included
    out_of_credits quota_exhausted freeusagelimiterror
  `,
  auth_required: `
    invalid_api_key authentication_error authentication_failed authenticationerror
    api_key_invalid unauthenticated unauthorized missing_api_key no_api_key
    invalid_authentication invalid_x_api_key incorrect_api_key unrecognizedclientexception
    invalidsignatureexception missingauthenticationtokenexception invalidclienttokenid
    incompletesignature account_deactivated organization_disabled providerautherror
    invalid_client loadapikeyerror nocredentialproviders credentialsprovidererror
    unauthorizedexception api_key_missing unauthorized_client
  `,
  auth_expired: `
    expiredtokenexception expiredtoken token_expired expired_token invalid_grant
    oauth_token_expired session_expired requestexpired refresh_token_expired
    refresh_token_reused token_revoked api_key_expired tokenrefreshrequired id_token_expired
  `,
  permission_denied: `
    permission_error permission_denied accessdeniedexception permissiondeniederror
    unsupported_country_region_territory accessdenied
  `,
  rate_limited: `
    rate_limit_error rate_limit_exceeded ratelimiterror rate_limit_reached resource_exhausted
    throttlingexception throttling too_many_requests toomanyrequestsexception
    requestlimitexceeded slow_down usage_limit_reached usagelimitexceeded
    servicequotaexceededexception provisionedthroughputexceededexception rate_limited
    tokens_exceeded ratelimitexceeded userratelimitexceeded concurrency_limit_exceeded
    rate_limit tokens_limit_reached quotaexceeded
  `,
  server_overloaded: `
    overloaded_error overloaded serveroverloaded server_is_overloaded engine_overloaded
    modelnotreadyexception engine_overloaded_error model_overloaded server_overloaded
  `,
  timeout: `
    timeout_error modeltimeoutexception deadline_exceeded apitimeouterror gateway_timeout
    request_timeout
  `,
  context_exhausted: `
    context_length_exceeded contextwindowexceedederror contextwindowexceeded
    contextoverflowerror prompt_too_long request_too_large string_above_max_length
    model_context_window_exceeded context_window_exceeded context_limit_exceeded
    input_too_long context_overflow max_context_length_exceeded exceed_context_size_error
  `,
  content_refused: `
    content_policy_violation content_filter content_filtered contentfiltererror
    contentpolicyviolationerror responsibleaipolicyviolation prohibited_content content_policy
    guardrail_intervened cyber_policy_violation safety_block image_safety
  `,
  malformed_output: `
    malformed_function_call malformed_tool_use_exhausted tool_use_failed invalid_tool_call
    json_validate_failed unexpected_tool_call invalidtoolinputerror jsonparseerror
    noobjectgeneratederror output_parse_failed responseparseerror empty_response
    incomplete_response
  `,
  tool_not_found: "nosuchtoolerror tool_not_found unknown_tool toolnotfounderror",
  network_error: "apiconnectionerror api_connection_error connection_error httpconnectionfailed",
  out_of_memory: "oomkilled",
};

const USUAL: Partial<Record<FailureKind, string>> = {
  server_error: `
    api_error server_error internal_server_error internalservererror internalserverexception
    internal_error modelerrorexception modelstreamerrorexception internalfailure bad_gateway
  `,
  server_overloaded: "service_unavailable serviceunavailableexception serviceunavailableerror",
};

const CATCH_ALL: Partial<Record<FailureKind, string>> = {
  invalid_arguments: `
    invalid_request_error invalid_request invalid_argument validationexception bad_request
    badrequest not_found_error model_not_found not_found resourcenotfoundexception
    failed_precondition unsupported_parameter unsupported_value invalid_parameter
    invalid_value missing_required_parameter unknown_parameter out_of_range
    model_not_supported unprocessable_entity invalid_type apierror_400
  `,
  context_exhausted: "max_output_tokens max_tokens messageoutputlengtherror",
  content_refused: "safety recitation blocklist spii refusal content_blocked invalid_prompt",
  server_overloaded: "unavailable",
  server_error: "internal aborted data_loss",
  malformed_output: "responsestreamdisconnected",
  rate_limited: "requests tokens quota_exceeded",
  auth_required: "authentication forbidden_no_key",
  timeout: "timeout",
};

for (const [level, names] of [
  ["typed", TYPED],
  ["exact", USUAL],
  ["phrase", CATCH_ALL],
] as const)
  for (const [kind, words] of Object.entries(names))
    for (const name of words.trim().split(/\s+/))
      TABLE.set(name, { kind: kind as FailureKind, level });

type KindAndConfidence = readonly [FailureKind, number];

const STATUSES: Readonly<Record<number, KindAndConfidence>> = {
  400: ["invalid_arguments", 0.75],
  401: ["auth_required", 0.93],
  402: ["billing", 0.95],
  403: ["permission_denied", 0.8],
  404: ["file_not_found", 0.75],
  405: ["invalid_arguments", 0.8],
  406: ["invalid_arguments", 0.7],
  407: ["auth_required", 0.8],
  408: ["timeout", 0.92],
  410: ["file_not_found", 0.7],
  413: ["context_exhausted", 0.8],
  415: ["invalid_arguments", 0.8],
  422: ["invalid_arguments", 0.85],
  424: ["server_error", 0.6],
  429: ["rate_limited", 0.95],
  451: ["permission_denied", 0.6],
  498: ["server_overloaded", 0.6],
  500: ["server_error", 0.93],
  501: ["server_error", 0.7],
  502: ["server_error", 0.93],
  503: ["server_overloaded", 0.88],
  504: ["timeout", 0.72],
  520: ["server_error", 0.9],
  521: ["server_error", 0.85],
  522: ["server_error", 0.7],
  523: ["server_error", 0.85],
  524: ["timeout", 0.7],
  529: ["server_overloaded", 0.97],
};

/** The statuses that are searched for in text. */
export const KNOWN_STATUSES: readonly number[] = Object.keys(STATUSES).map(Number);

/** For a model service, a missing resource means a wrong model name, hence a wrong argument. */
export function statusMeaning(status: number, ofModel: boolean): KindAndConfidence | undefined {
  if (ofModel && (status === 404 || status === 410)) return ["invalid_arguments", 0.85];
  const known = STATUSES[status];
  if (known !== undefined || status < 400 || status >= 600) return known;
  return status >= 500 ? ["server_error", 0.8] : ["invalid_arguments", 0.5];
}

/** All other tools are the agent's own. */
const SOURCES: ReadonlyMap<string, TextSource> = new Map([
  ...toolsOf("model", "llm model http api provider"),
  ...toolsOf("agent", "agent_cli agent"),
  ...toolsOf("shell", "run_bash bash shell sh exec execute_command run_command run_shell_command"),
  ...toolsOf("shell", "local_shell terminal powershell"),
]);

function toolsOf(source: TextSource, tools: string): readonly (readonly [string, TextSource])[] {
  return tools.split(" ").map((tool) => [tool, source]);
}

export function sourceOf({ tool, providerError }: Evidence): TextSource {
  const name = typeof tool === "string" ? tool.slice(0, 40).toLowerCase() : "";
  const source = name === "" ? "shell" : (SOURCES.get(name) ?? "call");
  return source === "shell" && providerError !== undefined ? "model" : source;
}

export function originOf(evidence: Evidence, kind: FailureKind): Origin {
  if (evidence.origin !== undefined) return evidence.origin;
  const source = sourceOf(evidence);
  if (source === "agent") return hasTrait(kind, "service") ? "provider" : "agent";
  return source === "model" ? "provider" : "tool";
}

/** The score is on the scale of LEVELS in `rule.ts`: above 100 it beats any text, below 72 an error line beats it. */
type Meaning = readonly [kind: FailureKind, score: number, confidence: number];

const ERRNOS: Readonly<Record<string, Meaning>> = {
  ENOENT: ["file_not_found", 80, 0.93],
  ENOTDIR: ["file_not_found", 66, 0.6],
  EISDIR: ["invalid_arguments", 66, 0.7],
  EINVAL: ["invalid_arguments", 60, 0.6],
  ENAMETOOLONG: ["invalid_arguments", 80, 0.8],
  E2BIG: ["invalid_arguments", 80, 0.8],
  EACCES: ["permission_denied", 82, 0.96],
  EPERM: ["permission_denied", 82, 0.93],
  EROFS: ["permission_denied", 82, 0.85],
  ENOSPC: ["disk_full", 104, 0.98],
  EDQUOT: ["disk_full", 104, 0.97],
  EFBIG: ["disk_full", 70, 0.6],
  ENOMEM: ["out_of_memory", 104, 0.97],
  ETIMEDOUT: ["timeout", 78, 0.85],
  ESOCKETTIMEDOUT: ["timeout", 78, 0.85],
  ECONNREFUSED: ["network_error", 84, 0.97],
  ECONNRESET: ["network_error", 84, 0.96],
  ECONNABORTED: ["network_error", 80, 0.85],
  EPIPE: ["network_error", 62, 0.6],
  ENOTFOUND: ["network_error", 84, 0.95],
  EAI_AGAIN: ["network_error", 84, 0.97],
  EHOSTUNREACH: ["network_error", 84, 0.97],
  ENETUNREACH: ["network_error", 84, 0.97],
  EHOSTDOWN: ["network_error", 84, 0.95],
  ENETDOWN: ["network_error", 84, 0.95],
  EPROTO: ["network_error", 76, 0.8],
  EADDRINUSE: ["unknown", 84, 0.85],
};

const EXIT_CODES: Readonly<Record<number, Meaning>> = {
  124: ["timeout", 74, 0.9],
  126: ["permission_denied", 64, 0.8],
  127: ["command_not_found", 70, 0.93],
  132: ["agent_crash", 56, 0.7],
  133: ["agent_crash", 70, 0.8],
  134: ["agent_crash", 56, 0.7],
  135: ["agent_crash", 56, 0.7],
  136: ["agent_crash", 52, 0.55],
  137: ["out_of_memory", 70, 0.75],
  139: ["agent_crash", 78, 0.88],
  143: ["timeout", 42, 0.5],
  9009: ["command_not_found", 82, 0.95],
  3221225477: ["agent_crash", 80, 0.92],
  3221225495: ["out_of_memory", 80, 0.9],
  3221225501: ["agent_crash", 80, 0.85],
  3221225725: ["agent_crash", 80, 0.85],
  3221225781: ["dependency_error", 70, 0.6],
  3221226505: ["agent_crash", 80, 0.88],
};

const SIGNALS: Readonly<Record<string, Meaning>> = {
  SIGSEGV: ["agent_crash", 82, 0.9],
  SIGBUS: ["agent_crash", 78, 0.85],
  SIGILL: ["agent_crash", 78, 0.85],
  SIGABRT: ["agent_crash", 56, 0.75],
  SIGTRAP: ["agent_crash", 56, 0.7],
  SIGFPE: ["agent_crash", 56, 0.6],
  SIGKILL: ["agent_crash", 56, 0.6],
  SIGTERM: ["timeout", 50, 0.6],
  SIGALRM: ["timeout", 74, 0.85],
  SIGXCPU: ["timeout", 74, 0.85],
  SIGXFSZ: ["disk_full", 70, 0.6],
};

const MAX_NAME = 40;

export function structuredMatches(evidence: Evidence): readonly Match[] {
  const matches: Match[] = [];
  const add = (place: string, meaning: Meaning | undefined): void => {
    if (meaning === undefined) return;
    const [kind, score, confidence] = meaning;
    matches.push({ kind, score, confidence, place, text: "" });
  };
  const { providerError, httpStatus, errno, exitCode, signal } = evidence;
  for (const field of ["code", "type"] as const) {
    const name: unknown = providerError?.[field];
    if (typeof name === "string")
      add(`provider error ${field} ${name.slice(0, MAX_NAME)}`, ofCode(providerCodeOf(name)));
  }
  if (typeof httpStatus === "number")
    add(`status ${httpStatus}`, ofStatus(httpStatus, sourceOf(evidence)));
  if (typeof errno === "string" && errno.length <= MAX_NAME)
    add(`errno ${errno.toUpperCase()}`, ERRNOS[errno.toUpperCase()]);
  if (typeof exitCode === "number")
    add(`exit code ${exitCode}`, ofExit(exitCode, sourceOf(evidence)));
  if (typeof signal === "string" && signal.length <= MAX_NAME) {
    const name = signal.toUpperCase().replace(/^(?!SIG)/, "SIG");
    add(`signal ${name}`, SIGNALS[name]);
  }
  if (evidence.outOfMemory === true && isKilled(evidence))
    add("killed while memory ran out", ["out_of_memory", 106, 0.95]);
  return matches;
}

/** When a shell reports a killed command, the cause is usually memory; an agent may have been killed by anyone. */
function ofExit(code: number, source: TextSource): Meaning | undefined {
  if (code === 137 && source === "agent") return SIGNALS["SIGKILL"];
  return EXIT_CODES[code < 0 ? code + 2 ** 32 : code];
}

/** By SIGKILL, directly or as reported by a shell. */
const isKilled = ({ exitCode, signal }: Evidence): boolean =>
  exitCode === 137 || signal === "SIGKILL";

/** A catch-all such as invalid_request_error yields to the message. */
function ofCode(code: ProviderCode | undefined): Meaning | undefined {
  if (code === undefined) return undefined;
  if (code.level === "typed") return [code.kind, 108, 0.97];
  return code.level === "exact" ? [code.kind, 90, 0.92] : [code.kind, 70, 0.75];
}

function ofStatus(status: number, source: TextSource): Meaning | undefined {
  const [kind, confidence = 0] = statusMeaning(status, source !== "shell") ?? [];
  return kind === undefined ? undefined : [kind, confidence >= 0.85 ? 84 : 68, confidence];
}
