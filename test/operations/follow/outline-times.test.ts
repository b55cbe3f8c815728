// proves: C9, E12
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailureKind } from "../../../src/core/kinds.ts";
import type { DecisionOf, RunEvent } from "../../../src/core/run/decision.ts";
import { timedThings } from "../../../src/operations/follow/outline-times.ts";
import { checkpoint, dispatched, ended, failed, T0 } from "../../cli/terminal/events.ts";

const start = dispatched("a", 1, T0);
assert.ok(start.kind === "attempt-dispatched");
const SPEC = start.spec;

interface Wait {
  readonly at: number;
  readonly until: number;
  readonly since?: number;
  readonly kind?: FailureKind;
  readonly more?: Partial<DecisionOf<"wait-scheduled">>;
}

/** A failure and the wait that follows; times in seconds. */
function waits(subtask: string, wait: Wait): readonly RunEvent[] {
  const { at, until, since = at, kind = "rate_limited", more = { ofService: true } } = wait;
  const scheduled: DecisionOf<"wait-scheduled"> = {
    ...{ kind: "wait-scheduled", subtask, timer: 1, reason: "retry-after", spec: SPEC },
    ...{ dueAt: T0 + until * 1000, since: T0 + since * 1000, ...more },
  };
  return [ended(subtask, 1, T0 + at * 1000), failed(subtask, 1, kind), scheduled];
}

function told(...events: readonly (readonly RunEvent[])[]) {
  const times = timedThings();
  for (const event of events.flat()) times.add(event);
  return times;
}

const incidents = (...events: readonly (readonly RunEvent[])[]) =>
  told(...events)
    .incidents()
    .map(({ name, from, until, subtasks }) => [
      ...[name, (from - T0) / 1000, (until - T0) / 1000],
      subtasks.join(" "),
    ]);

const CASES: readonly [string, readonly unknown[], readonly unknown[]][] = [
  [
    "waits of one kind that overlap are one incident, of all who wait",
    incidents(waits("a", { at: 1, until: 9 }), waits("b", { at: 4, until: 12 })),
    [["rate limited", 1, 12, "a b"]],
  ],
  [
    "who tries in vain goes on with the same one",
    incidents(waits("a", { at: 1, until: 5 }), waits("a", { at: 8, until: 20, since: 1 })),
    [["rate limited", 1, 20, "a"]],
  ],
  [
    "another kind is another incident, and so is a later one",
    incidents(
      waits("a", { at: 1, until: 5 }),
      waits("b", { at: 2, until: 4, kind: "network_error" }),
      waits("a", { at: 6, until: 7 }),
    ),
    [
      ["rate limited", 1, 5, "a"],
      ["network down", 2, 4, "b"],
      ["rate limited", 6, 7, "a"],
    ],
  ],
  ["a wait of its own is none", incidents(waits("a", { at: 1, until: 5, more: {} })), []],
  [
    "a full disk is one, though no service",
    incidents(waits("a", { at: 1, until: 5, kind: "disk_full", more: { reason: "incident" } })),
    [["disk full", 1, 5, "a"]],
  ],
  [
    "it is over when the service is back",
    incidents(waits("a", { at: 1, until: 50 }), [
      { kind: "wait-shortened", subtask: "a", timer: 1, dueAt: T0 + 7000 },
    ]),
    [["rate limited", 1, 7, "a"]],
  ],
];

for (const [name, found, expected] of CASES)
  test(name, () => {
    assert.deepEqual(found, expected);
  });

test("why it waits is told in words, and who joined a question", () => {
  const times = told(waits("a", { at: 1, until: 5 }), [
    { kind: "checkpoint-opened", checkpoint: checkpoint("a") },
    { kind: "checkpoint-joined", subtask: "b", checkpoint: "a/c1", of: "a" },
  ]);
  assert.equal(times.waits.get("a")?.[0]?.reason, "as long as the server asked for");
  assert.deepEqual(times.questions.get("a/c1")?.also, ["b"]);
});
