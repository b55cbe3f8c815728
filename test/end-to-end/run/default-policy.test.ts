// proves: C7, C8, U8, U13
// Where nobody names a policy it is the adaptive one; the user's own settings may name another, and what a question costs.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { configFile, repository } from "./repository.ts";
import { eventsOf, inputsOf, planFile } from "./runs.ts";

const here = repository(undefined, "default");
after(() => here.remove());

const wrong = { print: "The value is three now.", write: { "value.txt": "3\n" } };
const right = { write: { "value.txt": "2\n" } };
const FIX = "id: fix, prompt: make the value 2, checks: [sh check.sh]";
const plan = (...more: readonly string[]): string =>
  planFile(here, here.agent({ fix: [wrong, right] }), [FIX], ["grounding: false", ...more]);
const settings = (...lines: readonly string[]): void =>
  writeFileSync(configFile(here.home), ["answers: unattended", ...lines, ""].join("\n"));

interface Start {
  readonly pinned: { readonly plan: { readonly policy: Readonly<Record<string, unknown>> } };
}

test("without a word it chooses by cause; quiet hours are told by a recorded time of day", () => {
  settings('person: { price: 20, quietHours: "22:00-07:00" }');
  const ran = here.unstuck("run", plan("person: { price: 15 }"), "--trust");
  assert.equal(ran.code, 0, ran.out + ran.err);
  const events = here.events();
  const [start] = inputsOf(events, "run-started") as unknown as readonly [Start];
  const { policy, personPrice, quietHours } = start.pinned.plan.policy;
  assert.deepEqual([policy, personPrice, quietHours], ["adaptive", 15, "22:00-07:00"]);
  for (const { minuteOfDay } of inputsOf(events, "checks-ended"))
    assert.ok(typeof minuteOfDay === "number" && minuteOfDay >= 0 && minuteOfDay < 1440);
  const [chosen] = eventsOf(events, "recovery-chosen");
  assert.ok(chosen?.["belief"] !== undefined);
  assert.match(
    here.unstuck("explain").out,
    /The first attempt failed its checks \(sh check\.sh\)\. It (?:may have|probably) \w.+ \(\d+ %\), so it sent/,
  );
});

test("a name in the user's settings that is none is told before anything starts", () => {
  settings("policy: standart");
  const ran = here.unstuck("run", plan(), "--trust");
  assert.equal(ran.code, 2);
  assert.match(
    ran.err,
    /config\.yaml: policy: there is no policy "standart": did you mean standard/,
  );
  settings('person: { quietHours: "22-7" }');
  assert.match(
    here.unstuck("run", plan(), "--trust").err,
    /config\.yaml:2: person\.quietHours "22-7" is not allowed here: two times, as "22:00-07:00"/,
  );
});
