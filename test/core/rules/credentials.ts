/** What each rule of `credentials` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const CREDENTIALS: Examples = {
  expired: {
    example: "Error: your session has expired, please log in again",
    nearMiss: "the certificate has expired",
  },
  "api-key-wrong": {
    example: "Error: Incorrect API key provided: ca***rt",
    nearMiss: "SyntaxError: Invalid or unexpected token",
  },
  "log-in-first": {
    example: "Not logged in. Please run cartctl login",
    nearMiss: "she logged into the ledger",
  },
  "authentication-failed": {
    example: 'psql: error: FATAL:  password authentication failed for user "cart"',
    nearMiss: "the authentication of paintings",
  },
  "index-needs-credentials": {
    example: "hint: the cart index could not be queried due to a lack of valid authentication",
    nearMiss: "hint: the cart index could not be queried",
  },
  "database-login": {
    example: "psql: error: connection to server failed: fe_sendauth: no password supplied",
    nearMiss: "the password field is required in the form",
  },
  "service-login": {
    example: '{"ok":false,"error":"invalid_auth"}',
    nearMiss: '{"ok":true,"note":"error invalid_auth was fixed"}',
  },
  "service-auth-refresh": {
    example: "Your access token could not be refreshed because you signed out.",
    nearMiss: "the page could not be refreshed",
  },
};
