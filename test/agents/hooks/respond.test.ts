// proves: C2, U15, J19
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type { AgentHooks } from "../../../src/agents/agent.ts";
import { diagnosisBy } from "../../../src/agents/hooks/diagnosis.ts";
import type { Dialect, HookAnswer } from "../../../src/agents/hooks/hook-event.ts";
import { HOOK_AGENTS as NAMED, hooksOf } from "../../../src/agents/registry.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";
import { respond, SENT_BACK } from "../../../src/agents/hooks/respond.ts";
import { openSessionLog } from "../../../src/agents/hooks/session-log.ts";

type HookAgent = keyof typeof NAMES;
const HOOK_AGENTS = NAMED as readonly HookAgent[];

function hooks(agent: string): AgentHooks {
  const found = hooksOf(agent);
  assert.ok(found !== undefined, agent);
  return found;
}
const dialectOf = (agent: string): Dialect => hooks(agent).dialect;

type Payload = Readonly<Record<string, unknown>>;

/** A session of one agent: payloads in, answers out, as in separate processes. */
function inSession(
  agent: HookAgent,
  body: (
    say: (payload: Payload, complaint?: string) => HookAnswer | undefined,
    folder: string,
  ) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-hook-"));
  try {
    body((payload, complaint) => {
      const event = dialectOf(agent).read({ session_id: "s1", cwd: "/w", ...payload });
      assert.ok(event !== undefined, JSON.stringify(payload));
      return respond(event, {
        tools: hooks(agent).tools,
        log: openSessionLog(folder, agent, event.session),
        diagnosis: () => diagnosisBy(standardRules),
        complaint: () => complaint,
      });
    }, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const NAMES = {
  claude: ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"],
  codex: ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"],
  gemini: ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent"],
  opencode: ["before-tool", "after-tool", "prompt", "stop"],
  pi: ["before-tool", "after-tool", "prompt", "stop"],
} as const;

const call = (agent: HookAgent, tool: string, args: object, id?: string): Payload => ({
  hook_event_name: NAMES[agent][0],
  tool_name: tool,
  tool_input: args,
  ...(id === undefined ? {} : { tool_use_id: id }),
});

function result(agent: HookAgent, tool: string, args: object, output: string): Payload {
  const shape = { tool_response: output, output };
  return { ...call(agent, tool, args), hook_event_name: NAMES[agent][1], ...shape };
}

const MISSING = "bash: line 1: frobnicate: command not found";
const FAILED: Readonly<Record<HookAgent, Payload>> = {
  claude: { hook_event_name: "PostToolUseFailure", error: `Exit code 127\n${MISSING}` },
  codex: { hook_event_name: "PostToolUse", tool_response: MISSING },
  gemini: {
    hook_event_name: "AfterTool",
    tool_response: { llmContent: `Output: ${MISSING}\nExit Code: 127`, returnDisplay: "" },
  },
  opencode: { hook_event_name: "after-tool", output: MISSING, exit_code: 127 },
  pi: { hook_event_name: "after-tool", output: [{ type: "text", text: MISSING }], failed: true },
};
const SHELL = {
  claude: "Bash",
  codex: "Bash",
  gemini: "run_shell_command",
  opencode: "bash",
  pi: "bash",
};

for (const agent of HOOK_AGENTS) {
  const tool = SHELL[agent];
  const args = { command: "frobnicate --now" };

  test(`${agent}: a failed tool gets one hint from its repair plan`, () => {
    inSession(agent, (say) => {
      const failed = { tool_name: tool, tool_input: args, ...FAILED[agent] };
      const first = say(failed);
      assert.equal(first?.kind, "hint");
      assert.match(first?.words ?? "", /command_not_found/);
      assert.match(first?.words ?? "", /frobnicate/);
      assert.ok((first?.words.length ?? 0) < 2000);
      assert.equal(say(failed), undefined, "the same hint is not given twice");
    });
  });

  test(`${agent}: a loop gets a nudge, then two denials, then an end; another call goes through`, () => {
    inSession(agent, (say) => {
      const kinds: (string | undefined)[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const before = say(call(agent, tool, { command: "git status" }));
        kinds.push(before?.kind);
        if (before === undefined)
          kinds.push(say(result(agent, tool, { command: "git status" }, "clean"))?.kind);
      }
      assert.ok(kinds.indexOf("hint") >= 0 && kinds.indexOf("hint") < kinds.indexOf("refuse"));
      assert.ok(kinds.indexOf("refuse") < 10, "refused by the fifth call");
      const refused = kinds.slice(kinds.indexOf("refuse"));
      assert.deepEqual(refused.slice(0, 3), ["refuse", "refuse", "end"]);
      assert.equal(kinds.at(-1), "end", "and again as long as it goes on");
      assert.equal(say(call(agent, tool, { command: "git diff" })), undefined);
      assert.equal(say(result(agent, tool, { command: "git diff" }, "@@ -1 +1 @@")), undefined);
    });
  });

  test(`${agent}: work that gets somewhere is left alone, also long work`, () => {
    inSession(agent, (say, folder) => {
      for (let turn = 0; turn < 150; turn += 1) {
        const one = { command: `cat part-${turn}.txt` };
        assert.equal(say(call(agent, tool, one)), undefined);
        assert.equal(
          say(result(agent, tool, one, `words of part ${turn} `.repeat(200))),
          undefined,
        );
      }
      const [file = ""] = readdirSync(folder);
      assert.ok(statSync(join(folder, file)).size < 400_000, "what is remembered is bounded");
    });
  });

  test(`${agent}: a person's words start anew, our own do not`, () => {
    inSession(agent, (say) => {
      const loop = (): HookAnswer | undefined => {
        const before = say(call(agent, tool, { command: "ls" }));
        return before ?? say(result(agent, tool, { command: "ls" }, "a b"));
      };
      const prompt = (text: string): Payload => ({
        hook_event_name: NAMES[agent][2],
        prompt: text,
        text,
      });
      for (let turn = 0; turn < 5; turn += 1) loop();
      say(prompt(`${SENT_BACK}, so the work is not done`));
      loop();
      assert.match(loop()?.kind ?? "", /^(?:refuse|end)$/);
      say(prompt("look again"));
      assert.deepEqual([loop(), loop()], [undefined, undefined]);
    });
  });

  test(`${agent}: a stop is sent back with the words of the checks`, () => {
    inSession(agent, (say) => {
      const stop = { hook_event_name: NAMES[agent][3] };
      assert.equal(say(stop), undefined);
      const answer = say(stop, `${SENT_BACK}: two tests fail`);
      assert.deepEqual(answer, { kind: "send-back", words: `${SENT_BACK}: two tests fail` });
    });
  });
}

test("codex: output that only mentions an error on its way gets no hint", () => {
  inSession("codex", (say) => {
    const log = `${MISSING}\n${"all is well\n".repeat(12)}done\n`;
    assert.equal(say(result("codex", "Bash", { command: "cat log" }, log)), undefined);
  });
});

test("exit codes are read from where the agent puts them", () => {
  const read = (tool_response: unknown): unknown => {
    const payload = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_response };
    const event = dialectOf("codex").read({ session_id: "s", cwd: "/", ...payload });
    return event?.kind === "after-tool" ? [event.outcome, event.exitCode] : undefined;
  };
  assert.deepEqual(read("Exit code: 3\nWall time: 1 s\nOutput:\nboom"), ["failed", 3]);
  assert.deepEqual(read("Exit code: 0\nOutput:\nfine"), ["ok", 0]);
  assert.deepEqual(read({ output: "x", metadata: { exit_code: 2 } }), ["failed", 2]);
  assert.deepEqual(read("the exit code: 3 was seen"), ["unsure", undefined]);
  assert.deepEqual(read(`Exit code: many\n${"a\n".repeat(50)}`), ["unsure", undefined]);
});

test("an unknown event, or another shape, is no event", () => {
  for (const agent of HOOK_AGENTS) {
    assert.equal(dialectOf(agent).read({ hook_event_name: "SomethingElse" }), undefined);
    assert.equal(dialectOf(agent).read({}), undefined);
    assert.equal(dialectOf(agent).read({ hook_event_name: ["PreToolUse"] }), undefined);
  }
});

test("the answer in each agent's own shape", () => {
  const shapes = (agent: HookAgent, name: string, kind: HookAnswer["kind"]): object => {
    const event = dialectOf(agent).read({ hook_event_name: name, tool_name: "t" });
    assert.ok(event !== undefined);
    return dialectOf(agent).write(event, { kind, words: "w" });
  };
  const specific = (hookEventName: string, more: object): object => ({
    hookSpecificOutput: { hookEventName, ...more },
  });
  for (const agent of ["claude", "codex"] as const) {
    const deny = { permissionDecision: "deny", permissionDecisionReason: "w" };
    assert.deepEqual(shapes(agent, "PreToolUse", "refuse"), specific("PreToolUse", deny));
    assert.deepEqual(shapes(agent, "Stop", "send-back"), { decision: "block", reason: "w" });
    const context = specific("PostToolUse", { additionalContext: "w" });
    assert.deepEqual(shapes(agent, "PostToolUse", "hint"), context);
  }
  const after = specific("AfterTool", { additionalContext: "w" });
  assert.deepEqual(shapes("gemini", "AfterTool", "hint"), after);
  assert.deepEqual(shapes("gemini", "BeforeTool", "refuse"), { decision: "deny", reason: "w" });
  assert.deepEqual(shapes("gemini", "AfterAgent", "send-back"), { decision: "deny", reason: "w" });
  assert.deepEqual(shapes("pi", "before-tool", "refuse"), { refuse: "w" });
  const deny = specific("PreToolUse", {
    permissionDecision: "deny",
    permissionDecisionReason: "w",
  });
  const end = { continue: false, stopReason: "w" };
  assert.deepEqual(shapes("claude", "PreToolUse", "end"), { ...end, ...deny });
  assert.deepEqual(shapes("codex", "PreToolUse", "end"), deny, "one field more, and the call runs");
  const geminiEnd = { decision: "deny", reason: "w", ...end };
  assert.deepEqual(shapes("gemini", "BeforeTool", "end"), geminiEnd);
  assert.deepEqual(shapes("opencode", "before-tool", "end"), { end: "w" });
});

test("a call that was not made before is never refused, whatever the session is like", () => {
  const words = fc.constantFrom("ls", "git status", "npm test", "cat a");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(words, fc.constantFrom("x", "y", MISSING)), { maxLength: 40 }),
      (turns) => {
        inSession("claude", (say) => {
          for (const [command, output] of turns) {
            if (say(call("claude", "Bash", { command })) !== undefined) continue;
            say(result("claude", "Bash", { command }, output));
          }
          assert.equal(say(call("claude", "Bash", { command: "something new" })), undefined);
        });
      },
    ),
    { numRuns: 30 },
  );
});

test("after failures in a row, what was not tried yet may still be tried", () => {
  inSession("claude", (say) => {
    const fail = (command: string): HookAnswer | undefined => {
      const args = { command };
      assert.equal(say(call("claude", "Bash", args))?.kind, undefined, command);
      return say({ tool_name: "Bash", tool_input: args, ...FAILED.claude });
    };
    const said = Array.from({ length: 12 }, (_, turn) => fail(`frobnicate --try ${turn}`)?.kind);
    assert.ok(said.filter((kind) => kind === "hint").length >= 2, "a hint, then a nudge");
  });
});

test("any JSON is read without a throw", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...HOOK_AGENTS),
      fc.constantFrom(...Object.values(NAMES).flat()),
      fc.jsonValue(),
      (agent, name, value) => {
        const payload = { session_id: value, cwd: value, hook_event_name: name, tool_name: value };
        const more = {
          tool_input: value,
          tool_response: value,
          error: value,
          prompt: value,
          output: value,
        };
        const event = dialectOf(agent).read({ ...payload, ...more });
        if (event !== undefined) assert.equal(typeof event.session, "string");
      },
    ),
    { numRuns: 300 },
  );
});
