/**
 * The call that made an attempt fail; its values fill in the repair. Invariant: a call counts only if its own output
 * classifies as the same kind as the attempt's failure; earlier failures that the agent overcame do not.
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

/** The last failed call of an attempt, as shown in its agent's output. */
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

/** What ran but is not a tool of the agent: only the runner can repeat it. */
export const NOT_A_TOOL: ReadonlySet<string> = new Set(["llm", "agent_cli", "tool_call", "http"]);

/** Attributes the failure to the tool if the agent ended with what its tool reported. */
export function attributedToTool(failure: Failure, ending: Ending, rules: RuleBook): Failure {
  const { kind } = failure;
  return callBehind(failure, ending, rules) === undefined
    ? failure
    : { ...failure, origin: "tool", category: categoryOf(kind, "tool") };
}

/** What is known about the call; empty if nothing. */
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

/** A typed error from a service belongs to the service, whatever a tool printed before. */
function callBehind({ kind }: Failure, { evidence, call }: Ending, rules: RuleBook) {
  const { providerError, httpStatus, origin } = evidence;
  const isTyped = providerError !== undefined || httpStatus !== undefined || origin === "provider";
  if (call === undefined || isTyped) return undefined;
  const { tool, command, output } = call;
  const said = { tool, message: output, origin: "tool" as const, ...defined({ command }) };
  return classify(said, rules).kind === kind ? call : undefined;
}
