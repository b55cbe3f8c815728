// proves: U4, U8, V16
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { typedOutput } from "./agent-words.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, inputsOf, planFile } from "./runs.ts";

const FILES = {
  "value.txt": "1\n",
  "check.sh":
    "grep -q '^2$' value.txt && exit 0\necho \"FAIL value: it says $(cat value.txt)\"\nexit 1\n",
};
const CHECKED = "prompt: p, checks: [sh check.sh]";

const wrote = (
  value: string,
  print = `<approach>the ${value} way</approach>`,
): ScriptedAttempt => ({
  write: { "value.txt": `${value}\n` },
  print,
});
const RIGHT = wrote("2");

function inRepository(body: (here: Repository) => void): void {
  const here = repository(FILES);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const started = (here: Repository): number => eventsOf(here.events(), "attempt-dispatched").length;

test("attempts of the run: warned at 80 %, stopped at the limit, and a top-up lets it go on", () =>
  inRepository((here) => {
    const steps = ["a", "b", "c", "d", "e", "f"];
    const agent = here.agent(Object.fromEntries(steps.map((id) => [id, [{ print: "done" }]])));
    const plan = planFile(
      here,
      agent,
      steps.map((id) => `id: ${id}, prompt: p`),
      ["grounding: false", "budget: { attempts: 5 }"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 4, ran.out + ran.err);
    assert.equal(started(here), 5);
    const warned = here.events().findIndex(({ event }) => event.kind === "budget-warned");
    const fifth = here.events().findLastIndex(({ event }) => event.kind === "attempt-dispatched");
    assert.ok(warned > 0 && warned < fifth, "warned after the fourth, before the fifth started");
    assert.match(ran.out, /budget of the run: 80 % used, 4 of 5 attempts/);
    assert.match(here.unstuck("inbox").out, /c1[^]*attempt budget of the run is used up/);
    assert.equal(here.unstuck("resume").code, 4, "and it stays stopped");
    assert.equal(started(here), 5);
    assert.equal(here.unstuck("resolve", "c1", "--top-up", "attempts=1").code, 0);
    const resumed = here.unstuck("resume");
    assert.equal(resumed.code, 6, resumed.out + resumed.err);
    assert.equal(started(here), 6);
  }));

test("a run that is not topped up ends for its budget", inLargeForm("run"), () =>
  inRepository((here) => {
    const agent = here.agent({ a: [{ print: "done" }], b: [{ print: "done" }] });
    const plan = planFile(
      here,
      agent,
      ["id: a, prompt: p", "id: b, prompt: p"],
      ["grounding: false", "budget: { attempts: 1 }"],
    );
    assert.equal(here.unstuck("run", plan, "--trust").code, 4);
    assert.equal(here.unstuck("resolve", "c1", "--skip").code, 0);
    assert.equal(here.unstuck("resume").code, 4);
    const [end] = eventsOf(here.events(), "run-ended");
    assert.equal(end?.["outcome"], "budget");
    assert.match(String(end?.["reason"]), /1 of 1 attempt used/);
  }),
);

test(
  "minutes of the run: an attempt gets its share, the last one no more than what is left",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const half = { write: { "half.txt": "half\n" }, hang: true };
      const agent = here.agent({ a: [half] });
      const plan = planFile(
        here,
        agent,
        ["id: a, prompt: p"],
        ["grounding: false", "budget: { minutes: 0.06 }"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 4, ran.out + ran.err);
      const caps = eventsOf(here.events(), "attempt-dispatched").map(
        (event) => (event["cap"] as { timeMs: number }).timeMs,
      );
      const used = inputsOf(here.events(), "attempt-ended").map(
        (input) => (input["remains"] as { used: { timeMs: number } }).used.timeMs,
      );
      assert.equal(caps.length, 2);
      assert.deepEqual(caps, [1800, 3600 - (used[0] ?? 0)]);
      const sum = used.reduce((all, ms) => all + ms, 0);
      assert.ok(sum >= 3600 && sum < 300_000, `${sum} ms`);
      assert.match(ran.out, /interrupted.*used the time of its cap/, "no failure of its own");
      assert.match(here.unstuck("diff", "--attempt", "a/1").out, /\+half/, "its work is kept");
    }),
);

test("money and tokens as the agent reports them; what is reserved is given back", () =>
  inRepository((here) => {
    const cheap = { print: typedOutput({ words: "Done.", usd: 0.3, tokens: 300 }) };
    const agent = here.agent({ a: [cheap], b: [cheap], c: [cheap] });
    const plan = planFile(
      here,
      agent,
      ["id: a, prompt: p", "id: b, prompt: p", "id: c, prompt: p"],
      ["grounding: false", "budget: { usd: 0.7 }", "attempt: { usd: 0.5 }"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 4, ran.out + ran.err);
    const caps = eventsOf(here.events(), "attempt-dispatched").map(
      (event) => (event["cap"] as { usd: number }).usd,
    );
    assert.equal(caps.length, 2, "0.1 is left, too little for a third");
    assert.equal(caps[0], 0.5);
    assert.ok(Math.abs((caps[1] ?? 0) - 0.4) < 1e-9, "what was left of 0.7, not the whole cap");
    assert.match(ran.out, /\$0\.60/);
    assert.match(here.unstuck("inbox").out, /money budget of the run/);
  }));

test(
  "two at a time: what is spent and what is reserved together never exceed the budget",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const works = { sleepMs: 200, print: typedOutput({ words: "Done.", usd: 0.1 }) };
      const ids = ["a", "b", "c", "d", "e"];
      const agent = here.agent(Object.fromEntries(ids.map((id) => [id, [works]])));
      const plan = planFile(
        here,
        agent,
        ids.map((id) => `id: ${id}, prompt: p`),
        ["grounding: false", "concurrency: 2", "budget: { usd: 1 }", "attempt: { usd: 0.6 }"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 6, ran.out + ran.err);
      let spent = 0;
      let most = 0;
      const reserved = new Map<unknown, number>();
      for (const { event } of here.events()) {
        const input = event["input"] as Readonly<Record<string, unknown>> | undefined;
        if (event.kind === "attempt-dispatched")
          reserved.set(event["subtask"], (event["cap"] as { usd: number }).usd);
        if (input?.["kind"] === "attempt-ended") {
          reserved.delete(input["subtask"]);
          spent += (input["remains"] as { used: { usd: number } }).used.usd;
        }
        most = Math.max(most, reserved.size);
        const held = [...reserved.values()].reduce((sum, usd) => sum + usd, 0);
        assert.ok(spent + held <= 1 + 1e-9, `${spent} spent, ${held} reserved`);
      }
      assert.equal(most, 2, "they did run together");
      assert.ok(Math.abs(spent - 0.5) < 1e-9);
    }),
);

test(
  "V16: what an agent does not report is not charged, and its reservation is given back",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const silent = [{ print: "done" }];
      const agent = here.agent({ a: silent, b: silent, c: silent });
      const plan = planFile(
        here,
        agent,
        ["id: a, prompt: p", "id: b, prompt: p", "id: c, prompt: p"],
        ["grounding: false", "budget: { tokens: 1000 }", "attempt: { tokens: 500 }"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 6, ran.out + ran.err);
      assert.equal(started(here), 3);
      assert.match(ran.out, /unknown of 1\.0k tokens/);
    }),
);

