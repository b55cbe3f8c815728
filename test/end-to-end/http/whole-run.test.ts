// proves: A10, E12, D4, D5, D7, U14
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inRepository } from "../run/repository.ts";
import { inputsOf, pause } from "../run/runs.ts";
import { clientOf, eventsFrom, serve, type StreamEvent } from "./served.ts";

const LOGGED_OUT = { error: "API Error: 401 authentication_error: invalid x-api-key", exit: 1 };
const WORDS = "use the second key";

const eventKind = ({ data }: StreamEvent): unknown => (data["event"] as { kind?: string }).kind;

test("a client that was generated plays a whole run over HTTP: start, follow, answer, verified", () =>
  inRepository(async (here) => {
    const { token } = JSON.parse(here.unstuck("token", "create", "ci", "--json").out) as {
      token: string;
    };
    const server = await serve(here, { LEAKED: `Bearer ${token}` });
    try {
      const client = clientOf(server.url, token);
      const headers = { authorization: `Bearer ${token}` };
      const tried = join(here.path, "..", "tried.json");
      const agent = here.agent({
        goal: [
          {
            ...LOGGED_OUT,
            print: `the key is ${token}`,
            run: [[process.execPath, "-e", decidingAgent(server.url, token, tried)]],
          },
          { write: { "value.txt": "2\n" }, print: "done", expectPrompt: WORDS },
        ],
      });
      const planText = JSON.stringify({
        ...{ agent, grounding: false, policy: "hierarchical" },
        subtasks: [{ id: "goal", prompt: "make it 2", checks: ["sh check.sh"] }],
      });

      const whole = eventsFrom(`${server.url}/api/events`, headers, ({ event, data }) =>
        event !== "runs" ? false : isVerified(data),
      );
      whole.catch(() => undefined);
      const started = await client.POST("/api/start", { body: { planText } });
      const run = started.data?.run ?? assert.fail(JSON.stringify(started.error));

      const stream = `${server.url}/api/events?run=${run}`;
      const before = await eventsFrom(
        stream,
        headers,
        (event) => eventKind(event) === "checkpoint-opened",
      );
      const inbox = await client.POST("/api/inbox", { body: { all: true } });
      assert.equal(inbox.data?.questions.length, 1);
      const asks = { id: "goal/c1", trigger: "HICCUP", run };
      assert.partialDeepStrictEqual(inbox.data.questions[0], asks);

      const { asked, peer, read, environment } = JSON.parse(readFileSync(tried, "utf8")) as {
        asked: number;
        peer: string;
        read: number;
        environment: string;
      };
      assert.equal(asked, 403, "an agent may not decide, whatever it holds");
      assert.match(peer, /inside an attempt/);
      assert.equal(read, 200, "the secret itself was right");
      assert.doesNotMatch(environment, /unstuck_[\w-]{43}/);

      const refused = await client.POST("/api/answer", {
        body: { run, question: "goal/c1", answer: { kind: "without" } },
      });
      assert.equal(refused.response.status, 400);
      const answer = { run, question: "goal/c1", answer: { kind: "retry", words: WORDS } } as const;
      const answered = await client.POST("/api/answer", { body: answer });
      assert.equal(answered.data?.checkpoint, "goal/c1");
      const again = await client.POST("/api/answer", { body: answer });
      assert.equal(again.response.status, 409, "the first answer stands");
      await resumed(client, run);

      const lastId = before.at(-1)?.id ?? 0;
      const after = await eventsFrom(stream, { ...headers, "last-event-id": String(lastId) });
      assert.equal(after.at(-1)?.event, "end");
      const seen = [...before, ...after].flatMap(({ id }) => id ?? []);
      assert.deepEqual(
        seen,
        [...seen.keys()].map((at) => at + 1),
        "each event once, in order",
      );
      assert.equal(eventKind(after.at(-2) ?? assert.fail()), "run-ended");

      const shown = await client.POST("/api/read", { body: { run } });
      assert.equal(shown.data?.state, "verified");
      assert.equal(shown.data.startedBy, "ci (token)");
      const atTerminal = JSON.parse(here.unstuck("status", run, "--json").out) as { card: object };
      assert.deepEqual(shown.data.card, atTerminal.card);
      assert.ok(
        (await whole).some(({ event, data }) => event === "inbox" && data["questions"] === 1),
      );
      const [recorded] = inputsOf(here.events(), "checkpoint-answered");
      assert.equal(recorded?.["by"], "ci (token)");

      const input = encodeURIComponent(JSON.stringify({ run, at: "goal/1" }));
      const logs = await eventsFrom(`${server.url}/api/logs?input=${input}`, headers);
      assert.match(JSON.stringify(logs), /the key is \[secret 1\]/);
      assert.equal(logs.at(-1)?.event, "result");
      const followed = JSON.stringify({ run, at: "goal/1", follow: true });
      const address = `${server.url}/api/logs?input=${encodeURIComponent(followed)}`;
      const entries = logs.filter(({ event }) => event === "happening");
      for (const [index, { data }] of entries.entries()) {
        const back = { ...headers, "last-event-id": String(data["place"]) };
        const rest = await eventsFrom(address, back);
        assert.deepEqual(
          rest.filter(({ event }) => event === "happening").map((event) => event.data["entry"]),
          entries.slice(index + 1).map((event) => event.data["entry"]),
          `what follows after ${String(data["place"])}`,
        );
        assert.equal(rest.at(-1)?.event, "result");
      }
      assert.match(
        (await client.GET("/api/diff", { params: { query: { input: JSON.stringify({ run }) } } }))
          .data?.text ?? "",
        /^\+2$/m,
      );
      const figures = await (await fetch(`${server.url}/metrics`, { headers })).text();
      assert.match(figures, /^unstuck_runs\{state="verified"\} 1$/m);
      assert.match(figures, /^unstuck_recovery_triggers_total \d+$/m);
      assert.equal((await fetch(`${server.url}/metrics`)).status, 401);
      const applied = await client.POST("/api/apply", { body: { run } });
      assert.equal(applied.data?.result, "applied");
    } finally {
      assert.equal(await server.stop(), 0);
    }
  }));

/** Nobody waits at a terminal, so the run's process ends with its question, sooner or later. */
async function resumed(client: ReturnType<typeof clientOf>, run: string): Promise<void> {
  for (;;) {
    const { data, error } = await client.POST("/api/resume", { body: { run } });
    if (data !== undefined || /has ended/.test(error.problem.message)) return;
    await pause(200);
  }
}

const isVerified = (data: StreamEvent["data"]): boolean =>
  (data["runs"] as readonly { state: string }[]).some(({ state }) => state === "verified");

/** What an agent would run that wants to decide for its person. */
function decidingAgent(url: string, token: string, file: string): string {
  const headers = { authorization: `Bearer ${token}` };
  return `
    const environment = JSON.stringify(process.env);
    const headers = ${JSON.stringify(headers)};
    const cancel = { method: "POST", headers, body: JSON.stringify({ run: process.env.UNSTUCK_RUN }) };
    fetch(${JSON.stringify(`${url}/api/cancel`)}, cancel).then(async (answer) => {
      const list = await fetch(${JSON.stringify(`${url}/api/list`)}, { headers });
      const found = { asked: answer.status, peer: await answer.text(), read: list.status, environment };
      require("node:fs").writeFileSync(${JSON.stringify(file)}, JSON.stringify(found));
    });`;
}
