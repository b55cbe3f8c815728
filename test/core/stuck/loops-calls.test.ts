// More calls that go in circles, written as agents of several makes write them: each must be named at
// its last step. Checks, edits, talk and reads are in loops-work.test.ts, near misses in
// near-misses.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, ran, said, times } from "./steps.ts";

type Table = readonly (readonly [string, readonly Step[]])[];

const WORDS = ["amber", "birch", "cedar", "dune", "elm", "fjord", "grove", "heath"];
const word = (n: number): string => WORDS[n % WORDS.length]!;

const CALLS: Table = [
  [
    "a build through Codex's shell, the duration apart",
    times(4, (n) =>
      ran(
        "shell",
        { command: ["bash", "-lc", "cargo build"], timeout_ms: 1000 },
        `   Compiling parser v0.1.0\n    Finished dev profile in 0.${n}2s`,
      ),
    ),
  ],
  [
    "Gemini's shell with another description each time",
    times(4, (n) =>
      ran(
        "run_shell_command",
        { command: "ls build", description: `Look at the ${word(n)} output` },
        "main.o util.o",
      ),
    ),
  ],
  [
    "a query whose keys change places, and its time",
    times(4, (n) =>
      ran(
        "mcp__db__run_query",
        n % 2 === 0 ? { sql: "select 1", db: "main" } : { db: "main", sql: "select 1" },
        `{"rows":[[1]],"elapsed_ms":${12 + n}}`,
      ),
    ),
  ],
  [
    "one path in several spellings",
    ["src/a.ts", "./src/a.ts", "src//a.ts", "src/./a.ts"].flatMap((path) =>
      ran("read_file", { path }, "export const a = 1;"),
    ),
  ],
  [
    "one command in several spellings",
    ["make all", "make  all", "make all 2>&1", "make all || true"].flatMap((command) =>
      ran("bash", { command }, "make: Nothing to be done for 'all'."),
    ),
  ],
  [
    "a page with a fresh request id",
    times(4, (n) =>
      ran(
        "WebFetch",
        { url: "https://docs.example/start" },
        `Getting started\nrequest_id: 7f3a9c2${n}b1d4 etag: "9${n}ab77cd"`,
      ),
    ),
  ],
  [
    "the same search between chatter",
    times(4, (n) => [
      said(`Looking at it from the side of ${word(n)}.`),
      ...ran("Glob", { pattern: "**/*.proto" }, ""),
    ]),
  ],
  [
    "a temporary folder with another number",
    times(4, (n) =>
      failed(
        "Bash",
        { command: "python run.py" },
        `OSError: cannot write /tmp/job-${n}${n}x/out.bin`,
      ),
    ),
  ],
  [
    "equal pairs of calls in each answer",
    times(4, (n) => [
      call("grep", { pattern: "TODO" }, { round: n, id: `a${n}` }),
      call("grep", { pattern: "TODO" }, { round: n, id: `b${n}` }),
      { kind: "tool_result", id: `a${n}`, output: "3 matches" },
      { kind: "tool_result", id: `b${n}`, output: "3 matches" },
    ]),
  ],
  [
    "a plan written down again without a change",
    times(4, (n) =>
      ran(
        "update_plan",
        { plan: [{ step: `read ${word(n)}`, status: "pending" }] },
        "Plan updated",
      ),
    ),
  ],
  [
    "a helper sent out for the same thing",
    times(3, () =>
      ran("Task", { subagent_type: "explorer", prompt: "Find the parser" }, "Found nothing."),
    ),
  ],
  [
    "one call that comes back between new reads",
    times(6, (n) => [
      ...ran("Bash", { command: "git status --short" }, " M src/a.ts"),
      ...ran("Read", { file_path: `lib/${word(n)}${n}.ts` }, `// ${word(n)} ${n}`),
    ]),
  ],
  [
    "an empty answer to an empty question",
    times(4, () => ran("list_directory", { path: "out" }, "")),
  ],
];

const ROUND = (n: number): readonly Step[] => [
  ...ran("Bash", { command: "npm run build" }, `built in ${n}1ms`),
  ...ran("Bash", { command: "npm run lint" }, "no problems"),
  ...ran("Bash", { command: "node out/app.js" }, `ready, pid ${4000 + n}`),
];

