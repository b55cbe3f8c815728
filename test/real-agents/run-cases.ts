/**
 * Faults from end to end: `unstuck run` in a real repository with a real agent, and what becomes of the run. The model does
 * the work as soon as the fault is over, so every run ends verified unless it says otherwise.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fault, say, shell } from "../../src/testing/model-server/scenario.ts";
import type { ModelRequest, Scenario, Turn } from "../../src/testing/model-server/scenario.ts";
import { orphansOf } from "../end-to-end/run/runs.ts";
import { withRepository, type AgentRepository } from "./agent-run.ts";
import type { AgentName } from "./agent-home.ts";

/** As `standard`, but for the minute it adds to a reset time. */
const STANDARD = { extends: "standard", wait: { resetMarginMs: 0 } };

const WRONG = shell("printf '3\\n' > value.txt", "I write 3.");
const RIGHT = shell("printf '2\\n' > value.txt", "I write 2.");
const SLOW = shell("sleep 0.5; cat missing.txt");

/** Does the work when first asked, then says so. */
function worker(work = RIGHT): () => Turn {
  let worked = false;
  return () => {
    if (worked) return say("Done.");
    worked = true;
    return work;
  };
}

/** The fault for the first requests, then the work. */
function first(count: number, turn: Turn): Scenario {
  const work = worker();
  return ({ number }) => (number <= count ? turn : work());
}

const planFor = (agent: AgentName, more: object = {}): object => ({
  goal: "make the value 2",
  checks: ["sh check.sh"],
  agent,
  agents: { [agent]: { adapter: agent } },
  policy: STANDARD,
  ...more,
});

const verified = async (here: AgentRepository, plan: object): Promise<string> => {
  const ran = await here.run(plan);
  assert.equal(ran.code, 0, ran.out + ran.err);
  return ran.out;
};

const failures = (here: AgentRepository): readonly (readonly [string, boolean])[] =>
  here
    .events("failure-classified")
    .map(({ failure, counted }) => [(failure as { kind: string }).kind, counted === true] as const);

const recoveries = (here: AgentRepository): readonly string[] =>
  here
    .events("recovery-chosen")
    .flatMap(({ recoveries: chosen }) => (chosen as { kind: string }[]).map(({ kind }) => kind));

const told = (request: ModelRequest | undefined): string => request?.user.join("\n") ?? "";

/** The first request of each session. */
const sessions = (here: AgentRepository, agent: AgentName): readonly ModelRequest[] =>
  here.requests(agent).filter(({ results }) => results.length === 0);

export function faultCases(agent: AgentName): void {
  test(`${agent}: a usage limit with a reset in 3 s is waited for and spends no attempt`, () =>
    withRepository({ [agent]: first(1, fault("usage_limit", 3)) }, async (here) => {
      await verified(here, planFor(agent, { max_subtask_retries: 0 }));
      assert.deepEqual(failures(here), [["rate_limited", false]]);
      assert.deepEqual(recoveries(here), ["wait"]);
      const [refused, next] = here.requests(agent);
      const waited = (next?.at ?? 0) - (refused?.at ?? 0);
      assert.ok(waited >= 3000 && waited < 90_000, `${waited} ms`);
    }));

  test(`${agent}: two overloads, then fine: no attempt is spent`, () =>
    withRepository({ [agent]: first(2, fault("overloaded")) }, async (here) => {
      await verified(here, planFor(agent, { max_subtask_retries: 0 }));
      assert.ok(failures(here).every(([kind, counted]) => /^server_/.test(kind) && !counted));
      assert.ok(recoveries(here).every((kind) => kind === "wait"));
      assert.equal(sessions(here, agent).length, 3);
    }));

  test(`${agent}: a bad key is a question to a person within 5 s`, () =>
    withRepository({ [agent]: () => fault("bad_key") }, async (here) => {
      const ran = await here.run(planFor(agent));
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual(failures(here), [["auth_required", true]]);
      assert.equal(here.events("checkpoint-opened").length, 1);
      const inputs = here.events("received").map(({ input }) => input as Input);
      const at = (kind: string): number => inputs.find((input) => input.kind === kind)?.at ?? 0;
      const took = at("attempt-ended") - at("attempt-started");
      assert.ok(took < 5000, `${took} ms`);
    }));

  test(`${agent}: a full context goes on in a new session, with a summary`, () => {
    const work = worker();
    const scenario: Scenario = (request) => {
      if (told(request).includes("halfway")) return work();
      return request.results.length === 0
        ? shell("echo half > half.txt", "I am halfway: half.txt is there.")
        : fault("context_full");
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      await verified(here, planFor(agent));
      assert.deepEqual(failures(here), [["context_exhausted", false]]);
      assert.deepEqual(recoveries(here), ["continue"]);
      const [, fresh] = sessions(here, agent);
      assert.match(told(fresh), /make the value 2[^]*I am halfway: half\.txt is there\./);
    });
  });

  loopCase(agent);

  test(`${agent}: a truncated stream is got over`, () =>
    withRepository({ [agent]: first(1, { kind: "broken", how: "truncated" }) }, async (here) => {
      await verified(here, planFor(agent, { max_subtask_retries: 0 }));
      assert.ok(failures(here).every(([, counted]) => !counted));
    }));

  test(`${agent}: a server that says nothing is left by the watchdog`, () =>
    withRepository({ [agent]: first(1, { kind: "silent" }) }, async (here) => {
      await verified(here, planFor(agent, { attempt: { idleMinutes: 0.05 } }));
      assert.deepEqual(
        failures(here).map(([kind]) => kind),
        ["hung"],
      );
      assert.deepEqual(recoveries(here), ["retry"]);
    }));

  test(`${agent}: "Done" with failing checks goes back to the model with what failed`, () => {
    const work = worker();
    const scenario: Scenario = (request) => {
      if (told(request).includes("it should be 2")) return work();
      return request.results.length === 0 ? WRONG : say("Done, all checks pass.");
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      const out = await verified(here, planFor(agent));
      assert.deepEqual(failures(here), [["verification_failed", true]]);
      assert.deepEqual(recoveries(here), ["feedback"]);
      assert.match(told(here.requests(agent)[2]), /FAIL: the value is 3, it should be 2/);
      assert.match(out, /run verified/);
    });
  });
}

