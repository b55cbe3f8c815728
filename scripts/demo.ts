/**
 * `npm run demo`: a small real project in a temporary git repository, a plan, and a scripted agent that fails in
 * realistic ways. Real git, real processes, real checks; no key, no network. The output is that of any run; only the
 * agent is staged. Everything is removed at the end.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Script } from "../src/testing/scripted-agent.ts";

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

const files: Record<string, string> = {
  "package.json": '{ "type": "module" }\n',
  "check.sh": "node --check src/$1.js && node --test test/$1.test.js\n",
};
for (const name of NAMES) {
  files[`src/${name}.js`] = code(name, 1);
  files[`test/${name}.test.js`] = testOf(name);
}

/** What an agent prints while it works, one line at a time, so that it can be watched. */
const busy = (...lines: readonly string[]): { readonly run: string[][] } => ({
  run: lines.flatMap((line) => [
    ["echo", line],
    ["sleep", "0.9"],
  ]),
});
const right = (name: string) => ({
  ...busy(`reading test/${name}.test.js`, `editing src/${name}.js`),
  write: { [`src/${name}.js`]: code(name, 2) },
  print: "done",
});
const script: Script = {
  limit: [
    {
      ...busy("reading the tests"),
      error: "Error: 429 Too Many Requests. Please retry after 8 seconds.",
      exit: 1,
    },
    right("limit"),
  ],
  crash: [
    {
      ...busy("reading src/crash.js"),
      error: "Segmentation fault (core dumped)",
      signal: "SIGSEGV",
    },
    right("crash"),
  ],
  build: [
    {
      ...busy("rewriting src/build.js"),
      write: { "src/build.js": "export const build = () => {;\n" },
      print: "done",
    },
    right("build"),
  ],
  tests: [
    {
      ...busy("guessing the value"),
      write: { "src/tests.js": code("tests", 3) },
      print: "<approach>return three</approach> All tests pass now!",
    },
    { expectPrompt: "DIFFERENT", ...right("tests") },
  ],
  context: [
    {
      ...busy("reading everything", "and reading it again"),
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
  shape: [
    { ...busy("counting the sources"), print: "Sure! The count is six." },
    { print: '{"count": 6}' },
  ],
  revert: [
    {
      ...busy("trying four"),
      write: { "src/revert.js": code("revert", 4) },
      print: "<approach>four</approach>",
    },
    {
      ...busy("trying five"),
      write: { "src/revert.js": code("revert", 5) },
      print: "<approach>five</approach>",
    },
    {
      ...busy("back to four"),
      write: { "src/revert.js": code("revert", 4) },
      print: "<approach>four after all</approach>",
    },
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
  const more: Readonly<Record<string, string>> = {
    build: ", dependsOn: [crash]",
    limit: ", tier: 2",
  };
  const subtasks = NAMES.map(
    (name) =>
      `  - { id: ${name}, prompt: "Make ${name}() return 2.", checks: ["sh check.sh ${name}"]${more[name] ?? ""} }`,
  );
  const shape =
    '  - { id: shape, prompt: "How many sources are there?", readOnly: true, output: { type: object, required: [count], properties: { count: { type: integer } } } }';
  const plan = join(folder, "plan.yaml");
  writeFileSync(
    plan,
    [
      `goal: a small project, seven functions and a question`,
      `agents: { agent: { command: ${JSON.stringify(agent)} } }`,
      // The subtask that meets the limit has its own model: others with the same model would wait with it.
      "models: [{ agent: agent, model: small, tier: 1 }, { agent: agent, model: large, tier: 2 }]",
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

const plan = makeProject();
console.log("Eight subtasks, and an agent that fails in eight ways. Watch them recover.\n");
try {
  const unstuck = join(root, "bin", "unstuck.js");
  const { status } = spawnSync(process.execPath, [unstuck, "run", plan, "--trust"], {
    cwd: project,
    env,
    stdio: "inherit",
  });
  process.exitCode = status === 0 || status === 6 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log("\nThat was the demo; its files are gone again. Your turn: unstuck run --help");
