// proves: U21, U8
import assert from "node:assert/strict";
import { test } from "node:test";
import { inRepository, type Repository } from "../run/repository.ts";
import { eventsOf, failuresOf, inputsOf, until, untilSo } from "../run/runs.ts";
import { waitingAgent } from "./waiting-agent.ts";

const isAsked = (events: ReturnType<Repository["events"]>): boolean =>
  eventsOf(events, "checkpoint-opened").length > 0;

test("an agent over ACP waits with its call: allowed once from elsewhere, the same attempt goes on", () =>
  inRepository(async (here) => {
    const { plan, heard } = waitingAgent(here);
    const started = here.unstuck("run", plan, "--trust", "--detach", "--json");
    assert.equal(started.code, 0, started.err);
    await until(here, isAsked);
    assert.deepEqual(heard(), [], "it waits");
    assert.match(here.unstuck("status").out, /running, 1 question .* answer: unstuck review/);
    const shown = here.unstuck("inbox").out;
    assert.match(
      shown.replace(/\s+/g, " "),
      /The agent of subtask goal waits for your permission to use `npm install left-pad`\. Allow it\?/,
    );
    assert.match(shown, /If nobody answers by .*, it is refused\./);
    assert.match(shown, /Allow it once \(recommended\)[^]*--allow run[^]*--without/);
    const skipped = here.unstuck("resolve", "goal/c1", "--skip");
    assert.match(skipped.err, /offers allow-once, allow-run, allow-always, without/);
    assert.equal(here.unstuck("resolve", "goal/c1", "--allow", "once").code, 0);
    const { run } = JSON.parse(started.out) as { run: string };
    const branch = `unstuck/${run}`;
    await untilSo(
      () => here.git("branch", "--list", branch) !== "",
      () => "the result was never published",
    );
    assert.equal(here.git("show", `${branch}:value.txt`), "2\n");
    const events = here.events();
    assert.deepEqual(failuresOf(events), []);
    assert.equal(eventsOf(events, "attempt-dispatched").length, 1, "this very attempt");
    const [only, ...others] = heard();
    assert.deepEqual([only?.heard, others], ["go", []]);
    assert.match(only?.words ?? "", /make it 2/);
    const { remains } = inputsOf(events, "attempt-ended")[0] as { remains: { refused?: unknown } };
    assert.equal(remains.refused, undefined);
    const told = here.unstuck("explain").out;
    assert.match(
      told,
      /wanted to use `npm install left-pad` and waited for your answer\. .+ answered: allow it once/,
    );
  }));

test("where nobody answers in time the call is refused, and the question comes at the attempt's end", () =>
  inRepository((here) => {
    const { plan, heard } = waitingAgent(here, ["checkpoints: { permissionMinutes: 0.005 }"]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(
      heard().map(({ heard: answer }) => answer),
      ["stop"],
    );
    const [waited, asked] = eventsOf(here.events(), "checkpoint-opened");
    assert.match(JSON.stringify(waited), /waits for your permission/);
    assert.match(JSON.stringify(asked), /was not allowed to use `npm install left-pad`/);
    assert.deepEqual(failuresOf(here.events()), ["goal permission_denied"]);
    assert.match(here.unstuck("explain").out, /Nobody answered in time/);
    here.unstuck("resolve", "goal/c2", "--allow", "once");
    assert.equal(here.unstuck("resume").code, 0);
    assert.deepEqual(
      heard().map(({ heard: answer }) => answer),
      ["stop", "go"],
    );
    assert.match(heard()[1]?.words ?? "", /A person allowed .*`npm install left-pad`/);
  }));
