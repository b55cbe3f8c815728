/** What each rule of `service-hints` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const SERVICE_HINTS: Examples = {
  "service-money": {
    example: "This model needs more credits than you have.",
    nearMiss: "Rate limit reached, upgrade your plan for more requests per minute",
  },
  "service-limit": {
    example: "model_cooldown: every account is cooling down",
    nearMiss: "the context limit is exceeded",
  },
  "service-auth": {
    example: "could not validate the credentials of this caller",
    nearMiss: "the session could not be refreshed",
  },
  "service-forbidden": {
    example: "Forbidden: this project has no access",
    nearMiss: "the forbidden city",
  },
  "service-context": {
    example: "auto-compaction gave up: context overflow",
    nearMiss: "the context of the request",
  },
  "service-network": { example: "network_error: gave up", nearMiss: "a stream of water" },
  "service-trouble": {
    example: "An error occurred while processing your request.",
    nearMiss: "the server brought the soup",
  },
  "service-busy": { example: "529 the service is busy", nearMiss: "a busy street" },
  "service-arguments": {
    example: "tool_use.id should match pattern '^[a-z]+$'",
    nearMiss: "the support team",
  },
};