test(
  "the budget of a subtask stops that subtask, warned before; the others go on; a top-up lets it go on too",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const tight = ["apple", "pear", "plum", "fig", "lime"].map((value) => wrote(value));
      const agent = here.agent({ tight: [...tight, RIGHT], free: [{ print: "done" }] });
      const plan = planFile(here, agent, [
        `id: tight, ${CHECKED}, limits: { budget: { attempts: 5 } }`,
        "id: free, prompt: p",
      ]);
      const ran = here.unstuck("run", plan, "--trust");
      assert.match(ran.out, /\[free\] unverified/);
      assert.match(here.unstuck("inbox").out, /tight\/c1[^]*attempt budget of subtask tight/);
      assert.equal(started(here), 6);
      assert.equal(here.unstuck("resolve", "tight/c1", "--top-up", "attempts=1").code, 0);
      const resumed = here.unstuck("resume");
      assert.equal(started(here), 7);
      assert.match(resumed.out, /\[tight\] verified/);
      const warned = /budget.*80 %/.test(ran.out);
      assert.deepEqual({ code: ran.code, warned }, { code: 4, warned: true });
    }),
);

test(
  "recovery_budget stops recovery, not first attempts; a top-up lets it go on",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const agent = here.agent({
        a: [wrote("apple"), wrote("pear"), RIGHT],
        b: [{ print: "done" }],
      });
      const plan = planFile(
        here,
        agent,
        [`id: a, ${CHECKED}`, "id: b, prompt: p"],
        ["grounding: false", "recovery_budget: { attempts: 1 }"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.match(ran.out, /\[b\] unverified/);
      assert.equal(started(here), 3, "two of a, one of b");
      assert.match(here.unstuck("inbox").out, /a\/c1[^]*attempt budget of recovery/);
      assert.equal(here.unstuck("resolve", "a/c1", "--top-up", "attempts=1").code, 0);
      assert.match(here.unstuck("resume").out, /\[a\] verified/);
      assert.equal(started(here), 4);
      assert.equal(ran.code, 4, "it stopped for its budget");
    }),
);

