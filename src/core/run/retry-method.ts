/**
 * How a person wants a subtask retried, besides their words: the recoveries they can choose themselves. A question
 * offers those that are possible when it is asked.
 */
export const RETRY_METHODS = ["fresh", "steps", "other-model", "stronger-model"] as const;
export type RetryMethod = (typeof RETRY_METHODS)[number];

export const RETRY_METHOD_WORDS: { readonly [way in RetryMethod]: string } = {
  fresh: "start fresh, without what was tried",
  steps: "break the task into steps",
  "other-model": "switch to another model",
  "stronger-model": "switch to a stronger model",
};
