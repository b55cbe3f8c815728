// proves: U10
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { answerKey } from "../../src/operations/notify/answer-key.ts";
import { answerToken, type Grant } from "../../src/operations/notify/signature.ts";
import { inbox } from "../../src/operations/questions/inbox.ts";
import { startRun } from "../../src/operations/runs/start.ts";
import { repository } from "../end-to-end/run/repository.ts";
import { bearer, problemIn, testServer, type Answer, type TestServer } from "./server.ts";

const here = repository();
const context = { cwd: here.path };
const SUBTASK = "goal";
let server: TestServer;
let run = "";
before(async () => {
  server = await testServer();
  const error = "Error: the gate said no to us";
  const agent = here.agent({ [SUBTASK]: [{ error, exit: 1 }, { error, exit: 1 }] }); // prettier-ignore
  const goal = { goal: "make it 2", checks: ["sh check.sh"], agent, grounding: false };
  const started = await startRun.run(context, goal);
  assert.ok(started.ok && "end" in started.value && started.value.end === "needs-person");
  run = started.value.run;
});
after(async () => {
  await server.close();
  here.remove();
});

const tokenFor = (answer: Grant["answer"], expires = Date.now() + 60_000): string =>
  answerToken(answerKey({ root: server.home }), {
    run,
    question: `${SUBTASK}/c1`,
    answer,
    expires,
  });
const path = "/api/answer-by-token";
const post = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  server.send({ method: "POST", path, headers, body: JSON.stringify({ token }) });
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const pressed = (token: string): Promise<Answer> =>
  server.send({
    ...{ method: "POST", path, body: new URLSearchParams({ token }).toString() },
    // As a browser sends it from a page that tells no address.
    headers: { ...FORM, origin: "null", "sec-fetch-site": "same-origin" },
  });
const opened = (token: string): Promise<Answer> =>
  server.send({ path: `/answer?token=${encodeURIComponent(token)}` });
async function given(): Promise<{ readonly words: string; readonly by: string } | undefined> {
  const read = await inbox.run(context, { all: true });
  assert.ok(read.ok);
  return read.value.questions[0]?.given;
}

describe("the buttons of messages", () => {
  test("a token that is not ours, is old, or answers what is not offered changes nothing", async () => {
    const rows = [
      { token: "", status: 403, says: /no button of ours/ },
      { token: `${tokenFor("skip")}x`, status: 403, says: /no button of ours/ },
      { token: await server.token("ci"), status: 403, says: /no button of ours/ },
      { token: tokenFor("skip", Date.now() - 1), status: 403, says: /has expired/ },
      { token: tokenFor("deny"), status: 409, says: /does not offer that/ },
    ];
    for (const { token, status, says } of rows) {
      const answer = await post(token);
      assert.equal(answer.status, status, answer.text);
      assert.match(problemIn(answer).message, says);
    }
    const page = await opened(tokenFor("skip", Date.now() - 1));
    assert.equal(page.status, 403);
    assert.match(page.text, /Nothing was changed.*This button has expired: answer with unstuck/);
    assert.doesNotMatch(page.text, /<form/);
    assert.equal((await post("x".repeat(3000))).status, 400);
    assert.equal(await given(), undefined);
  });

  test("a token opens nothing else, and comes by POST only", async () => {
    const token = tokenFor("skip");
    for (const sent of [
      { path: `${path}?token=${token}` },
      { path: `${path}?input=${encodeURIComponent(JSON.stringify({ token }))}` },
      { path: "/api/list", headers: bearer(token) },
      { method: "POST", path: "/api/answer", body: JSON.stringify({ token }) },
    ])
      assert.ok([401, 429].includes((await server.send(sent)).status), sent.path);
    const rebound = { host: `evil.example:${server.port}` };
    assert.equal((await post(token, rebound)).status, 403);
    assert.equal(await given(), undefined);
  });

  test("whoever follows the link decides nothing: it shows a page without scripts whose button posts", async () => {
    const token = tokenFor("snooze");
    const { status, text, headers } = await opened(token);
    assert.equal(status, 200);
    assert.equal((await opened(token)).status, 200);
    assert.match(text, /<h1>Ask again in an hour\?<\/h1>/);
    assert.match(text, new RegExp(`run ${run}\\. ${SUBTASK} needs you: `));
    assert.doesNotMatch(text, /<script|the gate said no/);
    const [, action = "", value = ""] =
      /<form method="post" action="([^"]+)">.*name="token" value="([^"]+)"/.exec(text) ?? [];
    assert.deepEqual([new URL(action, `${server.url}/answer`).pathname, value], [path, token]);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/);
    assert.deepEqual([headers["x-frame-options"], headers["cache-control"]], ["DENY", "no-store"]);
    assert.deepEqual([headers["referrer-policy"], await given()], ["no-referrer", undefined]);

    const later = await pressed(token);
    assert.deepEqual([later.status, /told again in an hour/.test(later.text)], [200, true]);
    for (const again of [await pressed(token), await opened(token)]) {
      assert.equal(again.status, 409);
      assert.match(again.text, /This button was used already/);
    }
  });

  test("a button answers once, from any page, and who answered is recorded", async () => {
    const token = tokenFor("skip");
    const elsewhere = { origin: "https://ntfy.example", "sec-fetch-site": "cross-site" };
    const both = await Promise.all([post(token, elsewhere), post(token, elsewhere)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const answer = await given();
    assert.equal(answer?.words, "skip");
    assert.match(answer.by, / \(notification\)$/);
    assert.match(problemIn(await post(tokenFor("skip"))).message, /has been answered/);
    assert.deepEqual(server.reported, []);
  });
});
