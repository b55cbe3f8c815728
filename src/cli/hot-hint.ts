/**
 * What the short way of `unstuck hook` loads when something failed or came again. A bundle of its own, with the
 * rules made ready at build time.
 */
export { nudge, refusal } from "../agents/hooks/loop-guard.ts";
export { modelFailure } from "../agents/hooks/model-failure.ts";
export { recoveryHint } from "../agents/hooks/recovery-hint.ts";
