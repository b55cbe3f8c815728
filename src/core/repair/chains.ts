/**
 * The ten recovery chains by kind (C1), and what is asked where a kind has none. Invariant: exactly the ten error
 * types of the source have a chain; every other kind is only asked about.
 */
import type { FailureKind } from "../failure.ts";
import { commandOf } from "./chain.ts";
import type { Chain } from "./chain.ts";
import { commandNotFound } from "./chains/command-not-found.ts";
import { diskFull } from "./chains/disk-full.ts";
import { fileNotFound } from "./chains/file-not-found.ts";
import { invalidArguments } from "./chains/invalid-arguments.ts";
import { networkError } from "./chains/network-error.ts";
import { permissionDenied } from "./chains/permission-denied.ts";
import { rateLimited } from "./chains/rate-limited.ts";
import { syntaxError } from "./chains/syntax-error.ts";
import { timeout } from "./chains/timeout.ts";
import { toolNotFound } from "./chains/tool-not-found.ts";

const CHAINS = {
  command_not_found: commandNotFound,
  tool_not_found: toolNotFound,
  permission_denied: permissionDenied,
  timeout,
  file_not_found: fileNotFound,
  invalid_arguments: invalidArguments,
  syntax_error: syntaxError,
  network_error: networkError,
  rate_limited: rateLimited,
  disk_full: diskFull,
} as const satisfies { readonly [kind in FailureKind]?: Chain };

type ChainKind = keyof typeof CHAINS;

const QUESTION: { readonly [kind in Exclude<FailureKind, ChainKind>]: string } = {
  server_overloaded: "The service is overloaded. Shall the work wait for it, or use another one?",
  server_error: "The service reports a fault of its own. Shall the work wait, or use another one?",
  auth_required: "Can you log in or give the agent a key for the service it needs?",
  auth_expired: "The login has run out. Can you log in again?",
  billing: "The account has no credit or plan for this. Can you top it up or name another account?",
  agent_missing:
    "The agent's program is not on this machine. Can you install it or name another agent?",
  unsafe_action:
    "The agent wanted to do something that is not allowed. May it, or how should it go on?",
  context_exhausted: "The task does not fit into one session. How should it be split?",
  malformed_output: "The answer has the wrong form. Can you show an example of the right one?",
  agent_crash: "The agent's program crashed. Is there another version or another agent to use?",
  out_of_memory: "Memory ran out. Can the machine have more, or can the task be made smaller?",
  broken_build: "The code does not build. Which change may be undone, or what should it be like?",
  verification_failed:
    "The check does not pass. Is the check right, and what should the result be?",
  merge_conflict: "Two changes contradict each other. Which of them should stand?",
  dependency_error: "The dependencies do not fit together. Which version may be changed?",
  content_refused: "The model refused the task. How can the task be put differently?",
  unknown: "What does this failure mean, and what should be tried?",
  hung: "The agent stopped responding. Shall it be started again, or does it wait for something?",
  interrupted: "The work was interrupted. Shall it go on?",
  lost: "The attempt was lost. Shall it be started again?",
  looping: "The agent repeats itself. What does it fail to see?",
  no_progress: "The agent makes no progress. What is missing, or can the task be made smaller?",
  circular_fix: "The same fixes come round again. Which other approach should be taken?",
};

/** The chain of a kind; a chain of nothing but the question where the source has none. */
export function chainOf(kind: FailureKind): Chain {
  if (hasChain(kind)) return CHAINS[kind];
  return {
    rows: [],
    questions: (values) => [`${QUESTION[kind]} It happened in ${commandOf(values)}.`],
  };
}

/** The names of a chain's strategies, in order. */
export const repairsOf = (kind: FailureKind): readonly string[] =>
  chainOf(kind).rows.map(({ name }) => name);

/** What only a person can tell of a failure that has no known repair. */
export const questionOf = (kind: FailureKind): string | undefined =>
  (QUESTION as { readonly [kind in FailureKind]?: string })[kind];

const hasChain = (kind: FailureKind): kind is ChainKind => Object.hasOwn(CHAINS, kind);
