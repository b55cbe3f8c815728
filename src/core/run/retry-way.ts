/**
 * How a person wants a subtask retried, besides their words: the recoveries they can choose themselves. A question
 * offers those that are possible when it is asked.
 */
export const RETRY_WAYS = ["fresh", "steps", "other-model", "stronger-model"] as const;
export type RetryWay = (typeof RETRY_WAYS)[number];

export const RETRY_WAY_WORDS: { readonly [way in RetryWay]: string } = {
  fresh: "start fresh, without what was tried",
  steps: "break the task into steps",
  "other-model": "switch to another model",
  "stronger-model": "switch to a stronger model",
};
