// proves: U10
// Answers through a reply topic of ntfy. The tests go on from each other, with one run.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serveHome } from "../../../src/http/listen.ts";
import { answerKey } from "../../../src/operations/notify/answer-key.ts";
import { notifyStatus, testNotify } from "../../../src/operations/notify/notify.ts";
import { answerToken, type Grant } from "../../../src/operations/notify/signature.ts";
import { inbox } from "../../../src/operations/questions/inbox.ts";
import { startRun } from "../../../src/operations/runs/start.ts";
import { configFile, repository } from "../../end-to-end/run/repository.ts";
import { inputsOf, pause, untilSo } from "../../end-to-end/run/runs.ts";
import { smallNtfy, type OnPhone, type SmallNtfy } from "./small-ntfy.ts";

const here = repository();
Object.assign(process.env, here.env);
delete process.env["UNSTUCK_ATTEMPT"];
const context = { cwd: here.path };
const finish = join(here.path, "..", "finish");
let ntfy: SmallNtfy;
let running: ReturnType<typeof startRun.run>;

before(async () => {
  ntfy = await smallNtfy();
  writeFileSync(
    configFile(here.home),
    `answers: unattended
keepAwake: false
notify:
  ntfy: { server: "${ntfy.url}/", topic: mine, replyTopic: $TEST_REPLIES }
`,
  );
  process.env["TEST_REPLIES"] = "my-replies";
});
after(async () => {
  writeFileSync(finish, "");
  await running;
  await ntfy.close();
  here.remove();
});

/** As the phone's app does, or anybody who knows the topic. */
const posted = (body: string, url = `${ntfy.url}/my-replies`): Promise<Response> =>
  fetch(url, { method: "POST", body });
const tokenFor = (question: string, answer: Grant["answer"], more: Partial<Grant> = {}): string => {
  const grant = { run: here.runs()[0] ?? "", question, answer, expires: Date.now() + 60_000 };
  return answerToken(answerKey({ root: here.home }), { ...grant, ...more });
};
const came = (isSo: () => boolean, what: string): Promise<void> => untilSo(isSo, () => what);
const answers = (): readonly unknown[] =>
  inputsOf(here.events(), "checkpoint-answered").map(({ checkpoint, by }) => [
    ...[checkpoint, String(by).replace(/^.* \(/, "(")],
  ]);

test("a reply topic is one of its own, and a test says whether it can be read", async () => {
  process.env["TEST_REPLIES"] = "mine";
  const same = await testNotify.run(context, {});
  assert.match(JSON.stringify(same), /"sent":true,"problem":"replyTopic is the topic of the mess/);
  process.env["TEST_REPLIES"] = "my-replies";
  const tested = await testNotify.run(context, {});
  assert.deepEqual(tested.ok && tested.value.results, [{ channel: "ntfy", sent: true }]);
  assert.deepEqual(ntfy.phone.splice(0).at(-1)?.actions, []);
  const status = await notifyStatus.run(context, {});
  assert.ok(status.ok && status.value.takesReplies);
  assert.doesNotMatch(JSON.stringify(status), /my-replies/);
});

test("a run at work takes the answer of a button once, and whatever else is posted does nothing", async () => {
  const lost = { error: "Error: the gate said no to us", exit: 1 };
  const busy = `while [ ! -e "${finish}" ]; do sleep 0.2; done`;
  const agent = here.agent({
    ...{ a: [lost], b: [{ print: "hm" }] },
    c: [{ run: [["sh", "-c", busy]], write: { "value.txt": "2\n" } }],
  });
  const plan = {
    ...{ agent, grounding: false, policy: "hierarchical", concurrency: 3 },
    subtasks: ["a", "b", "c"].map((id) => ({ id, prompt: id, checks: ["sh check.sh"] })),
  };
  running = startRun.run(context, { planText: JSON.stringify(plan), trust: true });
  const ofA = (): OnPhone | undefined =>
    ntfy.phone.find(({ title }) => title.includes(": a needs you"));
  await came(() => ofA() !== undefined, "no message");
  await came(() => ntfy.listeners() > 0, "nobody listens");
  const told = ofA();
  assert.deepEqual(
    told?.actions.map(({ action, label, method, url }) => [action, label, method, url]),
    [
      ["http", "Skip", "POST", `${ntfy.url}/my-replies`],
      ["http", "Later", "POST", `${ntfy.url}/my-replies`],
    ],
  );
  const [skip] = told.actions;
  assert.ok(skip !== undefined);

  const id = "a/c1";
  for (const body of [
    ...["", "skip", "{}", "null", "x".repeat(3000), `${skip.body}x`, skip.body.slice(0, -1)],
    JSON.stringify({ token: skip.body, answer: "retry" }),
    answerToken("another key", { ...GRANT, run: here.runs()[0] ?? "", question: id }),
    ...[tokenFor(id, "skip", { expires: Date.now() - 1 }), tokenFor(id, "deny")],
    ...[tokenFor("c/c1", "skip"), tokenFor(id, "skip", { run: "20200101-0000-000000" })],
  ])
    await posted(body);
  await posted(skip.body, skip.url);
  await posted(skip.body, skip.url);
  await came(() => answers().length > 0, "the run did not take it");
  assert.deepEqual(answers(), [[id, "(notification)"]]);
});

const GRANT = { answer: "skip", expires: Date.now() + 600_000 } as const;

test("a server listens too, hears what came before it did, and comes back to a topic that broke off", async () => {
  await came(() => /"b\/c1"/.test(JSON.stringify(here.events())), "b does not ask");
  ntfy.status = 503;
  ntfy.hangUp();
  writeFileSync(finish, "");
  assert.ok((await running).ok);
  ntfy.status = 200;
  await posted("nonsense");
  await posted(tokenFor("b/c1", "skip"));
  const ending = new AbortController();
  const { promise: isServed, resolve: ready } = Promise.withResolvers<string>();
  const served = serveHome({
    ...{ host: "127.0.0.1", port: 0, names: [], insecureBeyondLoopback: false },
    ...{ ...context, ready, report: (error) => assert.fail(String(error)), until: ending.signal },
  });
  await isServed;
  const given = async (): Promise<string | undefined> => {
    const read = await inbox.run(context, {});
    return read.ok ? read.value.questions.find(({ id }) => id === "b/c1")?.given?.words : undefined;
  };
  const before = ntfy.begun();
  await came(() => ntfy.listeners() > 0, "the server does not listen");
  while ((await given()) === undefined) await pause(100);
  assert.equal(await given(), "skip");
  ntfy.hangUp();
  await came(() => ntfy.begun() > before + 1, "it did not come back");
  ending.abort();
  await served;
  await came(() => ntfy.listeners() === 0, "it still listens");
  ntfy.status = 403;
  const tested = await testNotify.run(context, {});
  assert.match(JSON.stringify(tested), /it answered with HTTP 403/);
});
