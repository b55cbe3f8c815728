// proves: U21, U7, U8
import assert from "node:assert/strict";
import { test } from "node:test";
import { questionWords } from "../../../src/core/report/question-words.ts";
import { answerCollector } from "../../../src/core/learning/preferences.ts";
import type { Refusal } from "../../../src/core/agent-words/refusal.ts";
import { outstanding } from "../../../src/core/run/command.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { needsPerson } from "../../../src/core/run/view.ts";
import { Driver, plan, subtask } from "./driver.ts";

const INSTALL: Refusal = { tool: "execute", command: "npm install left-pad" };
const one = plan([subtask("a")]);
const WAIT_MS = 60_000;

interface Asking {
  readonly of?: string;
  readonly call?: Refusal;
  readonly request?: number;
  readonly waitMs?: number;
}

function ask(
  run: Driver,
  { of = "a", call = INSTALL, request = 1, waitMs = WAIT_MS }: Asking = {},
) {
  const attempt = run.of(of).running.at(-1)?.attempt;
  return run.give({ kind: "permission-asked", subtask: of, attempt, request, call, waitMs });
}

function waiting(of: Plan = one, asking: Asking = {}): Driver {
  const run = new Driver("standard", of);
  ask(run, asking);
  return run;
}

const settledBy = (run: Driver) =>
  run.all("permission-settled").map(({ request, allowed, by }) => [request, allowed, by]);
const permits = (run: Driver) =>
  run.commands.flatMap((one) => (one.kind === "permit" ? [[one.id, one.allowed]] : []));
const expire = (run: Driver): void => {
  const { expiry } = run.of("a");
  assert.ok(expiry !== undefined);
  run.now = expiry.dueAt;
  run.give({ kind: "timer-fired", subtask: "a", timer: expiry.id });
};

test("the question is asked while the attempt goes on, and says what each answer does", () => {
  const run = waiting();
  const { phase, checkpoint, running, expiry } = run.of("a");
  assert.deepEqual([phase, running.length, run.state.agents], ["running", 1, 1]);
  assert.ok(checkpoint !== undefined);
  assert.equal(
    checkpoint.question,
    "The agent of subtask a waits for your permission to use `npm install left-pad`. Allow it?",
  );
  assert.deepEqual([checkpoint.expiresAt, expiry?.dueAt], [run.now + WAIT_MS, run.now + WAIT_MS]);
  const words = questionWords(checkpoint, "r1");
  assert.deepEqual([words.cause, words.otherwise], ["waits for permission", "it is refused"]);
  assert.deepEqual(
    words.choices.map(({ answer, does, recommended }) => [answer, does, recommended]),
    [
      ["allow-once", "The agent goes on with this call; it asks again before another.", true],
      ["allow-run", "The agent goes on. Every attempt of this run may use it.", false],
      ["allow-always", "The agent goes on. Adds a rule to your own settings, for all runs.", false],
      ["without", "Refuses it; the agent goes on and has to do without it.", false],
    ],
  );
  assert.equal(needsPerson(run.state), false, "its owner stays at work");
});

test("each answer is for the call that waits, and the attempt goes on with it", () => {
  const after = (kind: "allow-once" | "allow-run" | "allow-always" | "without"): Driver => {
    const run = waiting();
    run.answer("a/c1", { kind });
    assert.equal(run.of("a").checkpoint, undefined);
    assert.deepEqual(
      [run.of("a").phase, run.of("a").attempt, run.recoveries()],
      ["running", 1, []],
    );
    return run;
  };
  const once = after("allow-once");
  assert.deepEqual(settledBy(once), [[1, true, "alice"]]);
  assert.deepEqual(permits(once), [["r1/a/1/permit/1", true]]);
  ask(once, { request: 2 });
  assert.equal(once.of("a").checkpoint?.id, "a/c2", "once is once");
  for (const kind of ["allow-run", "allow-always"] as const) {
    const run = after(kind);
    ask(run, { request: 2 });
    assert.equal(run.of("a").checkpoint, undefined);
    assert.deepEqual(permits(run).at(-1), ["r1/a/1/permit/2", true]);
  }
  const without = after("without");
  assert.deepEqual(settledBy(without), [[1, false, "alice"]]);
  ask(without, { request: 2 });
  assert.deepEqual(permits(without).at(-1), ["r1/a/1/permit/2", false]);
  without.red("a", { remains: { refused: [INSTALL] } });
  assert.notEqual(
    without.of("a").phase,
    "asking",
    "nobody is asked again about what they answered",
  );
});

