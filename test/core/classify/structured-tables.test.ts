// proves: B1, D1
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  KNOWN_STATUSES,
  statusMeaning,
  structuredMatches,
} from "../../../src/core/classify/structured-evidence.ts";
import { providerCodeOf } from "../../../src/core/classify/provider-codes.ts";
import type { Evidence } from "../../../src/core/evidence.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";

type Table = Partial<Record<FailureKind, readonly (string | number)[]>>;

const ERRNOS: Table = {
  file_not_found: ["ENOENT", "ENOTDIR"],
  invalid_arguments: ["EISDIR", "EINVAL", "ENAMETOOLONG", "E2BIG"],
  permission_denied: ["EACCES", "EPERM", "EROFS"],
  disk_full: ["ENOSPC", "EDQUOT", "EFBIG"],
  out_of_memory: ["ENOMEM"],
  timeout: ["ETIMEDOUT", "ESOCKETTIMEDOUT"],
  network_error: [
    ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ENOTFOUND", "EAI_AGAIN"],
    ...["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "EPROTO"],
  ],
  unknown: ["EADDRINUSE"],
};
const EXIT_CODES: Table = {
  timeout: [124, 143],
  permission_denied: [126],
  command_not_found: [127, 9009],
  agent_crash: [
    ...[132, 133, 134, 135, 136, 139, 3221225477, 3221225501, 3221225725, 3221226505],
    ...[-1073741819, -1073740791],
  ],
  out_of_memory: [137, 3221225495],
  dependency_error: [3221225781],
};
const SIGNALS: Table = {
  agent_crash: [
    ...["SIGSEGV", "SIGBUS", "SIGILL", "SIGABRT", "SIGTRAP", "SIGFPE", "segv", "SIGKILL", "kill"],
  ],
  timeout: ["SIGTERM", "SIGALRM", "SIGXCPU"],
  disk_full: ["SIGXFSZ"],
};
const STATUSES: Table = {
  invalid_arguments: [400, 405, 406, 415, 422, 418, 499],
  auth_required: [401, 407],
  billing: [402],
  permission_denied: [403, 451],
  file_not_found: [404, 410],
  timeout: [408, 504, 524],
  context_exhausted: [413],
  server_error: [424, 500, 501, 502, 520, 521, 522, 523, 505, 599],
  rate_limited: [429],
  server_overloaded: [498, 503, 529],
};

for (const [field, table] of [
  ["errno", ERRNOS],
  ["exitCode", EXIT_CODES],
  ["signal", SIGNALS],
  ["httpStatus", STATUSES],
] as const)
  test(`every ${field} that means something`, () => {
    for (const [kind, values] of Object.entries(table))
      for (const value of values) {
        const matches = structuredMatches({ [field]: value });
        assert.deepEqual(
          matches.map((match) => [match.kind, match.text]),
          [[kind, ""]],
          String(value),
        );
        for (const { confidence, score } of matches) {
          assert.ok(confidence >= 0.5 && confidence <= 0.98, String(value));
          assert.ok(score >= 42 && score <= 104, String(value));
        }
      }
  });

test("what means nothing by itself", () => {
  for (const evidence of [
    {},
    { exitCode: 0 },
    { exitCode: 1 },
    { exitCode: -1 },
    { exitCode: 130 },
    { signal: "SIGINT" },
    { signal: "" },
    { errno: "" },
    { errno: "ECART" },
    { httpStatus: 0 },
    { httpStatus: 200 },
    { httpStatus: 399 },
    { httpStatus: 600 },
    { providerError: {} },
    { providerError: { type: "cart_error", code: "17" } },
  ])
    assert.deepEqual(structuredMatches(evidence), [], JSON.stringify(evidence));
});

test("a field of a wrong type is no field", () => {
  for (const evidence of [
    { exitCode: "127" },
    { httpStatus: "429" },
    { errno: 28 },
    { signal: 9 },
    { providerError: null },
    { providerError: "overloaded_error" },
    { providerError: { type: 7, code: ["overloaded_error"] } },
  ])
    assert.deepEqual(structuredMatches(evidence as unknown as Evidence), []);
});

test("each field speaks for itself, in this order, and says where it stands", () => {
  const evidence = {
    tool: "llm",
    providerError: { type: "invalid_request_error", code: "context_length_exceeded" },
    httpStatus: 429,
    errno: "econnreset",
    exitCode: -1073741819,
    signal: "term",
  };
  const text = "";
  assert.deepEqual(structuredMatches(evidence), [
    {
      kind: "context_exhausted",
      score: 108,
      confidence: 0.97,
      place: "provider error code context_length_exceeded",
      text,
    },
    {
      kind: "invalid_arguments",
      score: 70,
      confidence: 0.75,
      place: "provider error type invalid_request_error",
      text,
    },
    { kind: "rate_limited", score: 84, confidence: 0.95, place: "status 429", text },
    { kind: "network_error", score: 84, confidence: 0.96, place: "errno ECONNRESET", text },
    { kind: "agent_crash", score: 80, confidence: 0.92, place: "exit code -1073741819", text },
    { kind: "timeout", score: 50, confidence: 0.6, place: "signal SIGTERM", text },
  ]);
});

test("a usual name is believed less than a typed one and more than a catch-all", () => {
  const of = (type: string): unknown =>
    structuredMatches({ providerError: { type } }).map(({ kind, score }) => [kind, score]);
  assert.deepEqual(of("overloaded_error"), [["server_overloaded", 108]]);
  assert.deepEqual(of("api_error"), [["server_error", 90]]);
  assert.deepEqual(of("service_unavailable"), [["server_overloaded", 90]]);
  assert.deepEqual(of("unavailable"), [["server_overloaded", 70]]);
});

test("names: case and namespaces do not matter, length does", () => {
  const limited = { kind: "rate_limited", level: "typed" };
  for (const name of [
    "rate_limit_error",
    "RATE_LIMIT_ERROR",
    "google.rpc.RESOURCE_EXHAUSTED",
    "com.amazon#ThrottlingException",
    "ThrottlingException:http://x.example/",
    "errors/too_many_requests",
  ])
    assert.deepEqual(providerCodeOf(name), limited, name);
  assert.deepEqual(providerCodeOf(`${"x".repeat(109)}.throttling`), limited);
  for (const name of ["", ".", "cart", "a.b.c", "throttling.of.carts", undefined])
    assert.deepEqual(providerCodeOf(name), name === "throttling.of.carts" ? limited : undefined);
  assert.equal(providerCodeOf(`${"x".repeat(110)}.throttling`), undefined);
  assert.equal(providerCodeOf(7 as never), undefined);
});

test("a long name of a provider's error is shown cut", () => {
  const type = `${"x".repeat(60)}.throttling`;
  assert.equal(
    structuredMatches({ providerError: { type } })[0]?.place,
    `provider error type ${"x".repeat(40)}`,
  );
});

test("statuses: for a model service what is missing is a wrong name; a vague one is believed less", () => {
  for (const status of [404, 410]) {
    assert.deepEqual(statusMeaning(status, true), ["invalid_arguments", 0.85]);
    assert.equal(statusMeaning(status, false)?.[0], "file_not_found");
  }
  assert.equal(statusMeaning(403, true)?.[0], "permission_denied");
  for (const [status, kind, confidence] of [
    [399, undefined, undefined],
    [418, "invalid_arguments", 0.5],
    [499, "invalid_arguments", 0.5],
    [505, "server_error", 0.8],
    [599, "server_error", 0.8],
    [600, undefined, undefined],
  ] as const)
    assert.deepEqual(
      statusMeaning(status, true),
      kind === undefined ? undefined : [kind, confidence],
    );
  assert.equal(KNOWN_STATUSES.length, 28);
  assert.ok(KNOWN_STATUSES.every((status) => Number.isInteger(status) && status >= 400));
  const score = (httpStatus: number): number | undefined =>
    structuredMatches({ httpStatus })[0]?.score;
  assert.deepEqual([422, 529, 405, 418].map(score), [84, 84, 68, 68]);
});
