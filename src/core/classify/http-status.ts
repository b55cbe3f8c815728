/**
 * HTTP status to kind. Invariant: total over 100..599; what only says "something was wrong with the request" has
 * low confidence, because the message knows better.
 */
import type { FailureKind } from "../kinds.ts";

export interface StatusMeaning {
  readonly kind: FailureKind;
  readonly confidence: number;
}

const MEANINGS: Readonly<Record<number, readonly [FailureKind, number]>> = {
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

/** Statuses looked for in text. */
export const KNOWN_STATUSES: readonly number[] = Object.keys(MEANINGS).map(Number);

/** For a model service a missing resource is a wrong model name, so a wrong argument. */
export function statusMeaning(status: number, ofModel: boolean): StatusMeaning | undefined {
  if (ofModel && (status === 404 || status === 410))
    return { kind: "invalid_arguments", confidence: 0.85 };
  const known = MEANINGS[status];
  if (known !== undefined) return { kind: known[0], confidence: known[1] };
  if (status >= 500 && status < 600) return { kind: "server_error", confidence: 0.8 };
  if (status >= 400 && status < 500) return { kind: "invalid_arguments", confidence: 0.5 };
  return undefined;
}
