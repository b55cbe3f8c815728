/**
 * What the short way of `unstuck hook` loads when something failed or came again. A bundle of its own, with the
 * rules made ready at build time.
 */
import type { CloserLook } from "../agents/hooks/closer-look.ts";
import { modelFailure as failureBy } from "../agents/hooks/model-failure.ts";
import { recoveryHint as hintBy } from "../agents/hooks/recovery-hint.ts";
import { packedRules } from "./packed-rules.ts";

export { nudge, refusal } from "../agents/hooks/loop-guard.ts";

export const modelFailure: CloserLook["modelFailure"] = (event) => failureBy(event, packedRules());

export const recoveryHint: CloserLook["recoveryHint"] = (agent, event) =>
  hintBy(agent, event, packedRules());
