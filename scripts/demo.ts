/**
 * `npm run demo`: a small real project in a temporary git repository, a plan, and a scripted agent that fails in true ways. Real
 * git, real processes, real checks; no key, no network. Ends with a summary of what failed and what was done about it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Script } from "../src/testing/scripted-agent.ts";
import type { RunEvent } from "../src/core/run/decision.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "unstuck-demo-"));
const project = join(folder, "project");
const env = {
  ...process.env,
  UNSTUCK_HOME: join(folder, "home"),
  GIT_AUTHOR_NAME: "demo",
  GIT_AUTHOR_EMAIL: "demo@localhost",
  GIT_COMMITTER_NAME: "demo",
  GIT_COMMITTER_EMAIL: "demo@localhost",
};

const NAMES = ["limit", "crash", "build", "tests", "context", "loop", "revert"] as const;
const code = (name: string, result: number): string => `export const ${name} = () => ${result};\n`;
const testOf = (name: string): string =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.js";\ntest("${name} is 2", () => assert.equal(${name}(), 2));\n`;

const files: Record<string, string> = { "package.json": '{ "type": "module" }\n' };
for (const name of NAMES) {
  files[`src/${name}.js`] = code(name, 1);
  files[`test/${name}.test.js`] = testOf(name);
}

const right = (name: string) => ({ write: { [`src/${name}.js`]: code(name, 2) }, print: "done" });
const script: Script = {
  limit: [
    { error: "Error: 429 Too Many Requests. Please retry after 3 seconds.", exit: 1 },
    right("limit"),
  ],
  crash: [{ error: "Segmentation fault (core dumped)", signal: "SIGSEGV" }, right("crash")],
  build: [
    { write: { "src/build.js": "export const build = () => {;\n" }, print: "done" },
    right("build"),
  ],
  tests: [
    {
      write: { "src/tests.js": code("tests", 3) },
      print: "<approach>return three</approach> All tests pass now!",
    },
    { expectPrompt: "DIFFERENT", ...right("tests") },
  ],
  context: [
    {
      write: { "src/context-notes.md": "half of the work\n" },
      error: "Error: prompt is too long: 214321 tokens > 200000 maximum",
      exit: 1,
    },
    right("context"),
  ],
  loop: [
    {
      repeat: [
        JSON.stringify({ kind: "tool_call", tool: "Bash", args: { command: "cat notes.txt" } }),
        JSON.stringify({
          kind: "tool_result",
          tool: "Bash",
          output: "cat: notes.txt: No such file or directory",
        }),
      ].join("\n"),
    },
    right("loop"),
  ],
  shape: [{ print: "Sure! The count is six." }, { print: '{"count": 6}' }],
  revert: [
    { write: { "src/revert.js": code("revert", 4) }, print: "<approach>four</approach>" },
    { write: { "src/revert.js": code("revert", 5) }, print: "<approach>five</approach>" },
    { write: { "src/revert.js": code("revert", 4) }, print: "<approach>four after all</approach>" },
    right("revert"),
  ],
};

function makeProject(): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    ["commit", "-qm", "start"],
  ])
    execFileSync("git", args, { cwd: project, env });
  writeFileSync(join(folder, "script.json"), JSON.stringify(script));
  const agent = `"${process.execPath}" "${join(root, "src/testing/scripted-agent.ts")}" "${join(folder, "script.json")}" {prompt}`;
  const subtasks = NAMES.map(
    (name) =>
      `  - { id: ${name}, prompt: "Make ${name}() return 2.", checks: ["node --check src/${name}.js && node --test test/${name}.test.js"]${name === "build" ? ", dependsOn: [crash]" : ""} }`,
  );
  const shape =
    '  - { id: shape, prompt: "How many sources are there?", readOnly: true, output: { type: object, required: [count], properties: { count: { type: integer } } } }';
  const plan = join(folder, "plan.yaml");
  writeFileSync(
    plan,
    [
      `goal: a small project, seven functions and a question`,
      `agent: ${JSON.stringify(agent)}`,
      "grounding: false",
      "concurrency: 3",
      "subtasks:",
      ...subtasks,
      shape,
      "",
    ].join("\n"),
  );
  return plan;
}

function summary(events: readonly RunEvent[]): string {
  const rows = new Map<string, string[]>();
  const add = (subtask: string, words: string): void =>
    void rows.set(subtask, [...(rows.get(subtask) ?? []), words]);
  for (const event of events) {
    if (event.kind === "failure-classified") add(event.subtask, event.failure.kind);
    if (event.kind === "recovery-chosen")
      add(event.subtask, `-> ${event.recoveries.map(({ kind }) => kind).join(" + ")}`);
    if (event.kind === "subtask-done") add(event.subtask, `= ${event.phase}`);
  }
  const lines = [...rows].map(([subtask, words]) => `  ${subtask.padEnd(9)} ${words.join(" ")}`);
  return ["", "What failed, and what was done about it:", ...lines].join("\n");
}

const plan = makeProject();
try {
  const unstuck = join(root, "bin", "unstuck.js");
  const { status } = spawnSync(process.execPath, [unstuck, "run", plan, "--trust"], {
    cwd: project,
    env,
    stdio: "inherit",
  });
  const printed = spawnSync(process.execPath, [unstuck, "events", "--json"], {
    cwd: project,
    env,
    encoding: "utf8",
  }).stdout;
  const events = printed
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { event: RunEvent }).event]));
  console.log(summary(events));
  process.exitCode = status === 0 || status === 6 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
