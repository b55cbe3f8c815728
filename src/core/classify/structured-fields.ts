/**
 * What the structured fields say by themselves: where the texts come from, where it failed, and what
 * provider error, HTTP status, errno, exit code and signal speak for. Invariants: total; a wrong type of field is no
 * field; an origin the observer gave always wins.
 */
import { hasTrait, type FailureKind } from "../kinds.ts";
import type { Evidence, Origin } from "../evidence.ts";
import type { TextSource } from "./rule.ts";
import { statusMeaning } from "./service-codes.ts";
import { providerCodeOf, type ProviderCode } from "./provider-codes.ts";
import type { Match } from "./text-matches.ts";

/** Other tools are an agent's own. */
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

/** Score stands among LEVELS of `rule.ts`: above 100 beats any text, below 72 yields to an error line. */
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
  const add = (place: string, meaning: Meaning | undefined): void => {
    if (meaning === undefined) return;
    const [kind, score, confidence] = meaning;
    matches.push({ kind, score, confidence, place, text: "" });
  };
  const { providerError, httpStatus, errno, exitCode, signal } = evidence;
  for (const field of ["code", "type"] as const) {
    const name = providerError?.[field];
    add(`provider error ${field} ${String(name).slice(0, MAX_NAME)}`, ofCode(providerCodeOf(name)));
  }
  if (typeof httpStatus === "number")
    add(`status ${httpStatus}`, ofStatus(httpStatus, sourceOf(evidence)));
  if (typeof errno === "string" && errno.length <= MAX_NAME)
    add(`errno ${errno.toUpperCase()}`, ERRNOS[errno.toUpperCase()]);
  if (typeof exitCode === "number")
    add(`exit code ${exitCode}`, EXIT_CODES[exitCode < 0 ? exitCode + 2 ** 32 : exitCode]);
  if (typeof signal === "string" && signal.length <= MAX_NAME) {
    const name = signal.toUpperCase().replace(/^(?!SIG)/, "SIG");
    add(`signal ${name}`, SIGNALS[name]);
  }
  return matches;
}

/** A catch-all such as invalid_request_error yields to what the message says. */
function ofCode(code: ProviderCode | undefined): Meaning | undefined {
  if (code === undefined) return undefined;
  if (code.level === "typed") return [code.kind, 108, 0.97];
  return code.level === "exact" ? [code.kind, 90, 0.92] : [code.kind, 70, 0.75];
}

function ofStatus(status: number, source: TextSource): Meaning | undefined {
  const [kind, confidence = 0] = statusMeaning(status, source !== "shell") ?? [];
  return kind === undefined ? undefined : [kind, confidence >= 0.85 ? 84 : 68, confidence];
}
