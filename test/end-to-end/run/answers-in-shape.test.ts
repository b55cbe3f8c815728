// proves: J17, E4, E8, E9
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { inFolder, unstuck } from "../../cli/command.ts";
import { recordingAgent } from "./recording-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { failuresOf, inputsOf, phasesOf, planFile } from "./runs.ts";

const OUTPUT =
  "output: { type: object, required: [port], properties: { port: { type: integer } }, additionalProperties: false }";

function inRepository(body: (here: Repository) => void): void {
  const here = repository();
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const says = (print: string): ScriptedAttempt => ({ print });

const ACCEPTED: Readonly<Record<string, string>> = {
  plain: '{"port": 8080}',
  fenced: '```json\n{"port": 8080}\n```',
  "other-fence": '```javascript\n{"port": 8080}\n```',
  "no-language": '```\n{"port": 8080}\n```',
  embedded: 'Here is what I found: {"port": 8080}. Anything else?',
  mended: "{'port': 8080,}",
};

test(
  "answers that hold the asked-for JSON are accepted, fenced, embedded or to be mended, and reach others clean",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const script = Object.fromEntries(
        Object.entries(ACCEPTED).map(([id, print]) => [id, [says(print)]]),
      );
      const agent = recordingAgent(here, { ...script, reader: [says("done")] });
      const ids = Object.keys(ACCEPTED);
      const subtasks = ids.map((id) => `id: ${id}, prompt: p, readOnly: true, ${OUTPUT}`);
      const reader = `id: reader, prompt: use them, inputs: [${ids.join(", ")}]`;
      const plan = planFile(here, agent.command, [...subtasks, reader]);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 6, ran.out + ran.err);
      assert.deepEqual(failuresOf(here.events()), []);
      const answers = inputsOf(here.events(), "attempt-ended")
        .filter(({ subtask }) => subtask !== "reader")
        .map((input) => (input["answer"] as { text: string }).text);
      assert.deepEqual(
        answers,
        ids.map(() => '{"port":8080}'),
      );
      const told = agent.promptOf("reader/1");
      for (const id of ids) assert.ok(told.includes(`${id}:\n{"port":8080}\n`), id);
      const prompt = agent.promptOf("plain/1");
      assert.match(
        prompt,
        /FORMAT: answer with ONLY one valid JSON value[^]*JSON Schema:[^]*"port"/,
      );
    }),
);

const REFUSED = "The last answer was refused";
const RIGHT: ScriptedAttempt = { when: REFUSED, print: '{"port": 80}' };
const OWN = `id: fix, prompt: p, readOnly: true, ${OUTPUT}`;

test("a malformed answer is asked for again at once, with what was wrong with it", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, { fix: [says('{"port": "eighty"}'), RIGHT] });
    const ran = here.unstuck("run", planFile(here, agent.command, [OWN]), "--trust");
    const [, again = ""] = agent.prompts();
    assert.match(again, /FORMAT: answer with ONLY one valid JSON value/);
    assert.match(again, /The last answer was refused:[^]*\/port[^]*integer/);
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.equal(phasesOf(here)["fix"], "answered");
    assert.equal(agent.prompts().length, 2);
  }));

test("J17: an answer that was cut off is asked for again, and nothing of it reaches who depends on it", () =>
  inRepository((here) => {
    const open = "output: { type: object, required: [sql], properties: { sql: { type: string } } }";
    const whole = "drop table sessions_of_2019";
    const agent = recordingAgent(here, {
      find: [says('{"sql": "drop tab'), { when: REFUSED, print: `{"sql": "${whole}"}` }],
      reader: [says("done")],
    });
    const find = `id: find, prompt: p, readOnly: true, ${open}`;
    const reader = "id: reader, prompt: run it, inputs: [find]";
    const ran = here.unstuck("run", planFile(here, agent.command, [find, reader]), "--trust");
    assert.deepEqual(failuresOf(here.events()), ["find malformed_output"], ran.out);
    assert.match(agent.promptOf("find/2"), /it ends before its JSON does/);
    assert.ok(agent.promptOf("reader/1").includes(`{"sql":"${whole}"}`));
  }));

test(
  "asked again twice at most, then it is malformed_output and the next recovery's turn",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const agent = recordingAgent(here, { fix: [says("I would rather not")] });
      const own = `id: fix, prompt: p, ${OUTPUT}, limits: { max_retries: 3 }`;
      const ran = here.unstuck("run", planFile(here, agent.command, [own]), "--trust");
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.ok(failuresOf(here.events()).every((failure) => failure === "fix malformed_output"));
      const before = agent.prompts().findIndex((prompt) => prompt.includes("PREVIOUS ATTEMPTS"));
      assert.equal(before, 3, "the first prompt and two reminders, then feedback");
      assert.notEqual(phasesOf(here)["fix"], "unverified");
    }),
);

test("work that is right but answered in the wrong shape is not done", inLargeForm("run"), () =>
  inRepository((here) => {
    const wrong = { write: { "value.txt": "2\n" }, print: '{"port": 80, "extra": true}' };
    const agent = here.agent({ fix: [wrong] });
    const own = `id: fix, prompt: p, checks: [sh check.sh], ${OUTPUT}, limits: { max_retries: 0 }`;
    const ran = here.unstuck("run", planFile(here, agent, [own]), "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.equal(failuresOf(here.events()).at(-1), "fix malformed_output");
    assert.match(here.unstuck("report").out, /extra/, "the report says what was wrong");
  }),
);

const TOOLS = [
  {
    name: "read_file",
    input_schema: {
      type: "object",
      required: ["path"],
      properties: { path: { type: "string" }, lines: { type: "integer", minimum: 1 } },
      additionalProperties: false,
    },
  },
];

/** In the small form core-commands.test.ts has the right call, an argument that is missing and a tool file that is none. */
const SMALL: readonly string[] = ["no call at all", "an invented tool", "out of bounds"];

for (const [title, call, code, said] of [
  ["a right call", '{"name": "read_file", "arguments": {"path": "a"}}', 0, undefined],
  ["no call at all", "read the file, please", 1, /JSON/],
  [
    "an invented tool",
    '{"name": "read_fiel", "arguments": {"path": "a"}}',
    1,
    /Did you mean read_file/,
  ],
  ["a tool like no other", '{"name": "teleport", "arguments": {}}', 1, /read_file/],
  ["a missing argument", '{"name": "read_file", "arguments": {}}', 1, /path/],
  ["a wrong type", '{"name": "read_file", "arguments": {"path": 3}}', 1, /string/],
  [
    "an argument too many",
    '{"name": "read_file", "arguments": {"path": "a", "as": "root"}}',
    1,
    /as/,
  ],
  ["out of bounds", '{"name": "read_file", "arguments": {"path": "a", "lines": 0}}', 1, /lines/],
] as const)
  test(`validate --tools: ${title}`, SMALL.includes(title) ? {} : inLargeForm("run"), () => {
    inFolder((folder) => {
      const tools = join(folder, "tools.json");
      writeFileSync(tools, JSON.stringify(TOOLS));
      const ran = unstuck(["validate", "--tools", tools, "--json"], { input: call });
      assert.equal(ran.code, code, ran.out + ran.err);
      const { error, suggestion } = JSON.parse(ran.out) as { error?: string; suggestion?: string };
      if (said !== undefined) assert.match(`${error} ${suggestion}`, said);
    });
  });
