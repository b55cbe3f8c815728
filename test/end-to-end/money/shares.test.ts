// proves: U4, V16
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { typedOutput } from "../run/agent-words.ts";
import { repository, type Repository } from "../run/repository.ts";
import { eventsOf, inputsOf, planFile } from "../run/runs.ts";

function inRepository(body: (here: Repository) => void): void {
  const here = repository();
  try {
    body(here);
  } finally {
    here.remove();
  }
}

/** The most attempts that were under way at the same time. */
function mostAtOnce(here: Repository): number {
  let now = 0;
  let most = 0;
  for (const { event } of here.events()) {
    const input = event["input"] as { readonly kind?: string } | undefined;
    if (event.kind === "attempt-dispatched") now += 1;
    if (input?.kind === "attempt-ended") now -= 1;
    most = Math.max(most, now);
  }
  return most;
}

const IDS = ["a", "b", "c", "d"];

test("V16: a budget without an attempt cap leaves the run as parallel as its plan asks", () => {
  for (const budget of ["usd: 2", "tokens: 100000", "minutes: 30"])
    inRepository((here) => {
      const works = { sleepMs: 200, print: typedOutput({ words: "Done.", usd: 0.1, tokens: 50 }) };
      const agent = here.agent(Object.fromEntries(IDS.map((id) => [id, [works]])));
      const plan = planFile(
        here,
        agent,
        IDS.map((id) => `id: ${id}, prompt: p`),
        ["grounding: false", "concurrency: 3", `budget: { ${budget} }`],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 6, ran.out + ran.err);
      assert.equal(mostAtOnce(here), 3, budget);
      assert.doesNotMatch(ran.out, /too little for/);
    });
});

test(
  "V16: what is too little for as many at once is said, not only done one by one",
  inLargeForm("money"),
  () =>
    inRepository((here) => {
      const works = { sleepMs: 100, print: typedOutput({ words: "Done.", usd: 0.1 }) };
      const agent = here.agent({ a: [works], b: [works] });
      const plan = planFile(
        here,
        agent,
        ["id: a, prompt: p", "id: b, prompt: p"],
        ["grounding: false", "concurrency: 2", "budget: { usd: 1 }", "attempt: { usd: 1 }"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 6, ran.out + ran.err);
      assert.equal(mostAtOnce(here), 1);
      assert.match(
        ran.out,
        /budget of the run: what is left of \$1\.00 is too little for another attempt beside the one under way/,
      );
    }),
);

/** An agent that thinks and thinks, and tells what each call of its model took. */
const THINKS = `n=0
echo '{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-5"}'
while :; do n=$((n+1))
echo '{"type":"assistant","message":{"id":"m'$n'","role":"assistant","content":[{"type":"text","text":"thought '$n'"}],"usage":{"input_tokens":200,"output_tokens":0}}}'
sleep 0.5; done`;

test("V16: more than its budget a run spends at most one model call of each running attempt", () =>
  inRepository((here) => {
    const wasteful = { run: [["sh", "-c", THINKS]] };
    const agent = here.agent({ a: [wasteful], b: [wasteful] });
    const plan = planFile(
      here,
      agent,
      ["id: a, prompt: p", "id: b, prompt: p"],
      ["grounding: false", "concurrency: 2", "budget: { tokens: 1000 }"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 4, ran.out + ran.err);
    const caps = eventsOf(here.events(), "attempt-dispatched").map(
      (event) => (event["cap"] as { tokens: number }).tokens,
    );
    assert.ok(caps.length > 2 && caps.every((cap) => cap <= 500), caps.join());
    const used = inputsOf(here.events(), "attempt-ended").map(
      (input) => (input["remains"] as { used: { tokens: number } }).used.tokens,
    );
    assert.ok(used.some((tokens) => tokens > 0));
    const spent = used.reduce((sum, tokens) => sum + tokens, 0);
    assert.ok(spent <= 1000 + 2 * 200, `${spent} tokens`);
  }));
