/**
 * The kinds of failure in plain words: a short name for lists and headings, and what happened as a predicate ("Attempt
 * 2 ...", "Subtask login ..."). Invariant: every kind has both, so no screen has to show the kind's id.
 */
import type { FailureKind } from "./kinds.ts";

interface KindWords {
  readonly name: string;
  readonly happened: string;
}

const words = (name: string, happened: string): KindWords => ({ name, happened });

export const KIND_WORDS: { readonly [kind in FailureKind]: KindWords } = {
  command_not_found: words("program missing", "needed a program that is not installed"),
  tool_not_found: words("tool missing", "called a tool that its agent does not have"),
  permission_denied: words("access denied", "was denied access to something it needed"),
  timeout: words("timed out", "ran out of time"),
  file_not_found: words("file missing", "could not find a file it needed"),
  invalid_arguments: words("wrong arguments", "called a tool with arguments it does not take"),
  syntax_error: words("syntax error", "ran a command with a syntax error"),
  network_error: words("network down", "could not reach the network"),
  rate_limited: words("rate limited", "hit a rate limit"),
  disk_full: words("disk full", "ran out of disk space"),
  server_overloaded: words("service overloaded", "was turned away: the service is overloaded"),
  server_error: words("service error", "got an error from the service"),
  auth_required: words("not logged in", "could not start: the agent is not logged in"),
  auth_expired: words("login expired", "stopped: the agent's login has expired"),
  context_exhausted: words("context full", "filled the agent's context"),
  malformed_output: words("wrong format", "gave its answer in the wrong format"),
  agent_crash: words("agent crashed", "ended when its agent crashed"),
  out_of_memory: words("out of memory", "ran out of memory"),
  broken_build: words("build broken", "left code that does not build"),
  verification_failed: words("checks failed", "failed its checks"),
  merge_conflict: words("merge conflict", "changed the same lines as another subtask"),
  dependency_error: words("dependency conflict", "has dependencies that do not fit together"),
  content_refused: words("refused by the model", "was refused by the model"),
  billing: words("no credit", "stopped: the account has no credit or plan for this"),
  unknown: words("unknown error", "failed with an error that Unstuck does not know"),
  agent_missing: words("agent missing", "could not start: the agent's program is missing"),
  unsafe_action: words("unsafe action", "was about to do something that may cause harm"),
  hung: words("no response", "stopped responding"),
  interrupted: words("interrupted", "was interrupted"),
  lost: words("process died", "was lost when its process died"),
  looping: words("repeating itself", "kept repeating the same steps"),
  no_progress: words("no progress", "made no progress"),
  circular_fix: words("going in circles", "went back to a fix that had already failed"),
};
