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
  "connection-failed": {
    example: 'psql: error: connection to server at "db", port 5432 failed: Connection refused',
    nearMiss: "the connection between carts and horses",
  },
  tls: {
    example: "SSL certificate problem: unable to get local issuer certificate",
    nearMiss: "a certificate of merit",
  },
  "connection-timed-out": {
    example: "ssh: connect to host carts port 22: Connection timed out",
    nearMiss: "the connection was timed",
  },
  "database-host": {
    example: "ERROR 2005 (HY000): Unknown server host 'db.carts.invalid' (-2)",
    nearMiss: "the host plays the server in act two",
  },
  "closed-in-the-middle": {
    example: "2026-02-01 10:00:00 (1.2 MB/s) - Connection closed at byte 2048. Retrying.",
    nearMiss: "wrote one byte to the server log",
  },
};
