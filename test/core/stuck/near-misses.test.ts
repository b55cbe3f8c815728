// Healthy work that looks like a loop at a glance: silence at every step of it, nudges included.
// The loops it must be told from are in loops.test.ts and patterns.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, piece, ran, said, times, verdictsOf } from "./steps.ts";

type Table = readonly (readonly [string, readonly Step[]])[];

const WORDS = ["amber", "birch", "cedar", "dune", "elm", "fjord", "grove", "heath", "iris", "jade"];
const word = (n: number): string => WORDS[n % WORDS.length]! + (n < 10 ? "" : `${n}`);
const edit = (n: number, file = "src/queue.ts"): Step[] =>
  ran(
    "Edit",
    { file_path: file, old_string: `${word(n)} ${n}`, new_string: `${n} ${word(n)}` },
    "ok",
  );
const sh = (command: string, output: string): Step[] => ran("Bash", { command }, output);
const bad = (command: string, output: string): Step[] => failed("Bash", { command }, output);

const EXPLORING: Table = [
  [
    "a folder, then each file in it",
    [
      ...ran("list_directory", { path: "src" }, WORDS.join("\n")),
      ...times(15, (n) =>
        ran("read_file", { path: `src/${word(n)}.ts` }, `export const ${word(n)};`),
      ),
    ],
  ],
  [
    "one name after the other, nothing found",
    times(14, (n) => ran("Grep", { pattern: `use${word(n)}`, path: "src" }, "No matches found")),
  ],
  [
    "one name in one folder after the other",
    times(14, (n) =>
      ran("Grep", { pattern: "useQueue", path: `pkg/${word(n)}` }, "No matches found"),
    ),
  ],
  [
    "one file from top to bottom with sed",
    times(14, (n) => sh(`sed -n '${n * 200 + 1},${n * 200 + 200}p' src/big.rs`, `part ${word(n)}`)),
  ],
  [
    "the head of many files that begin alike",
    times(14, (n) => sh(`head -n 3 src/${word(n)}.rs`, "// Licensed to everybody\n\nuse std::io;")),
  ],
  [
    "two pages back and forth, twice",
    [0, 1, 0, 1].flatMap((n) => ran("Read", { file_path: `${word(n)}.go` }, `package ${word(n)}`)),
  ],
  [
    "calls side by side in each answer",
    times(6, (n) => [
      ...times(4, (k) => [
        call("Read", { file_path: `${word(n)}/${k}.py` }, { round: n, id: `${n}.${k}` }),
      ]),
      ...times(4, (k): Step[] => [
        { kind: "tool_result", id: `${n}.${k}`, output: `# ${word(n)} ${word(k)}` },
      ]),
    ]),
  ],
  [
    "two wrong guesses at a path, then the right one",
    times(3, (n) => [
      ...failed("Read", { file_path: `lib/${word(n)}.h` }, "File does not exist."),
      ...failed("Read", { file_path: `include/${word(n)}.h` }, "File does not exist."),
      ...ran("Read", { file_path: `src/${word(n)}.h` }, `#pragma once // ${word(n)}`),
    ]),
  ],
  [
    "two helpers that read the same files",
    times(6, (n) =>
      ["one", "two"].flatMap((runId): Step[] => [
        { kind: "tool_call", tool: "Read", args: { path: word(n) }, runId },
        { kind: "tool_result", tool: "Read", output: `text of ${word(n)}`, runId },
      ]),
    ),
  ],
];