const CYCLES: Table = [
  ["build, lint, start: three times round", times(3, ROUND)],
  [
    "four questions in turn, with thoughts between",
    times(3, (n) =>
      times(4, (k) => [
        said(`thinking ${n} of ${word(k)}`, { channel: "thought" }),
        ...ran("lookup_symbol", { name: word(k) }, `defined in ${word(k)}.ts`),
      ]),
    ),
  ],
  [
    "five files in turn",
    times(3, () => times(5, (k) => ran("view", { path: `${word(k)}.md` }, `# ${word(k)}`))),
  ],
  ["two calls in turn, results never seen", times(10, (n) => [call("peek", { at: n % 2 })])],
  [
    "made, taken back by git, made again",
    times(3, () => [
      ...ran("Edit", { file_path: "a.c", old_string: "int x;", new_string: "long x;" }, "ok"),
      ...ran("Bash", { command: "git checkout -- a.c" }, "Updated 1 path from the index"),
    ]),
  ],
];

const FAILURES: Table = [
  [
    "text that is not in the file, sought in other words",
    times(4, (n) =>
      failed(
        "str_replace_editor",
        { command: "str_replace", path: "a.py", old_str: `def ${word(n)}():`, new_str: "pass" },
        "No replacement was performed: old_str did not appear verbatim in a.py.",
      ),
    ),
  ],
  [
    "one traceback from many lines",
    times(5, (n) =>
      failed(
        "ipython",
        { code: `load("${word(n)}")` },
        `Traceback (most recent call last):\n  Cell In[${n}], line ${n + 3}\nTypeError: load() missing 1 required argument: 'schema'`,
      ),
    ),
  ],
  [
    "columns that do not exist",
    times(5, (n) =>
      failed(
        "run_sql",
        { sql: `select ${word(n)} from t` },
        `ERROR: column "${word(n)}" does not exist`,
      ),
    ),
  ],
  [
    "folders that may not be made",
    times(5, (n) =>
      failed(
        "Bash",
        { command: `mkdir /srv/${word(n)}` },
        `mkdir: cannot create directory '/srv/${word(n)}': Permission denied`,
      ),
    ),
  ],
  [
    "arguments the tool does not take",
    times(4, (n) =>
      failed(
        "Write",
        { file: word(n) },
        "InputValidationError: the required parameter `file_path` is missing",
      ),
    ),
  ],
  [
    "patches that do not fit, whatever the file",
    times(5, (n) =>
      failed(
        "apply_patch",
        { input: `*** Update File: ${word(n)}.rs` },
        `apply_patch verification failed: Failed to find expected lines in ${word(n)}.rs`,
      ),
    ),
  ],
  [
    "a push that is refused with every flag",
    ["", " --force-with-lease", " -u", " --no-verify"].flatMap((flag) =>
      failed(
        "Bash",
        { command: `git push${flag} origin main` },
        "! [remote rejected] main -> main (protected branch hook declined)",
      ),
    ),
  ],
  [
    "a program that is not installed",
    ["ps", "images", "compose up", "info"].flatMap((words) =>
      failed("bash", { command: `docker ${words}` }, "bash: docker: command not found"),
    ),
  ],
  [
    "one missing module under every runner",
    ["npm test", "npm run test", "npx vitest run", "yarn test"].flatMap((command) =>
      failed("Bash", { command }, "Error: Cannot find module 'vite'\nRequire stack:\n- a.js"),
    ),
  ],
  [
    "addresses guessed one after the other",
    times(6, (n) =>
      failed("fetch", { url: `https://api.example/v${n}` }, `404 page /v${n} not found`),
    ),
  ],
  [
    "an own server that is down",
    times(4, (n) =>
      failed(
        "bash",
        { command: `curl -s localhost:8080/${word(n)}` },
        "curl: (7) Failed to connect to localhost port 8080: Connection refused",
      ),
    ),
  ],
  [
    "errors that are not flagged as such",
    times(4, (n) => ran("browser_click", { ref: word(n) }, "Error: element is not visible")),
  ],
  [
    "a tool that does not exist, in other words",
    times(4, (n) =>
      failed("find_usages", { of: word(n) }, "Tool find_usages does not exist. Use one of: Read"),
    ),
  ],
  [
    "failures of many kinds and no success",
    times(8, (n) => failed("Bash", { command: `./${word(n)}.sh` }, `${word(n)} exploded`)),
  ],
];

const TABLES: Readonly<Record<string, Table>> = {
  calls: CALLS,
  cycles: CYCLES,
  failures: FAILURES,
};

for (const [title, table] of Object.entries(TABLES))
  describe(`stuck: ${title}`, () => {
    for (const [name, steps] of table)
      test(name, () => {
        const verdict = lastVerdict(steps);
        assert.equal(verdict.level, "stuck", JSON.stringify(verdict));
      });
  });
