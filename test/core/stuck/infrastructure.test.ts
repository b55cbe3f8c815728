// Which words make a result the provider's or the network's business, one by one, and the places in
// a text where such words count. Near misses beside each.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { infrastructureOf } from "../../../src/core/stuck/results/infrastructure-text.ts";

/** Said so plainly that a result which claims success is no result either. */
const PLAIN = [
  "HTTP/1.1 503 Service Unavailable",
  '{"error":{"type":"overloaded_error","message":"busy"}}',
  "Working...\nError: 502 Bad Gateway",
  "429: you have hit the rate limit",
  "insufficient_quota",
  "read ECONNRESET",
  "getaddrinfo EAI_AGAIN host",
  "socket hang up",
  "curl: (6) Could not resolve host: example.com",
  "429 and the rate limit",
  "429 ratelimit",
  "529 this backend is unavailable",
  "502 Bad Gateway",
  "504 gateway",
  "500 an Internal Server Error",
  "529 the model is overloaded",
  "503 while asking upstream",
  "599 some server error",
  "status 401",
  "status: 429",
  "code: 529",
  "error - 504",
  "statuscode=500",
  "HTTP/2.0 503",
  "http 502",
  "rate_limit_error",
  "rate_limit_exceeded",
  "authentication_error",
  "server_overloaded",
  "api_error",
  "RESOURCE_EXHAUSTED",
  "connect ETIMEDOUT",
  "getaddrinfo ENOTFOUND",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "rate limit reached",
  "rate limit hit",
  "too many requests",
  "service is unavailable",
  "service temporarily unavailable",
  "could not resolve host",
  "network is unreachable",
  "temporary failure in name resolution",
  "invalid api key",
  "invalid x-api-key",
  "incorrect api key",
];

/** Said in a way that only a failure proves. */
const HINTED = [
  "overloaded",
  "401 no",
  "fetch failed",
  "TLS handshake timeout",
  "not logged in",
  "usage limit reached",
  "session expired",
  "stream disconnected",
  "context deadline exceeded",
  "upstream request timeout",
  "connection reset by peer",
  "rate-limit",
  "ratelimit",
  "[429] slow down",
  "500 no",
  "502 no",
  "503 no",
  "504: no",
  "529",
  "unauthorised",
  "connection refused",
  "connection was reset",
  "connection timed out",
  "connection error",
  "network error",
  "authentication failed",
  "authentication required",
  "quota exceeded",
  "credentials have expired",
  "credential expired",
  "token expired",
  "request timed out",
  "unexpected EOF",
  "stream closed",
  "stream ended",
  "reconnecting",
  "temporarily unavailable",
  "model error",
  "llm: error",
  "api - server error",
  "gateway timeout",
  "provider: request timeout",
  "upstream timed out",
  "api request timed out",
  "model: unavailable",
];

/** Close to one of them, and nobody's business but the agent's. */
const OTHER = [
  "expected 200 got 401",
  "expected 5 got 500",
  "port 5030",
  "a model of errors",
  "model is undefined",
  "timeout",
  "permission denied",
  "a 429 in the fixture",
  "expected status 505",
  "40 tests failed",
  "limit 5 of 500 rows",
  "there were 501 errors",
  "the service has a rate",
  "invalid key",
  "the model was changed",
  "api.ts has an error",
  "connection pool drained",
  "the token is long",
  "stream of bytes",
  "authentication module",
  "unauthorithed",
  "unavailable",
];

describe("words of the provider or the network", () => {
  for (const text of PLAIN)
    test(`plain: ${text}`, () => {
      assert.equal(infrastructureOf(text, false) !== undefined, true);
      assert.equal(infrastructureOf(text, true) !== undefined, true);
    });
  for (const text of HINTED)
    test(`in a failure only: ${text}`, () => {
      assert.equal(infrastructureOf(text, false) !== undefined, false);
      assert.equal(infrastructureOf(text, true) !== undefined, true);
    });
  for (const text of OTHER)
    test(`neither: ${text}`, () => assert.equal(infrastructureOf(text, true) !== undefined, false));
});

describe("where the words stand", () => {
  const words = "503 Service Unavailable";
  const before = (count: number): string => "x".repeat(count - 1) + " ";
  test("up to sixty units into a line, where the result is no failure", () => {
    assert.equal(infrastructureOf(before(60) + words, false) !== undefined, true);
    assert.equal(infrastructureOf(before(61) + words, false) !== undefined, false);
    assert.equal(infrastructureOf(`ok\n${before(60)}${words}`, false) !== undefined, true);
    assert.equal(infrastructureOf(`ok\n${before(61)}${words}`, false) !== undefined, false);
    assert.equal(infrastructureOf(before(61) + words, true) !== undefined, true);
  });
  test("in a result of at most six hundred units, where it is no failure", () => {
    assert.equal(infrastructureOf(words.padEnd(600, "."), false) !== undefined, true);
    assert.equal(infrastructureOf(words.padEnd(601, "."), false) !== undefined, false);
    assert.equal(infrastructureOf(words.padEnd(601, "."), true) !== undefined, true);
  });
  test("anywhere in a failure of eight hundred units, at both ends of a longer one", () => {
    const middle = `${before(395)}${words}`;
    assert.equal(infrastructureOf(middle.padEnd(800, "."), true) !== undefined, true);
    assert.equal(infrastructureOf(middle.padEnd(900, "."), true) !== undefined, false);
    assert.equal(infrastructureOf(`${".".repeat(877)}${words}`, true) !== undefined, true);
    assert.equal(infrastructureOf(`${words}${".".repeat(877)}`, true) !== undefined, true);
  });
  test("the end of a long text goes on with nothing of its beginning", () => {
    const split = `${before(396)}503 ${".".repeat(500)}unavailable ${".".repeat(388)}`;
    assert.equal(infrastructureOf(split, true) !== undefined, false);
  });
});

describe("a connection to this machine", () => {
  for (const text of [
    "ECONNREFUSED ::1 3000",
    "ECONNRESET [::1]:3000",
    "connection was refused by localhost",
    "connection closed by 127.0.0.1 port 22",
    "connection reset, 0.0.0.0:80",
  ])
    test(`the agent's own: ${text}`, () =>
      assert.equal(infrastructureOf(text, true) !== undefined, false));
  for (const text of [
    "ECONNREFUSED 198.51.100.7",
    "connection was refused by mirror.test",
    "502 Bad Gateway from localhost",
    "ETIMEDOUT 127.0.0.1",
  ])
    test(`the network's: ${text}`, () =>
      assert.equal(infrastructureOf(text, true) !== undefined, true));
});
