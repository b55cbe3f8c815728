/**
 * What an agent must show that is driven over the Agent Client Protocol instead of its own command line.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fault, say, shell, write } from "../../src/testing/model-server/scenario.ts";
import type { Fault } from "../../src/testing/model-server/faults.ts";
import type { Scenario } from "../../src/testing/model-server/scenario.ts";
import type { AgentName } from "./agent-home.ts";
import { withAgent, type AgentPlace } from "./agent-place.ts";

export interface AcpTraits {
  readonly command: string;
  /** A second model it can be started with, as the server is told it. */
  readonly model: readonly [asked: string, seen: RegExp];
  readonly resumes: boolean;
  /** Its own configuration lets it run every command: nobody is asked. */
  readonly runsAnything?: boolean;
  readonly faults: readonly (readonly [Fault, kind: string])[];
}

const WORK: Scenario = {
  by: "result",
  turns: [write("hello.txt", "hello\n"), say("Done: wrote hello.txt.")],
};

export function acpCases(agent: AgentName, traits: AcpTraits): void {
  const within = (scenario: Scenario, body: (here: AgentPlace) => Promise<void>): Promise<void> =>
    withAgent(agent, scenario, body, `acp:${traits.command}`);

  test(`${agent} over acp: a task is done with the model that was asked for`, () =>
    within(WORK, async (here) => {
      const [asked, seen] = traits.model;
      const { report, result, steps } = await here.attempt({ model: asked });
      assert.deepEqual([report.completed, report.error], [true, undefined], result.stderr);
      assert.equal(report.answer, "Done: wrote hello.txt.");
      assert.deepEqual(report.warnings, []);
      assert.ok((report.usage.tokens ?? 0) > 1000, JSON.stringify(report.usage));
      assert.equal(readFileSync(join(here.cwd, "hello.txt"), "utf8"), "hello\n");
      const kinds = steps.map(({ kind }) => kind).filter((kind) => kind.startsWith("tool"));
      assert.deepEqual(kinds, ["tool_call", "tool_result"]);
      assert.match(here.requests().at(-1)?.model ?? "", seen);
    }));

  const others = traits.runsAnything === true ? "asks for no other command" : "not another command";
  test(`${agent} over acp: with edit, it runs the checks and ${others}`, () => {
    const check = "echo ran > check.txt";
    const turns = [shell(check), shell("echo ran > other.txt"), say("Done.")] as const;
    return within({ by: "result", turns }, async (here) => {
      const { result, report } = await here.attempt({ checks: [check] });
      const ran = ["check.txt", "other.txt"].map((name) => existsSync(join(here.cwd, name)));
      assert.deepEqual(ran, [true, traits.runsAnything === true], result.stdout.slice(-3000));
      const said = report.warnings.some((warning) => warning.includes("acts without asking"));
      assert.equal(said, traits.runsAnything === true, report.warnings.join("\n"));
    });
  });

  test(`${agent} over acp: a session ${traits.resumes ? "goes on" : "that cannot be resumed is told as lost"}`, () =>
    within(WORK, async (here) => {
      const { session } = (await here.attempt({ prompt: "the first words" })).report;
      assert.ok(session !== undefined);
      const { report } = await here.attempt({ prompt: "the second words", session });
      assert.deepEqual([report.completed, report.sessionLost === true], [true, !traits.resumes]);
      const told = here.requests().at(-1)?.user.join("\n") ?? "";
      assert.match(told, traits.resumes ? /the first words[^]*the second words/ : /the second/);
    }));

  for (const [name, expected] of traits.faults)
    test(`${agent} over acp: ${name} is told as what it is`, () =>
      within(
        () => fault(name),
        async (here) => {
          const { report, kind, result } = await here.attempt();
          assert.equal(report.completed, false);
          assert.equal(kind, expected, `${JSON.stringify(report.error)} ${result.stderr}`);
        },
      ));
}
