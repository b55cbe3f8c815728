/**
 * What every adapter must show with its real agent: the happy path, and each fault told as what it is.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fault, say, write, type Scenario } from "../../src/testing/model-server/scenario.ts";
import type { Fault } from "../../src/testing/model-server/faults.ts";
import { withAgent, type AgentPlace } from "./agent-place.ts";
import type { AgentName } from "./agent-home.ts";

/** Longest for one fault, start of the agent and all. */
const SOON_MS = 15_000;

const WORK = [
  write("hello.txt", "hello\n"),
  say("Done: wrote hello.txt.", { input: 1100, output: 7 }),
] as const;
const TOKENS = 1000 + 20 + 1100 + 7;

const FAULTS: readonly (readonly [Fault, readonly string[]])[] = [
  ["bad_key", ["auth_required"]],
  ["rate_limited", ["rate_limited"]],
  ["overloaded", ["server_overloaded", "server_error"]],
  ["no_credit", ["billing", "rate_limited"]],
  ["no_model", ["invalid_arguments", "auth_required"]],
  ["context_full", ["context_exhausted"]],
];

export interface AgentTraits {
  /** A second model it can be started with, as the server is told it. */
  readonly model: readonly [asked: string, seen: RegExp];
  /** Longer than others: it is slow to start, or has retries of its own that cannot be turned down. */
  readonly patienceMs?: number;
  /** It takes a cut answer for a finished one and says so: only checks tell. */
  readonly trustsCutAnswers?: boolean;
  /** The user's own setting of its retries, so that faults that stay are told soon. */
  readonly env?: Readonly<Record<string, string>>;
  /** It makes room in a full context by itself and goes on. */
  readonly compacts?: boolean;
}

