// proves: A8, C3, U4, D7
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MEASURES } from "../../../src/core/budget.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import { isInfrastructure } from "../../../src/core/failure.ts";
import { vectorItems } from "../../../src/core/persistent-collections.ts";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import type { Policy } from "../../../src/core/policy/policy.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { RECOVERIES } from "../../../src/core/recovery.ts";
import { outstanding, type Command } from "../../../src/core/run/command.ts";
import { decide } from "../../../src/core/run/decide/decide.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { Driver, failureOf, NO_PROGRESS, plan, subtask } from "./driver.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";

/** What the world does next: how an attempt, check or merge ends, and how lucky it is. */
const moves = fc.record({
  pick: fc.nat(),
  kind: fc.constantFrom<FailureKind | "ok">("ok", "ok", ...FAILURE_KINDS),
  origin: fc.constantFrom("provider", "agent", "tool", "workspace"),
  tree: fc.nat(4),
  score: fc.constantFrom(0, 0, 0.2, 1),
  passes: fc.boolean(),
  chance: fc.double({ min: 0.1, max: 0.999, noNaN: true }),
  again: fc.boolean(),
  words: fc.boolean(),
  asks: fc.constantFrom("", "", "npm ci", "rm -rf /elsewhere"),
});
type Move = typeof moves extends fc.Arbitrary<infer T> ? T : never;

const plans = fc
  .tuple(
    fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 1, maxLength: 5 }),
    fc.integer({ min: 1, max: 3 }),
    fc.option(fc.integer({ min: 1, max: 8 })),
  )
  .map(([rows, concurrency, usd]) =>
    plan(
      rows.map((row, index) =>
        subtask(`s${index}`, {
          dependsOn: index === 0 ? [] : [...new Set(row.map((n) => `s${n % index}`))],
          checks: index === 3 ? 0 : 1,
        }),
      ),
      { concurrency, ...(usd === null ? {} : { budget: { usd }, attemptCap: { usd: 1 } }) },
    ),
  );
const presets = fc.constantFrom<PresetName | Policy>(
  ...(Object.keys(PRESETS) as PresetName[]),
  adaptive(),
);

/** Answers one open command (or checkpoint) as the move says; false when there is nothing to do. */
function step(run: Driver, move: Move): boolean {
  const open = outstanding(run.state);
  const command = open[move.pick % Math.max(1, open.length)];
  run.now += 1000;
  run.chance = move.chance;
  if (command === undefined) return false;
  const given = waitingReply(run, command, move) ?? reply(run, command, move);
  run.give(given);
  if (move.again) {
    const before = run.state;
    run.give(given);
    assert.equal(run.state, before, "a duplicate changes nothing");
  }
  return true;
}

const REQUESTS = 3;

/** An agent at work asks for a permission, or somebody answers what it waits for. */
function waitingReply(
  run: Driver,
  command: Command,
  { asks, passes, tree }: Move,
): Parameters<Driver["give"]>[0] | undefined {
  if (asks === "" || command.kind !== "start") return undefined;
  const { checkpoint, running } = run.of(command.subtask);
  if (checkpoint?.waiting !== undefined) {
    const answer = { kind: passes ? checkpoint.recommendation : "without" };
    return { kind: "checkpoint-answered", checkpoint: checkpoint.id, answer, by: "bob" };
  }
  const { attempt } = command;
  const { requests = 0 } = running.find((one) => one.attempt === attempt) ?? {};
  if (requests >= REQUESTS) return undefined;
  const call = { tool: "execute", command: asks };
  return {
    ...{ kind: "permission-asked", subtask: command.subtask, attempt, call },
    ...{ request: requests + 1, waitMs: tree * 1000 },
  };
}

