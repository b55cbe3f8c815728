/**
 * The call that an attempt failed of: what its repair is filled in with. Invariant: only a call whose own output says
 * the same as the attempt's failure counts; what an agent got over on its way is not what it failed of.
 */
import { classify } from "../classify/classify.ts";
import type { RuleBook } from "../classify/rule-book.ts";
import { defined } from "../defined.ts";
import type { Evidence } from "../evidence.ts";
import { categoryOf, type Failure } from "../failure.ts";

export interface FailedCall extends Pick<Evidence, "tool" | "command" | "exitCode"> {
  readonly file?: string;
  readonly retryAfterMs?: number;
  readonly resetAt?: string;
}

/** The last call of an attempt that failed, as its agent's output tells it. */
export interface CallSeen {
  readonly tool: string;
  readonly command?: string;
  readonly file?: string;
  readonly output: string;
}

/** How an attempt ended. */
interface Ending {
  readonly evidence: Evidence;
  readonly call?: CallSeen;
}

/** What ran but is no tool of the agent: repeating it is up to the runner. */
export const NOT_A_TOOL: ReadonlySet<string> = new Set(["llm", "agent_cli", "tool_call", "http"]);

/** What the agent ended with is what its tool had said: the tool failed, not the agent or its service. */
export function ofItsTool(failure: Failure, ending: Ending, rules: RuleBook): Failure {
  const { kind } = failure;
  return callBehind(failure, ending, rules) === undefined
    ? failure
    : { ...failure, origin: "tool", category: categoryOf(kind, "tool") };
}

/** What is known of the call, or nothing. */
export function failedCall(
  failure: Failure,
  ending: Ending,
  rules: RuleBook,
): { readonly call?: FailedCall } {
  const { retryAfterMs, resetAt } = failure;
  const { tool, command, exitCode } = ending.evidence;
  const seen = callBehind(failure, ending, rules);
  const call = defined({
    ...(seen === undefined
      ? { tool: NOT_A_TOOL.has(tool ?? "") ? undefined : tool, command, exitCode }
      : { tool: seen.tool, command: seen.command, file: seen.file }),
    ...{ retryAfterMs, resetAt },
  });
  return Object.keys(call).length === 0 ? {} : { call };
}

/** A service's own typed error is the service's, whatever a tool said before. */
function callBehind({ kind }: Failure, { evidence, call }: Ending, rules: RuleBook) {
  const { providerError, httpStatus, origin } = evidence;
  const isTyped = providerError !== undefined || httpStatus !== undefined || origin === "provider";
  if (call === undefined || isTyped) return undefined;
  const { tool, command, output } = call;
  const said = { tool, message: output, origin: "tool" as const, ...defined({ command }) };
  return classify(said, rules).kind === kind ? call : undefined;
}