/** For agents whose own retries are left on: what is over soon is over within the attempt. */
export function shortFaultCases(agent: AgentName): void {
  test(`${agent}: a wait that the server asks for is waited out within the attempt`, () =>
    withRepository({ [agent]: first(1, fault("rate_limited", 4)) }, async (here) => {
      await verified(here, planFor(agent));
      assert.deepEqual([failures(here), recoveries(here)], [[], []]);
      const [refused, next, ...others] = here.requests(agent);
      assert.equal(others.length, 1);
      const waited = (next?.at ?? 0) - (refused?.at ?? 0);
      assert.ok(waited >= 3900 && waited < 30_000, `${waited} ms`);
    }));

  test(`${agent}: three faults that pass are no failure, and no request is made twice`, () =>
    withRepository({ [agent]: first(3, fault("server_error")) }, async (here) => {
      await verified(here, planFor(agent));
      assert.deepEqual([failures(here), recoveries(here)], [[], []]);
      assert.equal(here.requests(agent).length, 5);
    }));
}

/** For agents that ask several times before they announce it. */
export function overloadCase(agent: AgentName): void {
  test(`${agent}: an overloaded server is asked at most ten times in a row, then waited for`, () =>
    withRepository({ [agent]: first(11, fault("overloaded")) }, async (here) => {
      await verified(here, planFor(agent, { max_subtask_retries: 0 }));
      assert.ok(failures(here).length > 0);
      assert.ok(failures(here).every(([kind, counted]) => /^server_/.test(kind) && !counted));
      const inputs = here.events("received").map(({ input }) => input as Input);
      const ended = inputs.find((input) => input.kind === "attempt-ended");
      const hits = here.requests(agent).filter(({ at }) => at < (ended?.at ?? 0));
      assert.ok(hits.length <= 10, `${hits.length} requests`);
    }));
}

function loopCase(agent: AgentName): void {
  test(`${agent}: endless identical calls are stopped within 6, and the next attempt is another`, () => {
    let opening: string | undefined;
    const work = worker();
    const scenario: Scenario = (request) => {
      if (request.auxiliary) return say("A title.");
      opening ??= told(request);
      return told(request).startsWith(opening) ? shell("cat missing.txt") : work();
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      await verified(here, planFor(agent));
      assert.deepEqual(failures(here), [["looping", true]]);
      assert.deepEqual(recoveries(here), ["mutate"]);
      const calls = here
        .requests(agent)
        .filter((request) => told(request).startsWith(opening ?? ""));
      assert.ok(calls.length <= 7, `${calls.length} requests`);
    });
  });
}

const NEWS = "shuf -e red green blue white brown pink grey";

