/** What each rule of `timeouts` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const TIMEOUTS: Examples = {
  "timed-out": {
    example: "Error: Command timed out after 120000ms",
    nearMiss: "the timeout option must be a number",
  },
  "wget-read-timeout": {
    example: "Read error (Connection timed out) in headers.",
    nearMiss: "Read the error page",
  },
  "tool-timeout": {
    example: "Command timed out after 2m 0s",
    nearMiss: "the command took some time",
  },
  "timeout-locales": {
    example: "Fehler: Zeitüberschreitung bei der Anforderung",
    nearMiss: "die Wartezeit war kurz",
  },
  "slow-transfer": {
    example: "fatal: unable to access: Operation too slow. Less than 1000 bytes/sec transferred",
    nearMiss: "the cart page is slow on Mondays",
  },
};
