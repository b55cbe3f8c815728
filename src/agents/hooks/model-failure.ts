/** What a failure of the model service is, from what the agent says of it. */
import { classify } from "../../core/classify/classify.ts";
import type { RuleBook } from "../../core/classify/rule-book.ts";
import type { Failure } from "../../core/failure.ts";
import type { ModelFailure } from "./hook-event.ts";

export function modelFailure({ type, text }: ModelFailure, rules: RuleBook): Failure {
  return classify(
    {
      tool: "llm",
      origin: "provider",
      message: text,
      observedAt: Date.now(),
      utcOffsetMinutes: -new Date().getTimezoneOffset(),
      ...(type === "" ? {} : { providerError: { type, message: text } }),
    },
    rules,
  );
}