const BATCHES: Table = [
  ["a header put into each file", times(25, (n) => edit(1, `src/${word(n)}.ts`))],
  ["files moved one by one", times(25, (n) => sh(`git mv ${word(n)}.js ${word(n)}.ts`, ""))],
  [
    "rows put in one by one",
    times(25, (n) => ran("run_sql", { sql: `insert into t values (${n})` }, "INSERT 0 1")),
  ],
  [
    "packages installed one by one",
    times(8, (n) => sh(`npm install ${word(n)}`, `added 1 package in ${n}s`)),
  ],
  [
    "tickets made one by one",
    times(12, (n) => ran("create_issue", { title: `Port ${word(n)}` }, `{"ok":true,"id":${n}}`)),
  ],
  [
    "each package built, all the same way",
    times(12, (n) => sh(`npm run build -w packages/${word(n)}`, "build finished without warnings")),
  ],
  [
    "each file written, then looked at",
    times(10, (n) => [
      ...ran("Write", { file_path: `${word(n)}.md`, content: `# ${word(n)}` }, "ok"),
      ...ran("Read", { file_path: `${word(n)}.md` }, `# ${word(n)}`),
    ]),
  ],
  [
    "a plan ticked off step by step",
    times(6, (n) => [
      ...ran("TodoWrite", { todos: ticked(n) }, "Todos have been modified successfully"),
      ...edit(n, `${word(n)}.ts`),
    ]),
  ],
];

function ticked(done: number): readonly { readonly content: string; readonly status: string }[] {
  return WORDS.slice(0, 6).map((content, n) => ({
    content,
    status: n < done ? "completed" : "pending",
  }));
}

const VERIFYING: Table = [
  [
    "the same green tests after each change",
    times(10, (n) => [
      ...edit(n),
      ...sh("npm test", "42 passed"),
      ...sh("git diff --stat", "1 file"),
    ]),
  ],
  [
    "one error less each time",
    times(10, (n) => [
      ...edit(n),
      ...bad(
        "npx tsc -p .",
        WORDS.slice(n)
          .map((name) => `src/${name}.ts(4,2): error TS2304: Cannot find name '${name}'.`)
          .join("\n"),
      ),
    ]),
  ],
  [
    "another error in the same line each time",
    times(8, (n) => [
      ...edit(n),
      ...bad("make", `src/q.c:30:7: error: unknown type name '${word(n)}_t'`),
    ]),
  ],
  [
    "another failing test each time",
    times(8, (n) => [
      ...edit(n),
      ...bad("pytest -x", `FAILED tests/test_q.py::test_${word(n)} - assert 0\n1 failed`),
    ]),
  ],
  [
    "a check that is run again because it is flaky",
    [...edit(0), ...bad("npm test", "1 failed: timing"), ...sh("npm test", "42 passed")],
  ],
  [
    "looking for the commit that broke it",
    times(7, (n) => [
      ...sh(
        n % 3 === 2 ? "git bisect good" : "git bisect bad",
        `Bisecting: ${64 >> n} revisions left to test after this\n[${word(n)}] commit`,
      ),
      ...(n % 3 === 1 ? sh("npm test", "42 passed") : bad("npm test", "FAILED queue drains")),
    ]),
  ],
  [
    "an undo, and another way",
    [
      ...ran("Edit", { file_path: "a.c", old_string: "int x;", new_string: "long x;" }, "ok"),
      ...bad("make", "error: overflow"),
      ...ran("Edit", { file_path: "a.c", old_string: "long x;", new_string: "int x;" }, "ok"),
      ...ran("Edit", { file_path: "a.c", old_string: "int y;", new_string: "long y;" }, "ok"),
      ...sh("make", "ok"),
    ],
  ],
  [
    "small commits, looked at each time",
    times(6, (n) => [
      ...edit(n, `${word(n)}.ts`),
      ...sh("git add -A && git status --short", `M ${word(n)}.ts`),
      ...sh(`git commit -m "${word(n)}"`, `[main ${n}] ${word(n)}`),
      ...sh("git status", "nothing to commit, working tree clean"),
    ]),
  ],
  [
    "a tree that changes under the same command",
    times(8, (n) => [{ kind: "world", tree: `tree ${n}` }, ...sh("npm test", "42 passed")]),
  ],
];

const WAITING: Table = [
  [
    "a log that grows",
    times(15, (n) => sh("tail -n 1 train.log", `step ${n}00 loss ${9 - n / 2}`)),
  ],
  [
    "pods that start",
    times(8, (n) => sh("kubectl get pods", `api-0  0/1  ContainerCreating  0  ${n * 10}s`)),
  ],
  [
    "a run elsewhere that takes its time",
    times(8, () => sh("gh run watch 77 --exit-status", "Run main is in progress")),
  ],
  ["a wait that is scheduled", times(9, () => [...sh("date", "later"), { kind: "wait" }])],
  [
    "a job asked for its state, which moves",
    times(12, (n) => ran("get_job_status", { job: 7 }, `{"state":"running","done":${n}}`)),
  ],
  [
    "output of a shell in the background",
    times(9, (n) => ran("BashOutput", { bash_id: "b1" }, n < 8 ? "" : "listening on 3000")),
  ],
];