test(
  "explain: for each decision what was seen, what was considered and why this was chosen",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const agent = here.agent({
        a: [wrote("apple"), wrote("pear"), wrote("apple"), RIGHT],
        b: [{ error: "Error: 429 Too Many Requests. Please retry after 1 second.", exit: 1 }, {}],
        c: [{ print: "done" }],
      });
      const plan = planFile(
        here,
        agent,
        [`id: a, ${CHECKED}`, "id: b, prompt: p", "id: c, prompt: p, dependsOn: [b]"],
        ["grounding: false", "budget: { attempts: 6 }"],
      );
      assert.equal(here.unstuck("run", plan, "--trust").code, 4);
      const lines = here.unstuck("explain", "--json").out.trim().split("\n");
      const told = lines.map(
        (line) =>
          JSON.parse(line) as {
            seq: number;
            subtask?: string;
            decision: string;
            seen: string[];
            considered: { rung: string; recovery: string; verdict: string }[];
            why: string;
            event: { kind: string };
          },
      );
      const chosen = here.events().filter(({ event }) => event.kind === "recovery-chosen");
      const explained = told.filter(({ event }) => event.kind === "recovery-chosen");
      assert.deepEqual(
        explained.map(({ seq }) => seq),
        chosen.map(({ seq }) => seq),
        "every recovery is explained",
      );
      for (const one of told) {
        assert.ok(one.why !== "" && one.decision !== "", JSON.stringify(one));
        assert.ok(one.seen.length > 0 && !one.seen.includes(""), JSON.stringify(one));
        assert.ok(one.considered.length > 0, JSON.stringify(one));
      }
      const byWord = told.find(
        ({ subtask, event }) => subtask === "b" && event.kind === "subtask-done",
      );
      assert.deepEqual(byWord?.seen, [
        "the agent says it is done",
        "it changed nothing",
        "it has no checks",
      ]);
      assert.match(byWord.why, /only the agent's word/);
      for (const { seen } of explained) assert.ok(seen.length > 1);
      for (const { considered } of explained)
        assert.equal(considered.filter(({ verdict }) => verdict.startsWith("chosen")).length, 1);
      const [first, , afterCircle] = explained.filter(({ subtask }) => subtask === "a");
      assert.match(
        first?.seen.join("\n") ?? "",
        /attempt 1: verification_failed \(systematic, check\), confidence [01]\.\d\d[^]*it says apple[^]*progress score 0\.\d\d/,
      );
      assert.match(first?.why ?? "", /^feedback: /);
      assert.match(
        afterCircle?.seen.join("\n") ?? "",
        /circular fix: attempt 3 ends with the tree/,
      );
      assert.match(afterCircle?.why ?? "", /^mutate: /);
      assert.deepEqual(
        afterCircle?.considered.filter(({ rung }) => rung === "feedback").length,
        1,
        "also what was passed over",
      );
      const wait = explained.find(({ subtask }) => subtask === "b");
      assert.match(wait?.seen.join("\n") ?? "", /rate_limited \(transient, \w+\).*does not count/);
      assert.match(wait?.why ?? "", /guard:wait/);
      const asked = told.find(({ decision }) => decision.startsWith("ask a person (c1)"));
      assert.deepEqual(
        asked?.considered.map(({ verdict }) => verdict),
        ["recommended", "offered"],
      );
      const one = here.unstuck("explain", "--event", String(first?.seq));
      assert.match(one.out, /^\[a\] \d+: feedback[^]*seen [^]*considered [^]*why /);
      assert.equal(here.unstuck("explain", "--event", "1").code, 2, "an input is no decision");
    }),
);

test("an attempt that goes over its cap is stopped in the middle, and its work is gone on with", () =>
  inRepository((here) => {
    const message = (id: string): unknown => ({
      type: "assistant",
      message: {
        ...{ id, role: "assistant", content: [{ type: "text", text: `thinking of ${id}` }] },
        usage: { input_tokens: 300, output_tokens: 0 },
      },
    });
    const init = { type: "system", subtype: "init", session_id: "s", model: "claude-sonnet-4-5" };
    const lines = [init, message("m1"), message("m2")].map((line) => JSON.stringify(line));
    const wasteful = { write: { "value.txt": "half\n" }, print: lines.join("\n"), hang: true };
    const careful = { write: { "value.txt": "2\n" }, print: typedOutput({ words: "Done." }) };
    const plan = planFile(
      here,
      here.agent({ a: [wasteful, careful] }),
      [`id: a, ${CHECKED}`],
      ["grounding: false", "attempt: { tokens: 500 }"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const [first] = inputsOf(here.events(), "attempt-ended");
    const remains = first?.["remains"] as { used: { tokens: number }; estimated?: true };
    assert.equal(remains.used.tokens, 600);
    assert.equal(remains.estimated, true, "its money is tokens times list price");
    assert.match(ran.out, /used the tokens of its cap/);
    assert.match(ran.out, /~\$0\.00/);
    assert.match(here.unstuck("report").out, /US dollars \(estimated, prices of \d{4}-/);
    const [chosen] = eventsOf(here.events(), "recovery-chosen");
    assert.match(JSON.stringify(chosen), /"continue"/);
  }));