function reply(run: Driver, command: Command, move: Move): Parameters<Driver["give"]>[0] {
  switch (command.kind) {
    case "start": {
      const ok = move.kind === "ok";
      const observed = ok
        ? {}
        : {
            observed: failureOf(move.kind as FailureKind, {
              origin: move.origin,
              signature: `s${move.tree}`,
            }),
          };
      const signals = { ...NO_PROGRESS, outputNovelty: move.score, change: move.score };
      const remains = {
        treeBefore: "t0",
        treeAfter: `t${move.tree}`,
        approach: `way ${move.tree}`,
        signals,
        used: { usd: move.chance * (command.cap.usd ?? 1) },
      };
      return {
        kind: "attempt-ended",
        subtask: command.subtask,
        attempt: command.attempt,
        outcome: ok ? "finished" : "failed",
        evidence: {},
        remains,
        ...observed,
      };
    }
    case "interrupt": {
      const observed = failureOf("interrupted", { signature: "interrupted" });
      const remains = {
        treeBefore: "t0",
        treeAfter: "t0",
        approach: "",
        signals: NO_PROGRESS,
        used: {},
      };
      const { subtask: id, attempt } = command;
      return {
        kind: "attempt-ended",
        subtask: id,
        attempt,
        outcome: "failed",
        evidence: {},
        remains,
        observed,
      };
    }
    case "check": {
      const failed = {
        kind: "failed",
        failing: [`t${move.tree}`],
        evidence: { stdout: `x${move.tree}` },
      };
      const result = move.passes
        ? { kind: "passed" }
        : move.tree === 0
          ? { kind: "could-not-run", evidence: {} }
          : failed;
      return {
        kind: "checks-ended",
        subtask: command.subtask,
        attempt: command.attempt,
        round: command.round,
        result,
      };
    }
    case "merge": {
      const result = move.passes
        ? { kind: "merged", commit: `c-${command.id}` }
        : { kind: "conflict", evidence: {} };
      return { kind: "merge-ended", subtask: command.subtask, attempt: command.attempt, result };
    }
    case "timer":
      run.now = Math.max(run.now, command.dueAt);
      return { kind: "timer-fired", subtask: command.subtask, timer: command.timer };
    case "ask": {
      const words = move.words && command.checkpoint.trigger === "HICCUP";
      const answer = words ? { kind: "retry", words: "try again" } : { kind: "skip" };
      return { kind: "checkpoint-answered", checkpoint: command.checkpoint.id, answer, by: "bob" };
    }
    default:
      return { kind: "cancel-requested", reason: "x" };
  }
}

function assertInvariants(run: Driver): void {
  const { state } = run;
  const open = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  assert.equal(state.openCheckpoints, open.length + (state.checkpoint === undefined ? 0 : 1));
  for (const { waiting, subtask: id = "", expiresAt } of open) {
    if (waiting === undefined) continue;
    assert.ok(run.of(id).running.some(({ attempt }) => attempt === waiting.attempt));
    assert.equal(run.of(id).expiry?.dueAt, expiresAt, "what an agent waits for ends by itself");
  }
  const total = run.policy.settings.recovery.totalRecoveryBudget;
  for (const own of vectorItems(state.subtasks)) {
    assert.ok(own.iterations <= total, `${own.iterations} iterations of ${total}`);
    assert.equal(
      new Set(own.strategiesTried).size,
      own.strategiesTried.length,
      "no strategy twice",
    );
    assert.equal(
      new Set(own.mutationsTried).size,
      own.mutationsTried.length,
      "no mutation twice in a stage",
    );
  }
  for (const measure of MEASURES) {
    const limit = state.limit[measure];
    const taken = (state.ledger.spent[measure] ?? 0) + (state.ledger.reserved[measure] ?? 0);
    assert.ok(limit === undefined || taken <= limit + 1e-9, `${measure}: ${taken} of ${limit}`);
  }
}

