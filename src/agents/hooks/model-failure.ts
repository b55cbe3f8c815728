/** What a failure of the model service is, from what the agent says of it. */
import { classify } from "../../core/classify/classify.ts";
import type { Failure } from "../../core/failure.ts";
import type { ModelFailure } from "./hook-event.ts";

export const modelFailure = ({ type, text }: ModelFailure): Failure =>
  classify({
    tool: "llm",
    origin: "provider",
    message: text,
    observedAt: Date.now(),
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    ...(type === "" ? {} : { providerError: { type, message: text } }),
  });