/** For agents that stop a loop by themselves: one that tells something new each time, so that Unstuck lets it be. */
export function ownLoopCase(agent: AgentName, deed: Turn): void {
  test(`${agent}: a loop that it stops itself is looping, not done, and the next attempt is another`, () => {
    let opening: string | undefined;
    const work = worker(deed);
    const scenario: Scenario = (request) => {
      if (request.auxiliary) return say("A title.");
      opening ??= told(request);
      return told(request).startsWith(opening) ? shell(NEWS) : work();
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      await verified(here, planFor(agent, { checks: ["sh check.sh", NEWS] }));
      assert.deepEqual(failures(here), [["looping", true]]);
      assert.deepEqual(recoveries(here), ["mutate"]);
      const [ended] = here
        .events("received")
        .map(({ input }) => input as Input & { readonly observed?: { because: string[] } })
        .filter(({ kind }) => kind === "attempt-ended");
      // Its word is read while it ends: it may be gone before it can be interrupted for it.
      assert.match(ended?.observed?.because[0] ?? "", /stopped itself: |: agent_reported$/);
    });
  });
}

/**
 * For agents that can be told something while they work. `loop`: what goes on and on, slowly enough that the words are there
 * before the loop is stopped; `deed`: the work, where the agent's gate lets no command through.
 */
export function steerCase(agent: AgentName, loop = SLOW, deed = RIGHT): void {
  test(`${agent}: a loop is told to the model in its next request, and the attempt goes on`, () => {
    let opening: string | undefined;
    const work = worker(deed);
    const scenario: Scenario = (request) => {
      if (request.auxiliary) return say("A title.");
      opening ??= told(request);
      return told(request) === opening ? loop : work();
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      await verified(here, planFor(agent));
      assert.deepEqual([failures(here), recoveries(here)], [[], []]);
      assert.equal(sessions(here, agent).length, 1);
      const calls = here.requests(agent).filter((request) => told(request) === opening);
      assert.ok(calls.length <= 5, `${calls.length} requests until it was told`);
      const next = here.requests(agent)[calls.length];
      const [nudge] = here.events("received").flatMap(({ input }) => {
        const { kind, words } = input as Input & { readonly words?: string };
        return kind === "loop-seen" && words !== undefined ? [words] : [];
      });
      assert.ok(nudge !== undefined && told(next).includes(nudge), told(next).slice(-500));
    });
  });
}

interface Input {
  readonly kind: string;
  readonly at: number;
}

/** `weak` cannot do it, `strong` can. */
export function escalationCase(
  agent: AgentName,
  weak: readonly [asked: string, seen: RegExp],
  strong: readonly [asked: string, seen: RegExp],
): void {
  test(`${agent}: what the weaker model cannot do, the stronger one is asked for`, () => {
    const work = worker();
    const scenario: Scenario = ({ model, results }) => {
      if (strong[1].test(model)) return work();
      return results.length === 0 ? WRONG : say("I believe it is done.");
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      const models = [
        { agent, model: weak[0], tier: 1 },
        { agent, model: strong[0], tier: 2 },
      ];
      await verified(here, planFor(agent, { models, policy: "tier-ladder" }));
      assert.deepEqual(recoveries(here), ["feedback", "escalate"]);
      const asked = sessions(here, agent).map(({ model }) => model);
      assert.match(asked[0] ?? "", weak[1]);
      assert.match(asked.at(-1) ?? "", strong[1]);
    });
  });
}

export function killCase(agent: AgentName): void {
  test(`${agent}: kill -9 in the middle, then resume: no orphan, and a verified end`, () => {
    const work = worker();
    const scenario: Scenario = ({ number }) => {
      if (number === 1) return shell("echo half > half.txt", "I am halfway.");
      return number === 2 ? { kind: "silent" } : work();
    };
    return withRepository({ [agent]: scenario }, async (here) => {
      const running = here.startRun(planFor(agent));
      while (here.requests(agent).length < 2) {
        assert.equal(running.exitCode, null, "it ended too early");
        await new Promise((done) => setTimeout(done, 50));
      }
      running.kill("SIGKILL");
      const ran = await here.unstuck("resume");
      assert.equal(ran.code, 0, ran.out + ran.err);
      await here.readEvents();
      assert.deepEqual(failures(here), [["lost", false]]);
      assert.deepEqual(recoveries(here), ["continue"]);
      const git = (...args: string[]): string => here.repository.git(...args);
      const branch = git("branch", "--list", "--format=%(refname:short)", "unstuck/*").trim();
      assert.equal(git("show", `${branch}:value.txt`), "2\n");
      assert.equal(git("show", `${branch}:half.txt`), "half\n");
      assert.deepEqual(orphansOf(branch.slice("unstuck/".length)), []);
    });
  });
}