test("every run ends, within every budget, whatever happens", () => {
  fc.assert(
    fc.property(
      presets,
      plans,
      fc.array(moves, { minLength: 1, maxLength: 60 }),
      (preset, of, script) => {
        const run = new Driver(preset, of, { goodCommit: "g0" });
        let steps = 0;
        while (run.state.phase !== "ended") {
          const move = script[steps % script.length];
          assert.ok(
            move !== undefined && step(run, { ...move, words: move.words && steps < 40 }),
            "there is always something to do",
          );
          assertInvariants(run);
          steps += 1;
          assert.ok(steps < 20_000, "it goes on for ever");
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("the journal alone gives the state back: no policy, no classifier is asked", () => {
  fc.assert(
    fc.property(presets, plans, fc.array(moves, { maxLength: 60 }), (preset, of, script) => {
      const run = new Driver(preset, of);
      for (const move of script) step(run, move);
      assert.deepEqual(
        foldAll(NEW_RUN, JSON.parse(JSON.stringify(run.journal)) as typeof run.journal),
        jsonNoise(run),
      );
    }),
    { numRuns: 100 },
  );
});

/** State folded from parsed JSON has no keys with undefined values inside recorded facts; compare like with like. */
const jsonNoise = (run: Driver): unknown => foldAll(NEW_RUN, run.journal);

test("a policy that throws is only asked when a new failure is decided on", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.red("a");
  const broken = {
    ...run.policy,
    choose: (): never => {
      throw new Error("policy is broken");
    },
  };
  assert.deepEqual(foldAll(NEW_RUN, run.journal), run.state);
  const ended = {
    at: 1,
    chance: 0,
    kind: "checks-ended",
    subtask: "a",
    attempt: 1,
    round: 1,
    result: { kind: "passed" },
  } as const;
  assert.equal(
    decide(run.state, ended, broken, standardRules()).ignored,
    "these checks are not awaited",
  );
});

test("no attempt is started twice, and every open command comes again after a crash", () => {
  fc.assert(
    fc.property(presets, plans, fc.array(moves, { maxLength: 60 }), (preset, of, script) => {
      const run = new Driver(preset, of);
      for (const move of script) step(run, move);
      const starts = run.commands.filter(({ kind }) => kind === "start").map(({ id }) => id);
      assert.equal(new Set(starts).size, starts.length);
      const issued = new Set(run.commands.map(({ id }) => id));
      for (const { id, kind } of outstanding(run.state))
        assert.ok(issued.has(id), `${kind} ${id} was never issued`);
    }),
    { numRuns: 200 },
  );
});

test("an unknown failure never leads to a destructive recovery, in any policy", () => {
  fc.assert(
    fc.property(presets, plans, fc.array(moves, { maxLength: 60 }), (preset, of, script) => {
      const run = new Driver(preset, of, { goodCommit: "g0" });
      for (const move of script) step(run, move);
      let last: FailureKind | undefined;
      for (const event of run.journal) {
        if (event.kind === "failure-classified") last = event.failure.kind;
        if (event.kind === "recovery-chosen" && last === "unknown")
          assert.ok(event.recoveries.every(({ kind }) => !RECOVERIES[kind].destructive));
      }
    }),
    { numRuns: 200 },
  );
});

test("infrastructure never raises a count, uses a rung or an iteration", () => {
  fc.assert(
    fc.property(presets, fc.array(moves, { minLength: 1, maxLength: 30 }), (preset, script) => {
      const run = new Driver(preset, plan([subtask("a")]));
      for (const move of script) {
        const before = run.of("a");
        if (before.running.length === 0) break;
        const kind =
          (["rate_limited", "server_error", "network_error"] as const)[move.tree % 3] ??
          "rate_limited";
        run.fails("a", kind, {
          failure: { origin: "provider" },
          remains: { treeBefore: "t", treeAfter: "t" },
        });
        assert.ok(isInfrastructure(failureOf(kind, { origin: "provider" })));
        const after = run.of("a");
        assert.equal(after.counted, 0);
        assert.equal(after.progress.noProgress, 0);
        if (run.recoveries().at(-1) === "wait") assert.deepEqual(after.uses, before.uses);
        if (after.phase === "waiting") run.fire("a");
      }
    }),
    { numRuns: 100 },
  );
});

test("ask is last and always reachable: every subtask that never works ends with a question", () => {
  fc.assert(
    fc.property(
      presets,
      fc.constantFrom(...FAILURE_KINDS),
      fc.boolean(),
      (preset, kind, changes) => {
        const run = new Driver(preset, plan([subtask("a")]), { goodCommit: "g" });
        const remains = {
          treeBefore: "t",
          treeAfter: changes ? "u" : "t",
          signals: NO_PROGRESS,
          approach: "",
        };
        for (let turn = 0; run.of("a").checkpoint === undefined; turn += 1) {
          assert.ok(turn < 2000, `${run.policy.name} never asks about ${kind}`);
          if (run.of("a").phase === "waiting") run.fire("a");
          else if (run.of("a").stages.length > 0) run.checked("a", ["t"]);
          else
            run.fails("a", kind, { failure: { origin: "tool", signature: `s${turn}` }, remains });
        }
        const chosen = run.recoveries();
        assert.ok(chosen.slice(0, -1).every((name) => !name.includes("ask")));
        assert.ok(chosen.at(-1)?.includes("ask"));
      },
    ),
    { numRuns: 300 },
  );
});
