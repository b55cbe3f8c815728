/** The vocabulary of the table of kinds (`kinds.ts`): category, first move and traits. */

/** What can cure a failure: time (transient), another attempt that differs (systematic), or a person (fatal). */

export type Category = "transient" | "systematic" | "fatal";

/** What `standard` tries first for a kind. */
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
  /** Only the runtime can observe it; `classify` never returns it. */
  | "runtime-only"
  /** Only a person can fix it, outside the run. */
  | "by-hand"
  /** It affects every subtask with the same agent. */
  | "whole-agent"
  /** It affects every subtask on this machine, whatever the agent. */
  | "whole-machine"
  /** The account with the service is at fault: there is no point in trying before a person has fixed it. */
  | "account"
  /** When an agent reports it, the model service is the cause. */
  | "service"
  /** It passes with time; the text may say when. */
  | "passes"
  /**
   * In a tool inside an attempt it is systematic and gets a repair; from the agent or provider, the row's category
   * applies.
   */
  | "tool-decides"
  /** Something outside the work cut the attempt off. */
  | "cut-off"
  /** The agent stopped early, but its work may be complete: checks are more reliable than an exit code. */
  | "worth-checking"
  /** The code itself is broken. A check may report this with low confidence. */
  | "code"
  /** The agent, its service or the machine failed, not the work: it is no evidence against the approach. */
  | "beside-the-work"
  /** Another approach would not help. */
  | "no-alternative"
  /** The work's dependencies may be the reason. */
  | "dependencies";