const OUTAGES: Table = [
  [
    "a service that is overloaded",
    times(9, () => bad("npm publish", "npm error 503 Service Unavailable")),
  ],
  [
    "a limit, told in a result that ends well",
    times(9, () => ran("search_docs", { q: "x" }, '{"error":{"type":"rate_limit_error"}}')),
  ],
  [
    "a name that does not resolve",
    times(9, () => bad("git fetch", "fatal: could not resolve host")),
  ],
  [
    "a login that ran out",
    times(9, () => bad("az vm list", "ERROR: session has expired, log in again")),
  ],
  ["a stream that breaks off", times(9, () => [{ kind: "error", text: "stream disconnected" }])],
  [
    "work with outages between",
    times(9, (n) => [...bad("npm ci", "npm error network ETIMEDOUT"), ...edit(n)]),
  ],
];

const PEOPLE: Table = [
  [
    "a person who asks for the same again",
    times(6, () => [{ kind: "user_message" }, ...sh("npm start", "port 3000 is in use")]),
  ],
  [
    "a new task for each of the same calls",
    times(6, () => [{ kind: "new_task" }, ...sh("ls", "a b")]),
  ],
  [
    "an answer that is asked for again",
    times(4, () => [call("Bash", { command: "ls" }), { kind: "stream_retry" }]),
  ],
  ["the same words at the end of each piece of work", times(6, (n) => [said("Done."), ...edit(n)])],
  [
    "reports of one form",
    times(6, (n) => [said(`Finished ${word(n)}; the next one follows.`), ...edit(n, word(n))]),
  ],
];

const TEXTS: Table = [
  ["a list of alike items", [said(list(20))]],
  ["a table", [said(`| a | b |\n|---|---|\n${"| yes | no |\n".repeat(30)}`)]],
  ["code", [said(`\`\`\`ts\n${"counter += 1;\n".repeat(40)}\`\`\``)]],
  ["dividers", [said("=".repeat(600))]],
  ["a refrain", [said("Row, row, row your boat, gently down the stream. ".repeat(3))]],
  ["a stream of plain words", times(60, (n) => [piece(`${word(n)} follows ${word(n + 3)}, `)])],
  ["numbered steps", [said(numbered(25))]],
];

function list(count: number): string {
  return Array.from({ length: count }, (_, n) => `- updated the file ${word(n)}.ts\n`).join("");
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, n) => `${n + 1}. Run the tests again.\n`).join("");
}

const CONTEXT: Table = [
  [
    "files read again after the context was cut",
    times(2, (n) => [
      ...times(5, (k) => ran("Read", { file_path: `${word(k)}.go` }, `package ${word(k)}`)),
      ...edit(n),
      { kind: "compaction" },
    ]),
  ],
  [
    "the context cut often, with work between",
    times(8, (n) => [
      ...edit(n, `${word(n)}.ts`),
      ...sh("npm test", `${n} passed`),
      { kind: "compaction" },
    ]),
  ],
];

const TABLES: Readonly<Record<string, Table>> = {
  exploring: EXPLORING,
  batches: BATCHES,
  verifying: VERIFYING,
  waiting: WAITING,
  outages: OUTAGES,
  people: PEOPLE,
  texts: TEXTS,
  context: CONTEXT,
};

for (const [title, table] of Object.entries(TABLES))
  describe(`healthy: ${title}`, () => {
    for (const [name, given] of table)
      test(name, () => {
        const verdicts = verdictsOf(given);
        const at = verdicts.findIndex(({ level }) => level !== "none");
        assert.equal(at, -1, `step ${at}: ${JSON.stringify(verdicts[at])}`);
      });
  });
