/** What each rule of `network` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const NETWORK: Examples = {
  "network-errno": {
    example: "connect ECONNREFUSED 127.0.0.1:5432",
    nearMiss: "the word econ is short for economics",
  },
  dns: {
    example: "curl: (6) Could not resolve host: carts.example.org",
    nearMiss: "could not resolve the quarrel of the host",
  },
  "network-words": {
    example: "error: network connectivity is disabled, so no cart was fetched",
    nearMiss: "a network of carts",
  },
  "pip-retries": {
    example: "WARNING: Retrying (Retry(total=4)) after a 'NewConnectionError(...)': /simple/cart/",
    nearMiss: "Retrying (Retry(total=4)) the cart",
  },
  "network-locales": {
    example: "psql: Verbindungsaufbau abgelehnt",
    nearMiss: "die Verbindung steht",
  },
};
