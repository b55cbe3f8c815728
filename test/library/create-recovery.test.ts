import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecovery, createStuckDetector, PRESETS } from "../../src/index.ts";
import type { NextMove, RecoveryMemory, RecoveryOptions } from "../../src/index.ts";
import { standardRules } from "../../src/rules.ts";

const AT = Date.UTC(2026, 10, 15, 12, 0);
const recoveryWith = (options: RecoveryOptions = {}) =>
  createRecovery({ now: () => AT, random: () => 0.5, ...options });
const TASK = "Make the login page work.";
const prompt = { prompt: TASK };
const limited = { httpStatus: 429, message: "Too Many Requests", retryAfter: "30" };

function again(next: NextMove) {
  assert.equal(next.kind, "again", next.because);
  return next;
}

test("a rate limit waits as long as the server asks, and costs no attempt", () => {
  const recovery = recoveryWith({ limits: { attempts: 1 } });
  for (let time = 0; time < 3; time += 1) {
    const next = recovery.failed(limited, prompt);
    assert.ok(next.kind === "wait" && next.ms === 30_000);
    assert.match(next.because, /rate limited: not the agent's fault.*status 429/);
    assert.equal(next.failure.kind, "rate_limited");
  }
});

test("an outage waits on the policy's schedule, then with jitter, and ends at the limit of waits", () => {
  let now = AT;
  const recovery = recoveryWith({ now: () => now, limits: { waitMs: 10 * 60_000 } });
  const waits: number[] = [];
  for (;;) {
    const next = recovery.failed({ httpStatus: 503 }, prompt);
    if (next.kind !== "wait") {
      assert.equal(next.kind, "ask");
      assert.match(next.because, /outlasted every wait/);
      break;
    }
    waits.push(next.ms);
    now += next.ms;
  }
  assert.deepEqual(waits.slice(0, 5), [5_000, 10_000, 20_000, 30_000, 60_000]);
  assert.ok(now - AT <= 10 * 60_000);
});

test("failing checks: feedback twice, then other prompts, then a stronger model, then it gives up", () => {
  const recovery = recoveryWith({ models: ["small", "large"] });
  const seen: string[] = [];
  let next: NextMove | undefined;
  for (let time = 1; next?.kind !== "give-up" && time < 20; time += 1) {
    next = recovery.failed(`assertion ${"abcdefghijkl"[time]} failed`, {
      ...{ prompt: TASK, failing: ["logs in"], approach: `approach ${time}` },
    });
    if (next.kind === "again") {
      seen.push(`${next.recovery} ${next.model} ${next.conversation}`);
      assert.ok(next.prompt.includes(TASK), "the task's own words are in every prompt");
    }
  }
  assert.deepEqual(seen, [
    ...Array<string>(2).fill("feedback small keep"),
    ...Array<string>(3).fill("mutate small new"),
    "escalate large new",
    "escalate large new",
  ]);
  assert.equal(next?.kind, "give-up");
});

test("the next prompt tells what was tried, what failed and what the checks said", () => {
  const recovery = recoveryWith();
  const next = again(
    recovery.failed("expected 200, got 404", {
      ...{ prompt: TASK, failing: ["logs in", "logs out"], approach: "a new route" },
    }),
  );
  for (const words of [TASK, "a new route", "expected 200, got 404", "failing: logs in, logs out"])
    assert.ok(next.prompt.includes(words), words);
});

test("with rules, what a check printed is told by its excerpt, under the check's own kind", () => {
  const recovery = recoveryWith({ rules: standardRules() });
  const stdout = [
    "> shop@1.0.0 test",
    ...Array.from({ length: 200 }, (_, at) => `✔ adds ${at} (1ms)`),
    "✖ waits (2ms)",
    "  AssertionError [ERR_ASSERTION]: 429 Too Many Requests",
    "  'gave up' !== 'waited'",
    "ℹ cancelled 0",
  ].join("\n");
  const evidence = { origin: "check", command: "npm test", exitCode: 1, stdout };
  const next = again(recovery.failed(evidence, prompt));
  assert.equal(next.failure.kind, "verification_failed");
  assert.match(next.failure.because[0] ?? "", /^✖ waits \| 429 Too Many Requests \|/);
  assert.match(next.prompt, /'gave up' !== 'waited'/);
  assert.doesNotMatch(next.prompt, /shop@1|adds 3|cancelled/);
});

test("the task stays the task, whether the loop passes it or the prompt of the last try", () => {
  const prompts = [true, false].map((passesTask) => {
    const recovery = recoveryWith();
    let last = TASK;
    for (let time = 1; time <= 4; time += 1) {
      const asked = passesTask ? TASK : last;
      last = again(recovery.failed(`no ${time}`, { prompt: asked, failing: ["a"] })).prompt;
    }
    return last;
  });
  assert.equal(prompts[0], prompts[1]);
  assert.equal(prompts[0]?.split(TASK).length, 2, "once");
});

test("a plain retry leaves the prompt as it was", () => {
  const recovery = recoveryWith();
  const fed = again(recovery.failed("no", { prompt: TASK, failing: ["a"] })).prompt;
  const next = again(recovery.failed(new Error("something nobody knows"), { prompt: fed }));
  assert.equal(next.recovery, "retry");
  assert.equal(next.prompt, fed);
});

test("only a person can give a key: it asks, and their words are in the next prompt", () => {
  const recovery = recoveryWith();
  const next = recovery.failed({ httpStatus: 401, message: "no key" }, prompt);
  assert.ok(next.kind === "ask");
  assert.equal(next.question, "Can you log in or give the agent a key for the service it needs?");
  const answered = recovery.answered("I have set the key. Use the test account.");
  assert.match(answered.prompt, /Heed this before all else:\nI have set the key\./);
  assert.equal(answered.failure.kind, "auth_required");
  assert.equal(recovery.failed({ httpStatus: 401 }, prompt).kind, "ask");
});

test("a malformed answer is asked for again with its schema, without costing an attempt", () => {
  const recovery = recoveryWith({ limits: { attempts: 1 } });
  const error = Object.assign(new Error("No object generated"), {
    name: "AI_NoObjectGeneratedError",
  });
  const schema = { type: "object", required: ["files"] };
  const next = again(recovery.failed(error, { prompt: TASK, schema }));
  assert.match(next.prompt, /answer with ONLY one valid JSON value[^]*"required"/);
});

test("a loop that the detector saw is ended with another prompt in a new conversation", () => {
  const detector = createStuckDetector();
  let verdict = detector.step({ kind: "turn_end" });
  for (let time = 0; verdict.level !== "stuck" && time < 10; time += 1) {
    detector.step({ kind: "tool_call", tool: "Bash", args: { command: "npm test" } });
    verdict = detector.step({ kind: "tool_result", tool: "Bash", output: "Error: no such file" });
  }
  const next = again(recoveryWith().failed(verdict, prompt));
  assert.equal(next.failure.kind, "looping");
  assert.equal(`${next.recovery} ${next.conversation}`, "mutate new");
});

test("a full context goes on in a new conversation, which is told where the old one stopped", () => {
  const full = { httpStatus: 400, providerError: { code: "context_length_exceeded" } };
  const output = "The form is done, the route is missing.";
  const next = again(recoveryWith().failed(full, { prompt: TASK, output }));
  assert.equal(`${next.recovery} ${next.conversation}`, "continue new");
  assert.match(next.prompt, /Go on where the last session left off:[^]*the route is missing/);
});

test("a broken build starts fresh from the good commit, where one is known", () => {
  const broken = {
    origin: "check",
    exitCode: 2,
    stdout: "src/a.ts(1,1): error TS1005: ';' expected.",
  };
  const attempt = { prompt: TASK, goodCommit: "abc123" };
  const next = again(recoveryWith({ rules: standardRules() }).failed(broken, attempt));
  assert.equal(next.recovery, "fresh");
  assert.equal(next.resetTo, "abc123");
});

test("with the rules a failed command is known by its words, and its repair is told", () => {
  const error = Object.assign(new Error("Command failed"), {
    ...{ code: 127, cmd: "rg todo", stdout: "", stderr: "sh: 1: rg: not found" },
  });
  const step = { kind: "tool_call", tool: "Bash", args: { command: "rg todo" } } as const;
  const next = again(
    recoveryWith({ rules: standardRules() }).failed(error, { prompt: TASK, step }),
  );
  assert.equal(next.failure.kind, "command_not_found");
  assert.equal(next.recovery, "repair");
  assert.match(next.prompt, /This failure has a known repair/);
  assert.notEqual(again(recoveryWith().failed(error, { prompt: TASK, step })).recovery, "repair");
});

test("work that is the same before and after is no progress", () => {
  const recovery = recoveryWith();
  recovery.failed("no", { prompt: TASK, failing: ["a"], tree: "t1" });
  const next = recovery.failed("no", { prompt: TASK, failing: ["a"], tree: "t1" });
  assert.equal(next.failure.kind, "no_progress");
});

test("limits: attempts, money and tokens", () => {
  const twice = recoveryWith({ limits: { attempts: 2 } });
  const failing = { prompt: TASK, failing: ["a"] };
  assert.equal(twice.failed("no", failing).kind, "again");
  assert.equal(twice.failed("no", failing).kind, "give-up");
  const poor = recoveryWith({ limits: { usd: 1, tokens: 10_000 } });
  assert.equal(poor.failed("no", { ...failing, used: { usd: 0.2, tokens: 100 } }).kind, "again");
  const next = poor.failed("no", { ...failing, used: { usd: 0.79, tokens: 100 } });
  assert.deepEqual([next.kind, next.because], ["give-up", "the limit of usd is used up"]);
});

test("succeeded forgets what was tried and keeps what was spent", () => {
  const recovery = recoveryWith({ limits: { attempts: 2, usd: 1 } });
  const attempt = { prompt: TASK, failing: ["a"], used: { usd: 0.6 } };
  recovery.failed("no", attempt);
  recovery.succeeded();
  assert.equal(again(recovery.failed("no", { ...attempt, used: {} })).recovery, "feedback");
  assert.equal(recovery.failed("no", { ...attempt, used: { usd: 0.4 } }).kind, "give-up");
});

test("policies are data: a preset, or one's own", () => {
  const policy = { ...PRESETS.standard, rungs: [{ id: "only", do: "mutate", times: 1 }] } as const;
  const recovery = recoveryWith({ policy });
  const failing = { prompt: TASK, failing: ["a"] };
  assert.equal(again(recovery.failed("no", failing)).recovery, "mutate");
  assert.equal(recovery.failed("no", failing).kind, "ask", "after the last rung a person is asked");
});

test("several branches at once are never proposed", () => {
  const explore = [{ id: "explore", do: "explore" }] as const;
  const recovery = recoveryWith({ policy: { ...PRESETS.standard, rungs: explore } });
  assert.equal(recovery.failed("no", { prompt: TASK, failing: ["a"] }).kind, "ask");
});

test("memory: plain JSON that is refused, with a reason, when it is not ours", () => {
  const recovery = recoveryWith();
  recovery.failed("no", { prompt: TASK, failing: ["a"] });
  const memory = recovery.toJSON();
  assert.deepEqual(JSON.parse(JSON.stringify(recovery)), memory);
  assert.equal(memory.task, TASK);
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ ...memory, version: 2 }, /expected version 1/],
    [null, /expected version 1/],
    [{ ...memory, task: 1 }, /no task or prompt/],
    [{ ...memory, state: [] }, /no state/],
    [{ ...memory, state: { counted: "1" } }, /counted is of another type/],
    [{ ...memory, state: { attempts: {} } }, /attempts is of another type/],
    [{ ...memory, state: { other: 1 } }, /unknown field other/],
  ];
  for (const [value, reason] of refused)
    assert.throws(() => recoveryWith({ memory: value as RecoveryMemory }), reason);
});

test("a task's memory is bounded, however often it fails", () => {
  const recovery = recoveryWith();
  for (let time = 0; time < 500; time += 1)
    recovery.failed({ httpStatus: 503, message: "overloaded ".repeat(100) }, prompt);
  assert.ok(JSON.stringify(recovery).length < 200_000, `${JSON.stringify(recovery).length}`);
});
