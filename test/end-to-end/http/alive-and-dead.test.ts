// proves: D7
import assert from "node:assert/strict";
import { test } from "node:test";
import { inRepository } from "../run/repository.ts";
import { eventsOf, inputsOf, isStarted, owner, planFile, until } from "../run/runs.ts";
import { clientOf, eventsFrom, serve, type StreamEvent } from "./served.ts";

const entryOf = (data: StreamEvent["data"]): Readonly<Record<string, unknown>> =>
  (data["entry"] ?? {}) as Readonly<Record<string, unknown>>;

test("a run that another process works on is seen live and stopped over HTTP; dead, it is cancelled", () =>
  inRepository(async (here) => {
    const { token } = JSON.parse(here.unstuck("token", "create", "ci", "--json").out) as {
      token: string;
    };
    const server = await serve(here);
    const client = clientOf(server.url, token);
    const plan = planFile(here, here.agent({ a: [{ print: "reading", hang: true }] }), [
      "id: a, prompt: hang, checks: [sh check.sh]",
    ]);
    const working = owner(here.start("run", plan, "--trust"));
    try {
      await until(here, isStarted);
      const [run = ""] = here.runs();
      const alive = await client.POST("/api/list", { body: {} });
      assert.partialDeepStrictEqual(alive.data?.runs[0], {
        id: run,
        state: "running",
        alive: true,
      });

      const headers = { authorization: `Bearer ${token}` };
      const input = encodeURIComponent(JSON.stringify({ run, until: "ended", view: "live" }));
      const live = await eventsFrom(
        `${server.url}/api/follow?input=${input}`,
        headers,
        ({ data }) => /"phase":"running"/.test(JSON.stringify(data["view"] ?? {})),
      );
      assert.equal(live.at(-1)?.event, "happening");

      const asked = encodeURIComponent(JSON.stringify({ run, at: "a/1", follow: true }));
      const address = `${server.url}/api/logs?input=${asked}`;
      const isPrinted = ({ data }: StreamEvent) => entryOf(data)["text"] === "reading";
      const printed = await eventsFrom(address, headers, isPrinted);
      const place = String(printed.at(-1)?.data["place"]);
      // One who stays, and one who comes back later.
      const staying = eventsFrom(`${address}&after=${place}`, headers);

      const stopped = await client.POST("/api/stop", { body: { run } });
      assert.partialDeepStrictEqual(stopped.data, { ownerAlive: true, paused: true });
      await working.ended;
      const [pausing] = inputsOf(here.events(), "pause-requested");
      assert.equal(pausing?.["reason"], "stopped by ci (token)");
      const stayed = (await staying).map(({ data }) => entryOf(data)["kind"]);
      assert.equal(stayed.includes("output"), false, "what was told before is not told again");
      assert.equal(stayed.includes("attempt-ended"), true);
      const back = await eventsFrom(address, { ...headers, "last-event-id": place });
      assert.equal(back.at(-1)?.event, "result");
      assert.deepEqual(
        back.map(({ data }) => entryOf(data)["kind"]),
        stayed,
      );

      const cancelled = await client.POST("/api/cancel", { body: { run } });
      assert.deepEqual(cancelled.data, { run, before: "paused", ended: true });
      assert.equal(eventsOf(here.events(), "run-ended").length, 1);
      const [cancelling] = inputsOf(here.events(), "cancel-requested");
      assert.equal(cancelling?.["reason"], "cancelled by ci (token)");
      const gone = await client.POST("/api/cancel", { body: { run: "20200101-0000-000000" } });
      assert.equal(gone.response.status, 404);
    } finally {
      await working.kill();
      assert.equal(await server.stop(), 0);
    }
  }));
