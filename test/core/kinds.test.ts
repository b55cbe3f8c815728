// proves: D1
import assert from "node:assert/strict";
import { test } from "node:test";
import { ORIGINS } from "../../src/core/evidence.ts";
import { categoryOf, firstMoveOf, isInfrastructure } from "../../src/core/failure.ts";
import { FAILURE_KINDS, hasTrait, type FailureKind } from "../../src/core/kinds.ts";
import type { Trait } from "../../src/core/kind-traits.ts";

/** The requirements' table of kinds, row by row. */
const ROWS = [
  ["transient", "wait", ["rate_limited", "server_overloaded", "server_error"]],
  ["transient", "wait", ["timeout", "network_error"]],
  ["systematic", "repair", ["command_not_found", "tool_not_found", "permission_denied"]],
  ["systematic", "repair", ["file_not_found", "invalid_arguments", "syntax_error", "disk_full"]],
  ["systematic", "re-ask", ["malformed_output"]],
  ["systematic", "retry", ["agent_crash", "out_of_memory", "unknown"]],
  ["systematic", "continue", ["context_exhausted"]],
  ["systematic", "fresh", ["broken_build"]],
  ["systematic", "feedback", ["verification_failed", "merge_conflict", "dependency_error"]],
  ["systematic", "mutate", ["looping", "no_progress", "content_refused"]],
  ["systematic", "different", ["circular_fix"]],
  ["transient", "continue", ["hung", "interrupted", "lost"]],
  ["fatal", "ask", ["auth_required", "auth_expired", "billing", "agent_missing", "unsafe_action"]],
] as const;

const BY_ORIGIN: readonly FailureKind[] = ["timeout", "network_error"];
const ofService = (origin: string): boolean => origin === "provider" || origin === "agent";

test("every kind has the category and the first move of the requirements", () => {
  assert.deepEqual(ROWS.flatMap(([, , kinds]) => kinds).toSorted(), FAILURE_KINDS.toSorted());
  for (const [category, first, kinds] of ROWS)
    for (const kind of kinds)
      for (const origin of ORIGINS) {
        const repaired = BY_ORIGIN.includes(kind) && !ofService(origin);
        const [asCategory, move] = repaired ? ["systematic", "repair"] : [category, first];
        const asFirst = origin === "check" && move === "repair" ? "feedback" : move;
        assert.equal(categoryOf(kind, origin), asCategory, `${kind} of ${origin}`);
        assert.equal(firstMoveOf(kind, origin), asFirst, `${kind} of ${origin}`);
      }
});

test("infrastructure: what passes by itself at provider or agent, and our own full disk and git that hangs", () => {
  const WAITED = ["network_error", "rate_limited", "server_error", "server_overloaded", "timeout"];
  for (const origin of ORIGINS)
    assert.deepEqual(
      FAILURE_KINDS.filter((kind) => isInfrastructure({ kind, origin })).toSorted(),
      ofService(origin) ? WAITED : origin === "workspace" ? ["disk_full", "timeout"] : [],
      origin,
    );
});

/** Which kinds have a trait: each is behaviour somewhere, so a change of the table has to be made here too. */
const TRAITS: { readonly [trait in Trait]: string } = {
  "runtime-only": "agent_missing circular_fix hung interrupted looping lost no_progress",
  "by-hand": "agent_missing auth_expired auth_required billing disk_full permission_denied",
  "whole-agent": "agent_missing auth_expired auth_required billing",
  "whole-machine": "disk_full",
  account: "auth_expired auth_required billing",
  service:
    "auth_expired auth_required billing content_refused context_exhausted malformed_output " +
    "network_error rate_limited server_error server_overloaded timeout",
  passes: "billing network_error rate_limited server_error server_overloaded timeout",
  "tool-decides": "network_error timeout",
  "cut-off": "hung interrupted lost",
  "worth-checking": "agent_crash hung timeout unknown unsafe_action",
  code: "broken_build dependency_error syntax_error",
  "beside-the-work":
    "agent_crash agent_missing auth_expired auth_required billing context_exhausted disk_full hung " +
    "interrupted lost out_of_memory rate_limited server_error server_overloaded",
  "no-alternative": "agent_missing auth_expired auth_required billing interrupted lost",
  dependencies:
    "broken_build dependency_error network_error rate_limited server_error server_overloaded " +
    "timeout unknown verification_failed",
};

test("every trait stands at the kinds that have it", () => {
  for (const [trait, kinds] of Object.entries(TRAITS) as [Trait, string][])
    assert.equal(
      FAILURE_KINDS.filter((kind) => hasTrait(kind, trait))
        .toSorted()
        .join(" "),
      kinds,
      trait,
    );
});
