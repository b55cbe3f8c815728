/**
 * The kinds of failure, one row each, with everything the code needs to know about a kind except its display text
 * (`kind-words.ts`). Invariant: this is the only list, and an incomplete row does not compile.
 */
import type { Category, FirstMove, Trait } from "./kind-traits.ts";

interface KindFacts {
  readonly category: Category;
  readonly first: FirstMove;
  readonly traits: readonly Trait[];
  /** What a person can do about it. */
  readonly action: string;
  /**
   * The question for a person. A kind without one needs a repair chain (`repair/chains.ts`), whose question has values
   * filled in.
   */
  readonly question?: string;
}

export const KINDS = {
  command_not_found: {
    category: "systematic",
    first: "repair",
    traits: [],
    action: "Install the missing program or name one to use instead",
  },
  tool_not_found: {
    category: "systematic",
    first: "repair",
    traits: [],
    action: "Allow the tool the agent asked for, or say which one replaces it",
  },
  permission_denied: {
    category: "systematic",
    first: "repair",
    traits: ["by-hand"],
    action: "Grant the access that was refused, or say where to write instead",
  },
  timeout: {
    category: "transient",
    first: "wait",
    traits: ["service", "passes", "tool-decides", "worth-checking", "dependencies"],
    action: "Say how long this may take, or make the work smaller",
  },
  file_not_found: {
    category: "systematic",
    first: "repair",
    traits: [],
    action: "Give the right path, or say that the file is to be created",
  },
  invalid_arguments: {
    category: "systematic",
    first: "repair",
    traits: [],
    action: "Say which arguments the call should have",
  },
  syntax_error: {
    category: "systematic",
    first: "repair",
    traits: ["code"],
    action: "Correct the command or give a form of it that works",
  },
  network_error: {
    category: "transient",
    first: "wait",
    traits: ["service", "passes", "tool-decides", "dependencies"],
    action: "Check the network, the proxy and the host that was not reached",
  },
  rate_limited: {
    category: "transient",
    first: "wait",
    traits: ["service", "passes", "dependencies", "beside-the-work"],
    action: "Wait for the limit to reset, or use another account or model",
  },
  disk_full: {
    category: "systematic",
    first: "repair",
    traits: ["by-hand", "beside-the-work", "whole-machine"],
    action: "Free space on the disk, or give the run another one",
  },
  server_overloaded: {
    category: "transient",
    first: "wait",
    traits: ["service", "passes", "dependencies", "beside-the-work"],
    action: "Wait until the service has capacity, or use another model",
    question: "The service is overloaded. Shall the work wait for it, or use another one?",
  },
  server_error: {
    category: "transient",
    first: "wait",
    traits: ["service", "passes", "dependencies", "beside-the-work"],
    action: "Check the status page of the service, then retry",
    question: "The service reports a fault of its own. Shall the work wait, or use another one?",
  },
  auth_required: {
    category: "fatal",
    first: "ask",
    traits: ["by-hand", "whole-agent", "account", "service", "no-alternative", "beside-the-work"],
    action: "Log in or set the key of the service",
    question: "Can you log in or give the agent a key for the service it needs?",
  },
  auth_expired: {
    category: "fatal",
    first: "ask",
    traits: ["by-hand", "whole-agent", "account", "service", "no-alternative", "beside-the-work"],
    action: "Log in again",
    question: "The login has run out. Can you log in again?",
  },
  context_exhausted: {
    category: "systematic",
    first: "continue",
    traits: ["service", "beside-the-work"],
    action: "Split the subtask into smaller ones",
    question: "The task does not fit into one session. How should it be split?",
  },
  malformed_output: {
    category: "systematic",
    first: "re-ask",
    traits: ["service"],
    action: "Show an example of the answer in the right form",
    question: "The answer has the wrong form. Can you show an example of the right one?",
  },
  agent_crash: {
    category: "systematic",
    first: "retry",
    traits: ["worth-checking", "beside-the-work"],
    action: "Update the agent or use another one",
    question: "The agent's program crashed. Is there another version or another agent to use?",
  },
  out_of_memory: {
    category: "systematic",
    first: "retry",
    traits: ["beside-the-work"],
    action: "Give the run more memory, or make the work smaller",
    question: "Memory ran out. Can the machine have more, or can the task be made smaller?",
  },
  broken_build: {
    category: "systematic",
    first: "fresh",
    traits: ["code", "dependencies"],
    action: "Look at the build errors and undo the change that broke it",
    question: "The code does not build. Which change may be undone, or what should it be like?",
  },
  verification_failed: {
    category: "systematic",
    first: "feedback",
    traits: ["dependencies"],
    action: "Decide whether the check or the code is right",
    question: "The check does not pass. Is the check right, and what should the result be?",
  },
  merge_conflict: {
    category: "systematic",
    first: "feedback",
    traits: [],
    action: "Decide which of the two changes stands",
    question: "Two changes contradict each other. Which of them should stand?",
  },
  dependency_error: {
    category: "systematic",
    first: "feedback",
    traits: ["code", "dependencies"],
    action: "Choose versions that fit together",
    question: "The dependencies do not fit together. Which version may be changed?",
  },
  content_refused: {
    category: "systematic",
    first: "mutate",
    traits: ["service"],
    action: "Put the task differently, or use another model",
    question: "The model refused the task. How can the task be put differently?",
  },
  billing: {
    category: "fatal",
    first: "ask",
    traits: [
      "by-hand",
      "whole-agent",
      "account",
      "service",
      "passes",
      "no-alternative",
      "beside-the-work",
    ],
    action: "Top up the account or change its plan",
    question:
      "The account has no credit or plan for this. Can you top it up or name another account?",
  },
  unknown: {
    category: "systematic",
    first: "retry",
    traits: ["worth-checking", "dependencies"],
    action: "Find out what the error means and add it to the task",
    question: "What does this failure mean, and what should be tried?",
  },
  agent_missing: {
    category: "fatal",
    first: "ask",
    traits: ["runtime-only", "by-hand", "whole-agent", "no-alternative", "beside-the-work"],
    action: "Install the agent's program or configure another agent",
    question:
      "The agent's program is not on this machine. Can you install it or name another agent?",
  },
  unsafe_action: {
    category: "fatal",
    first: "ask",
    traits: ["worth-checking"],
    action: "Decide whether the action may be done, and do it by hand if so",
    question:
      "The agent wanted to do something that is not allowed. May it, or how should it go on?",
  },
  hung: {
    category: "transient",
    first: "continue",
    traits: ["runtime-only", "cut-off", "worth-checking", "beside-the-work"],
    action: "Find out what the agent was waiting for",
    question:
      "The agent stopped responding. Shall it be started again, or does it wait for something?",
  },
  interrupted: {
    category: "transient",
    first: "continue",
    traits: ["runtime-only", "cut-off", "no-alternative", "beside-the-work"],
    action: "Resume the run",
    question: "The work was interrupted. Shall it go on?",
  },
  lost: {
    category: "transient",
    first: "continue",
    traits: ["runtime-only", "cut-off", "no-alternative", "beside-the-work"],
    action: "Resume the run and look at the last snapshot",
    question: "The attempt was lost. Shall it be started again?",
  },
  looping: {
    category: "systematic",
    first: "mutate",
    traits: ["runtime-only"],
    action: "Say what the agent fails to see",
    question: "The agent repeats itself. What does it fail to see?",
  },
  no_progress: {
    category: "systematic",
    first: "mutate",
    traits: ["runtime-only"],
    action: "Make the task smaller or say what is missing",
    question: "The agent makes no progress. What is missing, or can the task be made smaller?",
  },
  circular_fix: {
    category: "systematic",
    first: "different",
    traits: ["runtime-only"],
    action: "Name an approach that has not been tried",
    question: "The same fixes come round again. Which other approach should be taken?",
  },
} as const satisfies Record<string, KindFacts>;

export type FailureKind = keyof typeof KINDS;

export const FAILURE_KINDS = Object.keys(KINDS) as readonly FailureKind[];

export const hasTrait = (kind: FailureKind, trait: Trait): boolean =>
  (KINDS[kind].traits as readonly Trait[]).includes(trait);

/** For recorded reasons: `verification failed`. Screens use the better wording in `kind-words.ts`. */
export const kindName = (kind: FailureKind): string => kind.replaceAll("_", " ");
