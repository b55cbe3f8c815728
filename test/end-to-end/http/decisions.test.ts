// proves: D4, D5, D7, U21
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { askingProject, COMMANDS, WORDS } from "../../browser/decisions-project.ts";
import { inLargeForm } from "../../large-form.ts";
import { inputsOf, pause } from "../run/runs.ts";
import { clientOf, serve } from "./served.ts";
import type { paths } from "../../../schemas/openapi.d.ts";

type Sent = NonNullable<paths["/api/answer"]["post"]["requestBody"]>["content"]["application/json"];

test(
  "a program with a token makes every decision over HTTP: words, by hand, allow, top up, skip, cancel",
  inLargeForm("http"),
  async () => {
    const { here, plan: planText, starts } = askingProject();
    const { token } = JSON.parse(here.unstuck("token", "create", "ci", "--json").out) as {
      token: string;
    };
    const server = await serve(here);
    try {
      const client = clientOf(server.url, token);
      const started = await client.POST("/api/start", { body: { planText, trust: true } });
      const run = started.data?.run ?? assert.fail(JSON.stringify(started.error));
      const answer = async (question: string, given: Sent["answer"]) => {
        const { data, error } = await client.POST("/api/answer", {
          body: { run, question, answer: given },
        });
        return data ?? assert.fail(JSON.stringify(error));
      };
      const phases = async (): Promise<Record<string, string>> => {
        const { data } = await client.POST("/api/read", { body: { run } });
        return Object.fromEntries(data?.subtasks.map(({ id, phase }) => [id, phase]) ?? []);
      };
      /** Until the run stands still with all of these questions. */
      const asked = async (...ids: string[]): Promise<void> => {
        for (;;) {
          const { data } = await client.POST("/api/read", { body: { run } });
          const open = await client.POST("/api/inbox", { body: { all: true } });
          const known =
            open.data?.questions.map((one) => (one as unknown as { id: string }).id) ?? [];
          if (data?.alive === false && ids.every((id) => known.includes(id))) return;
          await pause(200);
        }
      };
      await asked("words/c1", "hands/c1", "once/c1", "whole/c1", "money/c1", "drop/c1", "left/c1");
      await answer("words/c1", { kind: "retry", words: WORDS });
      await answer("money/c1", { kind: "retry", words: "Once more" });
      await answer("once/c1", { kind: "allow-once" });
      await answer("whole/c1", { kind: "allow-run" });
      await answer("drop/c1", { kind: "skip" });
      const { folder = "" } = await answer("hands/c1", { kind: "manual", done: false });
      writeFileSync(join(folder, "hands.txt"), "2\n");
      await answer("hands/c1", { kind: "manual", done: true });
      await client.POST("/api/resume", { body: { run } });
      await asked("money/c2", "left/c1");
      await answer("money/c2", { kind: "top-up", by: { attempts: 1 } });
      await client.POST("/api/resume", { body: { run } });
      while ((await phases())["money"] !== "verified") await pause(200);
      assert.deepEqual(await phases(), {
        ...{ words: "verified", hands: "verified", once: "verified", whole: "verified" },
        ...{ money: "verified", drop: "skipped", left: "asking" },
      });
      assert.ok(starts("once")[1]?.includes(`Bash(${COMMANDS.once})`));
      assert.ok(!starts("whole")[1]?.includes(`Bash(${COMMANDS.once})`));
      const by = inputsOf(here.events(), "checkpoint-answered").map((input) => input["by"]);
      assert.deepEqual([by.length, new Set(by)], [8, new Set(["ci (token)"])]);
      await asked("left/c1");
      const cancelled = await client.POST("/api/cancel", { body: { run } });
      assert.equal(cancelled.data?.ended, true);
    } finally {
      assert.equal(await server.stop(), 0);
      here.remove();
    }
  },
);
