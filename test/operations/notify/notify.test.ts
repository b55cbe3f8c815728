// proves: U10
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Message } from "../../../src/core/notify/message.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { systemProcesses } from "../../../src/engines/system.ts";
import { answerByToken } from "../../../src/operations/notify/answer-by-token.ts";
import { answerKey } from "../../../src/operations/notify/answer-key.ts";
import { SENDERS } from "../../../src/operations/notify/channels.ts";
import { notifyStatus, sendNotices, testNotify } from "../../../src/operations/notify/notify.ts";
import { answerToken } from "../../../src/operations/notify/signature.ts";
import type { Context, Operation } from "../../../src/operations/operation.ts";
import { inbox } from "../../../src/operations/questions/inbox.ts";
import { resumeRun } from "../../../src/operations/runs/resume.ts";
import { startRun } from "../../../src/operations/runs/start.ts";
import { configFile, repository } from "../../end-to-end/run/repository.ts";
import { receiver, type Receiver } from "./receiver.ts";

const here = repository();
Object.assign(process.env, here.env);
const context: Context = { cwd: here.path };
let there: Receiver;
before(async () => (there = await receiver()));
after(async () => {
  await there.close();
  here.remove();
});

async function done<Input, Output, Happening>(
  operation: Operation<Input, Output, Happening>,
  input: Input,
): Promise<Output> {
  const schemas = await operation.schemas();
  const result = await operation.run(context, schemas.input.parse(input));
  assert.ok(result.ok, JSON.stringify(result));
  schemas.output.parse(result.value);
  return result.value;
}
const problemOf = async <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
): Promise<string> => {
  const result = await operation.run(context, input);
  assert.ok(!result.ok);
  return result.problem.message;
};
const configured = (lines: string): void =>
  writeFileSync(configFile(here.home), `answers: unattended\nkeepAwake: false\n${lines}`);
const lastJson = (): Record<string, unknown> =>
  JSON.parse(there.requests.at(-1)?.body.toString() ?? "{}") as Record<string, unknown>;

test("notify test: what each channel is sent, and what is said of it", async () => {
  configured("");
  assert.match(await problemOf(testNotify, {}), /no way to notify you is set up/);
  configured(
    `notify:
  webhook: { url: "${there.url}/hook", secret: key-1 }
  slack: { url: $TEST_SLACK_URL }
  ntfy: { server: "${there.url}", topic: secret-topic, token: tk_1 }
  publicUrl: https://u.example
`,
  );
  process.env["TEST_SLACK_URL"] = `${there.url}/services/T0/B0/hidden`;
  const { results } = await done(testNotify, {});
  assert.deepEqual(results, [
    { channel: "webhook", sent: true },
    { channel: "slack", sent: true },
    { channel: "ntfy", sent: true },
  ]);
  const [hook, slack, ntfy] = there.requests;
  const [, time = "", mac = ""] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(hook?.headers["x-unstuck-signature"])) ?? [];
  const signed = createHmac("sha256", "key-1").update(`${time}.${hook?.body.toString()}`);
  assert.equal(mac, signed.digest("hex"));
  assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 600);
  assert.equal(slack?.path, "/services/T0/B0/hidden");
  assert.match(slack.body.toString(), /"text":"Open"\},"url":"https:\/\/u.example"/);
  assert.equal(ntfy?.headers.authorization, "Bearer tk_1");
  assert.equal((JSON.parse(ntfy.body.toString()) as { topic: string }).topic, "secret-topic");
  assert.match(await problemOf(testNotify, { channel: "desktop" }), /desktop is not set up/);
  const status = await done(notifyStatus, {});
  assert.doesNotMatch(JSON.stringify(status), /hidden|secret-topic|key-1|tk_1|127\.0\.0\.1/);
});

test("Slack's buttons are links, to a page that asks once more", async () => {
  const message: Message = {
    ...{ severity: "question", title: "x: goal needs you", lines: ["x"], notices: [] },
    ...{ command: "unstuck review", url: "https://u.example/inbox" },
  };
  const link = "https://u.example/answer?token=a.b";
  const button = { answer: "snooze", question: "goal/c1", run: "r", token: "a.b", url: "-", link };
  await SENDERS.slack({ slack: { url: `${there.url}/slack` } }, message, [button]);
  const { blocks } = lastJson() as { blocks: { elements?: { text: object; url: string }[] }[] };
  assert.deepEqual(
    blocks.at(-1)?.elements?.map(({ text, url }) => [(text as { text: string }).text, url]),
    [
      ["Open", message.url],
      ["Later", link],
    ],
  );
});