export function agentCases(agent: AgentName, traits: AgentTraits): void {
  const soonMs = SOON_MS + (traits.patienceMs ?? 0);
  const faulty = (scenario: Scenario, body: (here: AgentPlace) => Promise<void>): Promise<void> =>
    withAgent(agent, scenario, body, agent, traits.env);
  test(`${agent}: a task is done, and the report says what was said, spent and where to go on`, () =>
    withAgent(agent, { by: "result", turns: WORK }, async (here) => {
      const { report, result, steps } = await here.attempt();
      assert.deepEqual([report.completed, report.error], [true, undefined], result.stderr);
      assert.equal(report.answer, "Done: wrote hello.txt.");
      assert.equal(report.usage.tokens, TOKENS);
      assert.match(report.session ?? "", /^[\w-]{8,}$/);
      assert.equal(readFileSync(join(here.cwd, "hello.txt"), "utf8"), "hello\n");
      const calls = steps.filter((step) => step.kind === "tool_call").length;
      const results = steps.filter((step) => step.kind === "tool_result").length;
      assert.deepEqual([calls, results], [1, 1], JSON.stringify(steps));
      assert.equal(here.requests().length, 2);
    }));

  test(`${agent}: a session goes on with what it knew, with another model`, () =>
    withAgent(agent, { by: "result", turns: WORK }, async (here) => {
      const [asked, seen] = traits.model;
      const first = await here.attempt({ prompt: "the first words" });
      const { session } = first.report;
      assert.ok(session !== undefined);
      const second = await here.attempt({ prompt: "the second words", session, model: asked });
      assert.equal(second.report.completed, true, second.result.stderr);
      assert.notEqual(second.report.sessionLost, true);
      const last = here.requests().at(-1);
      assert.match(last?.user.join("\n") ?? "", /the first words[^]*the second words/);
      assert.match(last?.model ?? "", seen);
    }));

  test(`${agent}: a session that is gone is begun anew, and the report says so`, () =>
    withAgent(agent, { by: "result", turns: WORK }, async (here) => {
      const session = "11111111-2222-4333-8444-555555555555";
      const { report, result } = await here.attempt({ session });
      if (report.completed) assert.equal(report.sessionLost, true, result.stderr);
      else assert.ok(report.sessionLost === true || report.error !== undefined, result.stderr);
    }));

  for (const [name, kinds] of FAULTS)
    test(`${agent}: ${name} is told as what it is, soon`, () =>
      faulty(
        () => fault(name),
        async (here) => {
          const { report, kind, ms, result } = await here.attempt();
          assert.equal(report.completed, false);
          assert.ok(
            kinds.includes(kind ?? ""),
            `${kind}: ${JSON.stringify(report)} ${result.stderr}`,
          );
          assert.ok(ms < soonMs, `${ms} ms`);
        },
      ));

  test(`${agent}: an overload that passes is no failure`, () => {
    const turns = [fault("overloaded"), ...WORK] as const;
    const scenario: Scenario = ({ number, results }) =>
      number === 1 ? turns[0] : (WORK[results.length] ?? WORK[1]);
    return withAgent(agent, scenario, async (here) => {
      const { report, kind, result } = await here.attempt();
      if (report.completed) assert.equal(report.answer, "Done: wrote hello.txt.");
      else assert.match(kind ?? "", /^server_/, result.stderr);
    });
  });

  if (traits.compacts === true) compactionCase(agent);
  else overflowCase(agent);

  test(`${agent}: a truncated stream is not a finished attempt`, () =>
    faulty(
      () => ({ kind: "broken", how: "truncated" }),
      async (here) => {
        const { report, kind, result, ms } = await here.attempt();
        if (traits.trustsCutAnswers === true && report.completed) return;
        assert.equal(report.completed, false);
        assert.match(
          kind ?? "",
          /^(?:network_error|malformed_output)$/,
          result.stdout.slice(-2000),
        );
        assert.ok(ms < soonMs, `${ms} ms`);
      },
    ));

  test(`${agent}: a connection that is reset is a network error`, () =>
    faulty(
      () => ({ kind: "broken", how: "reset" }),
      async (here) => {
        const { report, kind, result, ms } = await here.attempt();
        assert.equal(report.completed, false);
        assert.match(
          kind ?? "",
          /^(?:network_error|malformed_output)$/,
          result.stdout.slice(-2000),
        );
        assert.ok(ms < soonMs, `${ms} ms`);
      },
    ));

  test(`${agent}: a silent server is waited for only as long as the watchdog allows`, () =>
    withAgent(
      agent,
      () => ({ kind: "silent" }),
      async (here) => {
        const { result, report, ms } = await here.attempt({ limits: { idleMs: 4000 } });
        assert.equal(report.completed, false);
        assert.equal(result.end.kind === "killed" && result.end.reason, "idle");
        assert.ok(ms < 60_000, `${ms} ms`);
      },
    ));
}

function overflowCase(agent: AgentName): void {
  test(`${agent}: a context that fills up in the middle keeps what was done`, () =>
    withAgent(agent, { by: "result", turns: [WORK[0], fault("context_full")] }, async (here) => {
      const { report, kind, result } = await here.attempt();
      assert.equal(report.completed, false);
      assert.equal(kind, "context_exhausted", JSON.stringify(report) + result.stderr);
      assert.equal(readFileSync(join(here.cwd, "hello.txt"), "utf8"), "hello\n");
    }));
}

/** The model says its last word only once the results are gone from what it is told. */
function compactionCase(agent: AgentName): void {
  test(`${agent}: a context that fills up in the middle is made smaller, which is told, and the work ends`, () => {
    const scenario: Scenario = ({ number, results }) => {
      if (number === 1) return WORK[0];
      return results.length > 0 ? fault("context_full") : WORK[1];
    };
    return withAgent(agent, scenario, async (here) => {
      const { report, steps, result } = await here.attempt();
      assert.deepEqual([report.completed, report.error], [true, undefined], result.stderr);
      assert.equal(report.answer, "Done: wrote hello.txt.");
      const kinds = steps.map((step) => step.kind);
      const [error, compaction] = [kinds.indexOf("error"), kinds.indexOf("compaction")];
      assert.ok(error >= 0 && error < compaction, kinds.join(" "));
      assert.ok(kinds.lastIndexOf("message") > compaction, kinds.join(" "));
      assert.equal(readFileSync(join(here.cwd, "hello.txt"), "utf8"), "hello\n");
      assert.equal(here.requests().length, 3);
    });
  });
}
