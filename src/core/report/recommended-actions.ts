/** What a person can do about each kind of failure, for the escalation report (B6). */
import type { FailureKind } from "../failure.ts";

const REVIEW_LOGS = "Review error logs";
const CHECK_DEPENDENCIES = "Check external dependencies";
const OTHER_APPROACH = "Consider alternative approach";

const SPECIFIC: { readonly [kind in FailureKind]: string } = {
  command_not_found: "Install the missing program or name one to use instead",
  tool_not_found: "Allow the tool the agent asked for, or say which one replaces it",
  permission_denied: "Grant the access that was refused, or say where to write instead",
  timeout: "Say how long this may take, or make the work smaller",
  file_not_found: "Give the right path, or say that the file is to be created",
  invalid_arguments: "Say which arguments the call should have",
  syntax_error: "Correct the command or give a form of it that works",
  network_error: "Check the network, the proxy and the host that was not reached",
  rate_limited: "Wait for the limit to reset, or use another account or model",
  disk_full: "Free space on the disk, or give the run another one",
  server_overloaded: "Wait until the service has capacity, or use another model",
  server_error: "Check the status page of the service, then retry",
  auth_required: "Log in or set the key of the service",
  auth_expired: "Log in again",
  context_exhausted: "Split the subtask into smaller ones",
  malformed_output: "Show an example of the answer in the right form",
  agent_crash: "Update the agent or use another one",
  out_of_memory: "Give the run more memory, or make the work smaller",
  broken_build: "Look at the build errors and undo the change that broke it",
  verification_failed: "Decide whether the check or the code is right",
  merge_conflict: "Decide which of the two changes stands",
  dependency_error: "Choose versions that fit together",
  content_refused: "Put the task differently, or use another model",
  billing: "Top up the account or change its plan",
  unknown: "Find out what the error means and add it to the task",
  agent_missing: "Install the agent's program or configure another agent",
  unsafe_action: "Decide whether the action may be done, and do it by hand if so",
  hung: "Find out what the agent was waiting for",
  interrupted: "Resume the run",
  lost: "Resume the run and look at the last snapshot",
  looping: "Say what the agent fails to see",
  no_progress: "Make the task smaller or say what is missing",
  circular_fix: "Name an approach that has not been tried",
};

const WITHOUT_ALTERNATIVE: ReadonlySet<FailureKind> = new Set([
  "auth_required",
  "auth_expired",
  "billing",
  "agent_missing",
  "interrupted",
  "lost",
]);
const FROM_OUTSIDE: ReadonlySet<FailureKind> = new Set([
  "network_error",
  "rate_limited",
  "server_overloaded",
  "server_error",
  "dependency_error",
  "timeout",
  "unknown",
  "verification_failed",
  "broken_build",
]);

/** The most specific first. */
export function recommendedActions(kind: FailureKind): readonly string[] {
  return [
    SPECIFIC[kind],
    REVIEW_LOGS,
    ...(FROM_OUTSIDE.has(kind) ? [CHECK_DEPENDENCIES] : []),
    ...(WITHOUT_ALTERNATIVE.has(kind) ? [] : [OTHER_APPROACH]),
  ];
}
