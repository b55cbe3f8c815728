/**
 * Evidence: what was observed of a failed attempt, command, call or answer; the input of `classify`. Invariant:
 * `readEvidence` never throws, and names the field that it rejects.
 */
import { isRecord } from "./defined.ts";
import type { CheckExcerpt } from "./excerpt/check-excerpt.ts";

/** Where it failed: the model service, the agent CLI, something the agent ran, a check, or Unstuck's own workspace. */
export const ORIGINS = ["provider", "agent", "tool", "check", "workspace"] as const;
export type Origin = (typeof ORIGINS)[number];

/** A provider's typed error, from its API or an agent's typed event. */
export interface ProviderError {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
}

export interface Evidence {
  /** What ran: `run_bash`, `llm`, `agent_cli`, `tool_call`, `http`, or an agent's own tool name. */
  readonly tool?: string;
  readonly command?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The kernel's OOM killer ended processes while it ran; SIGKILL alone does not show that. */
  readonly outOfMemory?: boolean;
  /** System error name such as `ENOSPC`. */
  readonly errno?: string;
  readonly httpStatus?: number;
  readonly providerError?: ProviderError;
  /** Seconds or an HTTP date, as sent by the server. */
  readonly retryAfter?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly message?: string;
  /** For a failed check: the relevant part of its output, extracted from all of it. */
  readonly excerpt?: CheckExcerpt;
  /** Set by an observer that knows it; otherwise derived from the other fields. */
  readonly origin?: Origin;
  /** When it was observed, in epoch milliseconds: the reference for "resets 3am" and "in 2 hours". */
  readonly observedAt?: number;
  /** The time zone in which the text was written, such as `Europe/Berlin`; applied to clock times without a zone. */
  readonly timeZone?: string;
  /** Minutes east of UTC, used if no zone is named; default 0. */
  readonly utcOffsetMinutes?: number;
}

export type EvidenceReading =
  | { readonly ok: true; readonly evidence: Evidence }
  | { readonly ok: false; readonly field: string; readonly problem: string };

const TEXT_FIELDS = [
  "tool",
  "command",
  "signal",
  "errno",
  "retryAfter",
  "stdout",
  "stderr",
  "message",
  "timeZone",
] as const;
const NUMBER_FIELDS = ["exitCode", "httpStatus", "observedAt", "utcOffsetMinutes"] as const;

/** Reads evidence from parsed JSON. Unknown fields are ignored, null counts as absent, a wrong type is rejected. */
export function readEvidence(value: unknown): EvidenceReading {
  if (!isRecord(value)) return refuse("", "expected a JSON object");
  const evidence: Record<string, unknown> = {};
  for (const field of TEXT_FIELDS) {
    const found = value[field];
    if (found === undefined || found === null) continue;
    if (typeof found === "number" && field === "retryAfter") evidence[field] = String(found);
    else if (typeof found !== "string") return refuse(field, "expected a string");
    else evidence[field] = found;
  }
  for (const field of NUMBER_FIELDS) {
    const found = value[field];
    if (found === undefined || found === null) continue;
    const number = typeof found === "string" && /^-?\d{1,15}$/.test(found) ? Number(found) : found;
    if (!Number.isFinite(number)) return refuse(field, "expected a number");
    evidence[field] = number;
  }
  const outOfMemory = value["outOfMemory"];
  if (outOfMemory !== undefined && outOfMemory !== null) {
    if (typeof outOfMemory !== "boolean") return refuse("outOfMemory", "expected true or false");
    evidence["outOfMemory"] = outOfMemory;
  }
  const origin = value["origin"];
  if (origin !== undefined && origin !== null) {
    if (!ORIGINS.includes(origin as Origin))
      return refuse("origin", `expected one of ${ORIGINS.join(", ")}`);
    evidence["origin"] = origin;
  }
  const provider = value["providerError"];
  if (provider !== undefined && provider !== null) {
    const read = readProviderError(provider);
    if (read === undefined)
      return refuse("providerError", "expected a string or {type, code, message}");
    evidence["providerError"] = read;
  }
  return { ok: true, evidence: evidence };
}

function readProviderError(value: unknown): ProviderError | undefined {
  if (typeof value === "string") return { type: value };
  if (!isRecord(value)) return undefined;
  const inner = isRecord(value["error"]) ? value["error"] : value;
  const error: Record<string, string> = {};
  for (const [field, names] of [
    ["type", ["type", "status", "name"]],
    ["code", ["code", "reason"]],
    ["message", ["message", "detail"]],
  ] as const) {
    const found = names
      .map((name) => inner[name])
      .find((one) => typeof one === "string" || typeof one === "number");
    if (found !== undefined) error[field] = String(found);
  }
  return error;
}

const refuse = (field: string, problem: string): EvidenceReading => ({ ok: false, field, problem });
