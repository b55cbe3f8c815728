/** What can be said of a kind of failure: its category, what is tried first, what is special about it. */

/**
 * The kinds of failure, one row each: everything the rest of the code wants to know of a kind stands here. Invariant:
 * this is the only list and the only table; a kind that is not fully described does not compile.
 */

export type Category = "transient" | "systematic" | "fatal";

/** What `standard` tries first for a kind (requirements, "Kinds"). */
export type FirstMove =
  | "wait"
  | "repair"
  | "re-ask"
  | "retry"
  | "continue"
  | "fresh"
  | "feedback"
  | "mutate"
  | "different"
  | "ask";

export type Trait =
  /** Only the runtime can see it; it is never the result of `classify`. */
  | "runtime-only"
  /** Only a person, outside the run, can cure it. */
  | "by-hand"
  /** It meets every subtask with the same agent alike. */
  | "whole-agent"
  /** It meets every subtask on this machine alike, whatever its agent. */
  | "whole-machine"
  /** The account with the service is at fault: nobody needs to try before a person has mended it. */
  | "account"
  /** Only a model service can be the reason when an agent reports it. */
  | "service"
  /** It passes with time: the text may say when. */
  | "passes"
  /** Of a tool inside an attempt it is systematic and gets a repair; of agent or provider it is what the row says. */
  | "tool-decides"
  /** Something outside the work cut the attempt off. */
  | "cut-off"
  /** The agent broke off, but the tree it left may be finished: checks know better than an exit code. */
  | "worth-checking"
  /** The code itself is broken; a check may say so with little confidence. */
  | "code"
  /** The agent, its service or the machine failed, not the work: it says nothing against the approach that was taken. */
  | "beside-the-work"
  /** Another approach would not help. */
  | "no-alternative"
  /** Things the work depends on may be the reason. */
  | "dependencies";
