/**
 * What the structured fields say by themselves: provider error, HTTP status, errno, exit code, signal. Invariants:
 * total; a wrong type of field is no field.
 */
import type { Evidence } from "../evidence.ts";
import type { FailureKind } from "../kinds.ts";
import { statusMeaning } from "./http-status.ts";
import type { Match } from "./match.ts";
import { settingOf } from "./origin.ts";
import { providerCodeOf } from "./provider-codes.ts";
import type { ProviderCode } from "./provider-codes.ts";

/**
 * Score stands among LEVELS of `rule.ts`: above 100 beats any text, below 72 yields to an error
 * line.
 */
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
  137: ["out_of_memory", 70, 0.85],
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
  SIGKILL: ["out_of_memory", 66, 0.8],
  SIGTERM: ["timeout", 50, 0.6],
  SIGALRM: ["timeout", 74, 0.85],
  SIGXCPU: ["timeout", 74, 0.85],
  SIGXFSZ: ["disk_full", 70, 0.6],
};

const MAX_NAME = 40;

export function structuredMatches(evidence: Evidence): readonly Match[] {
  const matches: Match[] = [];
  const add = (meaning: Meaning | undefined, place: string): void => {
    if (meaning === undefined) return;
    const [kind, score, confidence] = meaning;
    matches.push({ kind, score, confidence, place, text: "" });
  };
  const { providerError, httpStatus, errno, exitCode, signal } = evidence;
  for (const field of ["code", "type"] as const) {
    const name = isRecord(providerError) ? providerError[field] : undefined;
    const code = providerCodeOf(name);
    if (code === undefined) continue;
    add(ofCode(code), `provider error ${field} ${String(name).slice(0, MAX_NAME)}`);
  }
  if (typeof httpStatus === "number") add(ofStatus(evidence, httpStatus), `status ${httpStatus}`);
  if (typeof errno === "string" && errno.length <= MAX_NAME)
    add(own(ERRNOS, errno.toUpperCase()), `errno ${errno.toUpperCase()}`);
  if (typeof exitCode === "number")
    add(own(EXIT_CODES, exitCode < 0 ? exitCode + 2 ** 32 : exitCode), `exit code ${exitCode}`);
  if (typeof signal === "string" && signal.length <= MAX_NAME)
    add(own(SIGNALS, signalName(signal)), `signal ${signalName(signal)}`);
  return matches;
}

/** A catch-all such as invalid_request_error yields to what the message says. */
function ofCode({ kind, level }: ProviderCode): Meaning {
  if (level === "typed") return [kind, 108, 0.97];
  return level === "exact" ? [kind, 90, 0.92] : [kind, 70, 0.75];
}

function ofStatus(evidence: Evidence, status: number): Meaning | undefined {
  const meaning = statusMeaning(status, settingOf(evidence) !== "shell");
  if (meaning === undefined) return undefined;
  return [meaning.kind, meaning.confidence >= 0.85 ? 84 : 68, meaning.confidence];
}

const signalName = (signal: string): string => {
  const upper = signal.toUpperCase();
  return upper.startsWith("SIG") ? upper : `SIG${upper}`;
};

const isRecord = (value: unknown): value is Readonly<Record<string, string | undefined>> =>
  typeof value === "object" && value !== null;

const own = (
  table: Readonly<Record<string, Meaning>>,
  key: string | number,
): Meaning | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);
