/**
 * The project the browser tests drive: the demo's way of failing (a limit, a crash, a wrong guess), a question only a
 * person can settle, and script and markup in every text that an agent, a check or a file can bring to the page.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import { planFile } from "../end-to-end/run/runs.ts";
import type { Script, ScriptedAttempt } from "../../src/testing/scripted-agent.ts";

/** Runs and shows up in `window.attacked` wherever a text is taken for markup. */
export const MARKUP = `<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;
export const ANSWER = "Take the second of them, and say so in the commit";

const code = (name: string, result: number): string => `export const ${name} = () => ${result};\n`;
const step = (facts: object): string => JSON.stringify(facts);
const call = (tool: string, args: object, output: string): string =>
  [step({ kind: "tool_call", tool, args }), step({ kind: "tool_result", tool, output })].join("\n");

const ASKS =
  "I read the tests of pick.\n\nWhich of the two spellings should it be, colour or color?";

/** Holds an attempt until the file is there, for at most two minutes. */
const waitFor = (file: string): readonly string[] => [
  ...["sh", "-c", 'for _ in $(seq 1200); do [ -e "$1" ] && exit; sleep 0.1; done', "wait", file],
];

/** All texts, each with this at its end; the first guess waits for the gate. */
function textsWith(markup: string, gate: string) {
  const ended = (text: string): string => `${text} ${markup}`.trimEnd();
  const testOf = (name: string): string =>
    [
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      `import { ${name} } from "../src/${name}.js";`,
      `test(${JSON.stringify(ended(`${name} is 2`))}, () => assert.equal(${name}(), 2));`,
      "",
    ].join("\n");
  const right = (name: string, more: Partial<ScriptedAttempt> = {}): ScriptedAttempt => ({
    write: { [`src/${name}.js`]: code(name, 2) },
    sleepMs: 300,
    print: [
      step({ kind: "message", text: ended(`The test of ${name} wants 2.`) }),
      call("Read", { file_path: `test/${name}.test.js` }, testOf(name)),
      call("Bash", { command: ended(`sh check.sh ${name} #`) }, ended("ok")),
      step({ kind: "message", text: `<approach>return two</approach> ${name}() returns 2.` }),
    ].join("\n"),
    ...more,
  });
  const wrong = (name: string, result: number): ScriptedAttempt => ({
    write: {
      [`src/${name}.js`]: code(name, result),
      ...(markup === "" ? {} : { [`src/${name}<b>.txt`]: `${markup}\n` }),
    },
    print: step({
      kind: "message",
      text: `<approach>${ended(`return ${result}`)}</approach> All tests pass now!`,
    }),
  });
  const script: Script = {
    limit: [
      { error: "Error: 429 Too Many Requests. Please retry after 3 seconds.", exit: 1 },
      right("limit"),
    ],
    crash: [{ error: "Segmentation fault (core dumped)", signal: "SIGSEGV" }, right("crash")],
    guess: [
      { ...wrong("guess", 3), run: [waitFor(gate)] },
      right("guess", { expectPrompt: "DIFFERENT" }),
    ],
    build: [
      {
        write: { "src/build.js": ended("export const build = () => {; //") + "\n" },
        print: "done",
      },
      right("build"),
    ],
    pick: [{ print: ASKS }, { print: ASKS, exit: 1 }, right("pick", { expectPrompt: ANSWER })],
    plain: [right("plain")],
    last: [right("last")],
  };
  return { script, testOf, ended };
}

const AFTER: Readonly<Record<string, string>> = {
  build: ", dependsOn: [crash]",
  pick: ", dependsOn: [plain]",
  last: ", dependsOn: [build, guess, pick]",
};

export interface Demo {
  readonly here: Repository;
  readonly plan: string;
  /** The first attempt of `guess` goes on until then. */
  readonly letGo: () => void;
}

export function demoProject(markup = MARKUP): Demo {
  const { testOf, ended } = textsWith(markup, "");
  const names = Object.keys(textsWith(markup, "").script);
  const files: Record<string, string> = {
    "package.json": '{ "type": "module" }\n',
    "check.sh": "node --check src/$1.js && node --test test/$1.test.js\n",
  };
  for (const name of names) {
    files[`src/${name}.js`] = code(name, 1);
    files[`test/${name}.test.js`] = testOf(name);
  }
  const here = repository(files);
  const subtasks = names.map(
    (name) =>
      `id: ${name}, prompt: ${JSON.stringify(ended(`Make ${name}() return 2.`))}, checks: ["sh check.sh ${name}"]${name === "limit" ? ", tier: 2" : ""}${AFTER[name] ?? ""}`,
  );
  const gate = join(here.path, "..", "let-go");
  const agent = here.agent(textsWith(markup, gate).script);
  const plan = planFile(here, "agent", subtasks, [
    `goal: ${JSON.stringify(ended("Two by two: a small library"))}`,
    `agents: { agent: { command: ${JSON.stringify(agent)} } }`,
    "models: [{ agent: agent, model: small, tier: 1 }, { agent: agent, model: large, tier: 2 }]",
    "grounding: false",
    "concurrency: 2",
  ]);
  return { here, plan, letGo: () => writeFileSync(gate, "") };
}