test("without an answer in time it is refused, and the attempt's end asks as ever", () => {
  const run = waiting();
  expire(run);
  assert.deepEqual(settledBy(run), [[1, false, undefined]]);
  assert.deepEqual([run.of("a").phase, run.of("a").checkpoint], ["running", undefined]);
  ask(run, { request: 2, call: { tool: "execute", command: "npm ci" } });
  assert.equal(run.of("a").checkpoint, undefined, "nobody is there: nothing waits");
  run.red("a", { remains: { refused: [INSTALL] } });
  assert.equal(run.of("a").phase, "asking");
  assert.match(run.of("a").checkpoint?.question ?? "", /was not allowed to use/);
  run.answer("a/c2", { kind: "allow-once" });
  ask(run, { call: { tool: "execute", command: "npm ci" } });
  assert.equal(run.of("a").checkpoint?.waiting?.attempt, 2, "somebody is there again");
});

test("what is refused at once, with a reason", () => {
  const rows: readonly (readonly [string, () => Driver, RegExp])[] = [
    ["no time to wait", () => waiting(one, { waitMs: 0 }), /nobody is there/],
    [
      "only a look",
      () => waiting(one, { call: { tool: "Bash", command: "git log -3" } }),
      /do without/,
    ],
    ["read-only", () => waiting(plan([subtask("a", { readOnly: true })])), /do without/],
    ["never wanted", () => waiting(plan([subtask("a")], { never: ["install"] })), /never wants/],
    [
      "the run pauses",
      () => {
        const run = new Driver("standard", one);
        run.give({ kind: "pause-requested", pause: 1, by: "user", reason: "enough" });
        ask(run);
        return run;
      },
      /about to be stopped/,
    ],
    [
      "another question",
      () => {
        const run = waiting();
        ask(run, { request: 2, call: { tool: "execute", command: "npm ci" } });
        return run;
      },
      /another question/,
    ],
  ];
  for (const [name, make, because] of rows) {
    const run = make();
    const last = run.all("permission-settled").at(-1);
    assert.equal(last?.allowed, false, name);
    assert.match(last?.because ?? "", because, name);
    assert.equal(permits(run).at(-1)?.[1], false, name);
  }
});

test("what destroys can be allowed once and no longer", () => {
  for (const command of ["rm -rf elsewhere", "sudo make install"]) {
    const { checkpoint } = waiting(one, { call: { tool: "execute", command } }).of("a");
    assert.deepEqual(
      checkpoint?.options.map(({ answer }) => answer),
      ["without", "allow-once"],
    );
    assert.equal(checkpoint?.recommendation, "without");
  }
});

test("the end of the attempt closes its question, and a crash leaves nothing to answer", () => {
  const run = waiting();
  assert.deepEqual(
    outstanding(run.state).map(({ kind }) => kind),
    ["start", "timer"],
  );
  run.fails("a", "lost");
  assert.equal(run.of("a").checkpoint, undefined);
  assert.equal(run.state.openCheckpoints, 0);
  assert.deepEqual(
    run.all("checkpoint-closed").map(({ by }) => by),
    ["unstuck"],
  );
  assert.deepEqual(settledBy(run), [], "nobody is left to be told");
  run.answer("a/c1", { kind: "allow-run" });
  assert.match(run.last?.ignored ?? "", /first answer stands/);
  assert.deepEqual(run.state.allowed, []);
  assert.equal(run.of("a").running.length, 1, "it is tried again");
});

test("a request comes once: again, late, or of another attempt it changes nothing", () => {
  const run = waiting();
  ask(run);
  assert.match(run.last?.ignored ?? "", /was answered/);
  run.answer("a/c1", { kind: "skip" });
  assert.match(run.last?.ignored ?? "", /does not offer skip/);
  run.answer("a/c1", { kind: "allow-once" });
  run.answer("a/c1", { kind: "without" });
  assert.deepEqual(permits(run), [["r1/a/1/permit/1", true]], "the first answer stands");
  run.give({
    kind: "permission-asked",
    subtask: "a",
    attempt: 7,
    request: 1,
    call: INSTALL,
    waitMs: 9,
  });
  assert.match(run.last?.ignored ?? "", /not running/);
});

test("only what a person answered is learned from", () => {
  const learned = (run: Driver) => {
    const collector = answerCollector();
    return run.journal.flatMap((event) => collector.add(event));
  };
  const answered = waiting();
  answered.answer("a/c1", { kind: "without" });
  assert.deepEqual(learned(answered), [{ risk: "install", yes: false }]);
  const late = waiting();
  expire(late);
  const gone = waiting();
  gone.fails("a", "lost");
  assert.deepEqual([learned(late), learned(gone)], [[], []]);
});