test("what goes wrong is told without addresses, and no redirect is followed", async () => {
  const before = there.requests.length;
  for (const [status, words] of [
    [302, "it could not be reached"],
    [404, "it answered with HTTP 404"],
    [503, "it answered with HTTP 503"],
  ] as const) {
    there.status = status;
    const { results } = await done(testNotify, { channel: "slack" });
    assert.deepEqual(results, [{ channel: "slack", sent: false, problem: words }]);
  }
  there.status = 200;
  assert.equal(there.requests.length - before, 3);
  delete process.env["TEST_SLACK_URL"];
  const { results } = await done(testNotify, { channel: "slack" });
  assert.match(results[0]?.problem ?? "", /environment variable .* is not set/);
  configured("notify: { quietHours: { from: 22, to: '07:00' } }\n");
  assert.match(await problemOf(notifyStatus, {}), /config\.yaml:3: .*quietHours/);
});

test("the desktop's own program gets title and text as arguments, whatever they hold", async () => {
  const bin = join(here.home, "..", "bin");
  mkdirSync(bin);
  const file = join(bin, process.platform === "darwin" ? "osascript" : "notify-send");
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > "${join(bin, "args")}"\n`);
  chmodSync(file, 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${bin}:${path}`;
  configured("notify: { desktop: true }\n");
  const { results } = await done(testNotify, {});
  process.env["PATH"] = path;
  assert.deepEqual(results, [{ channel: "desktop", sent: true }]);
  assert.match(readFileSync(join(bin, "args"), "utf8"), /--\nUnstuck: a test\nNotifications reach/);
});

test("a run's question goes out while nobody looks, is tried again after a failure, and its button answers once", async () => {
  configured(
    `notify:
  webhook: { url: "${there.url}/hook", secret: key-1, when: [question, critical] }
  publicUrl: https://u.example
`,
  );
  there.requests.length = 0;
  there.status = 500;
  const agent = here.agent({
    goal: [
      { error: "Error: the gate said no to us", exit: 1 },
      { error: "Error: the gate said no to us", exit: 1 },
    ],
  });
  const goal = { goal: "make it 2", checks: ["sh check.sh"], agent, grounding: false };
  const started = await startRun.run(context, goal);
  assert.ok(started.ok && "end" in started.value && started.value.end === "needs-person");
  const { run } = started.value;
  assert.ok(there.requests.length >= 1);
  const failed = await done(notifyStatus, {});
  assert.deepEqual([failed.waiting, failed.problems[0]?.problem], [1, "it answered with HTTP 500"]);

  there.status = 200;
  await makeDue();
  assert.deepEqual(await done(sendNotices, {}), { sent: 1, waiting: 0 });
  const message = lastJson();
  assert.equal(message["url"], "https://u.example/inbox");
  assert.doesNotMatch(JSON.stringify(message), /the gate said no/);
  const answers = message["answers"] as { answer: string; token: string; url: string }[];
  assert.deepEqual(
    answers.map(({ answer, url }) => [answer, url]),
    [
      ["skip", "https://u.example/api/answer-by-token"],
      ["snooze", "https://u.example/api/answer-by-token"],
    ],
  );
  const token = (name: string): string =>
    answers.find(({ answer }) => answer === name)?.token ?? "";

  const later = await done(answerByToken, { token: token("snooze") });
  assert.ok((later.again ?? 0) > Date.now() + 3_000_000);
  assert.equal((await done(notifyStatus, {})).waiting, 1);
  assert.match(await problemOf(answerByToken, { token: token("snooze") }), /used already/);
  assert.match(await problemOf(answerByToken, { token: `${token("skip")}x` }), /no button of ours/);
  const key = answerKey({ root: here.home });
  assert.equal(statSync(join(here.home, "answer-key")).mode & 0o777, 0o600);
  const grant = { run, question: "goal/c1", answer: "skip", expires: Date.now() - 1 } as const;
  assert.match(await problemOf(answerByToken, { token: answerToken(key, grant) }), /has expired/);
  const expires = Date.now() + 60_000;
  const denied = answerToken(key, { ...grant, answer: "deny", expires });
  assert.match(await problemOf(answerByToken, { token: denied }), /does not offer that/);

  assert.equal((await done(answerByToken, { token: token("skip") })).answer, "skip");
  const { questions } = await done(inbox, {});
  assert.equal(questions[0]?.given?.words, "skip");
  const late = answerToken(key, { ...grant, expires });
  assert.match(await problemOf(answerByToken, { token: late }), /has been answered/);

  const asked = there.requests.length;
  await done(resumeRun, { run });
  await makeDue();
  await done(sendNotices, {});
  const told = there.requests.slice(asked).map(({ body }) => body.toString());
  assert.equal(told.length, 1, "the snoozed question is answered: only the end is told");
  assert.match(told[0] ?? "", /The run failed/);
});

/** As if an hour had passed. */
async function makeDue(): Promise<void> {
  const journal = await openJournal({
    path: join(here.home, "unstuck.db"),
    processes: systemProcesses(),
  });
  await journal.incidents.change("notify outbox", (text = "{}") => {
    const outbox = JSON.parse(text) as { waiting: { due: number }[]; sent: unknown[] };
    for (const item of outbox.waiting) item.due = 0;
    outbox.sent = [];
    return { next: JSON.stringify(outbox), answer: undefined };
  });
  await journal.close();
}
