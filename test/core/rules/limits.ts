/** What each rule of `limits` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const LIMITS: Examples = {
  "credit-too-low": {
    example: "The credit balance is too low for one more cart",
    nearMiss: "the left side of the cart hangs too low",
  },
  "rate-limit": {
    example: "Error: Rate limit exceeded, please slow down",
    nearMiss: "the rate limit is configured in carts.yaml",
  },
  "usage-limit": {
    example: "You've hit your session limit · resets 4pm (Europe/Rome)",
    nearMiss: "the context limit was reached",
  },
  overloaded: {
    example: "The cart model is overloaded, come back soon",
    nearMiss: "call to overloaded function 'total' is ambiguous",
  },
  "server-error-words": {
    example: "500 Internal Server Error",
    nearMiss: "an internal memo of the server",
  },
  "database-full-house": {
    example:
      "FATAL: remaining connection slots are reserved for roles with the SUPERUSER attribute",
    nearMiss: "opened 4 connections to the pool",
  },
};
