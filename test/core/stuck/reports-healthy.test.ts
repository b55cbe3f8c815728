// proves: A11, J12
// Healthy work that stands close to the loops of reports-loops.test.ts, in the words of many tools, languages and
// agents: never `stuck`, at no step; and grinding, which is told but never stopped.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, ran, result, said, times, verdictsOf, worst } from "./steps.ts";

type Table = readonly (readonly [string, readonly Step[]])[];

const WORDS = ["amber", "birch", "cedar", "dune", "elm", "fjord", "grove", "heath", "iris", "jade"];
const word = (n: number): string => WORDS[n % WORDS.length]! + (n < 10 ? "" : `${n}`);
const sh = (command: string, output: string): Step[] => ran("Bash", { command }, output);
const bad = (command: string, output: string): Step[] => failed("Bash", { command }, output);

const REFUSED: Table = [
  [
    "the same call until somebody has logged in",
    times(12, () => failed("crm_search", { query: "open invoices" }, "401 Unauthorized")),
  ],
  [
    "an outage, whatever is asked",
    times(12, (n) => failed("crm_search", { query: `page ${word(n)}` }, "503 Service Unavailable")),
  ],
  [
    "a limit on requests, inside results that claim success",
    times(12, (n) => ran("WebSearch", { query: word(n) }, "HTTP 429 Too Many Requests")),
  ],
  [
    "refused twice, then another way",
    times(4, (n) => [
      ...bad(`gh pr view ${n}`, "HTTP 401: Bad credentials"),
      ...bad(`gh api pulls/${n}`, "HTTP 401: Bad credentials"),
      ...sh(`git log -1 pr-${n}`, `commit ${word(n)}`),
    ]),
  ],
  [
    "helpers whose provider refuses them",
    times(8, (n) =>
      failed("Task", { prompt: `look at ${word(n)}` }, "API Error: 401 invalid api key"),
    ),
  ],
];

const SAME_ANSWER: Table = [
  [
    "people looked up one by one, none found",
    times(14, (n) =>
      ran(
        "directory_lookup",
        { query: `${word(n)} Miller of the sales team` },
        '{"total":0,"items":[],"page":1,"per_page":50,"has_more":false,"took":"fast"}',
      ),
    ),
  ],
  [
    "packages that hold the same files",
    times(12, (n) =>
      sh(`ls packages/${word(n)}`, "CHANGELOG.md LICENSE README.md package.json src test"),
    ),
  ],
  [
    "services asked one by one, all healthy",
    times(12, (n) =>
      ran(
        "get_service_status",
        { service: word(n) },
        '{"status":"healthy","version":"2.4.1","checks":["db","cache","queue"]}',
      ),
    ),
  ],
  [
    "tables moved one by one by a script",
    times(12, (n) =>
      sh(`python migrate.py --table ${word(n)} --yes`, "Migration applied. All rows were checked."),
    ),
  ],
  [
    "three searches with the same first hits, then a page is read",
    times(4, (n) => [
      ...times(3, (k) =>
        ran(
          "WebSearch",
          { query: `${word(n)} settings reference ${word(k)}` },
          "1. Settings of the server (docs.test)\n2. All settings (wiki.test)",
        ),
      ),
      ...ran(
        "WebFetch",
        { url: `https://docs.test/${word(n)}` },
        `Settings of ${word(n)}: timeout, retries`,
      ),
    ]),
  ],
  [
    "files of one template read one by one",
    times(12, (n) =>
      ran(
        "Read",
        { file_path: `src/${word(n)}/index.ts` },
        "export * from './types';\nexport * from './api';",
      ),
    ),
  ],
];

const VARYING: Table = [
  [
    "a build that waits for a lock and gets it",
    [
      ...times(3, (n) => bad("cargo build", `Blocking waiting for file lock, ${n} seconds`)),
      ...sh("cargo build", "Finished dev profile"),
    ],
  ],
  [
    "fewer failures after each edit",
    times(8, (n) => [
      ...ran("Edit", { file_path: `${word(n)}.rb`, old_string: word(n), new_string: `${n}` }, "ok"),
      ...bad("bundle exec rspec", `${20 - n} examples failed`),
    ]),
  ],
  [
    "a script that reports how far it is",
    times(12, (n) =>
      sh("./import.sh next", `imported batch ${n}, ${90 - n} left, ${word(n)} next`),
    ),
  ],
  [
    "another error each time",
    times(5, (n) => [
      ...ran("Edit", { file_path: "main.go", old_string: word(n), new_string: word(n + 1) }, "ok"),
      ...sh("go run . | tail -1", `Error: key ${word(n)} is missing`),
    ]),
  ],
];

const CODE = [
  "export class QueueError extends Error {",
  "  constructor(message) { super(message); }",
  "}",
  "try { drain(); } catch (error) {",
  '  throw new Error("cannot drain");',
  "}",
].join("\n");

const MENTIONED: Table = [
  [
    "iterations that print code about errors",
    times(8, (n) => [result("iteration", `Wrote ${word(n)}.ts\n${CODE}\nDone with ${word(n)}`)]),
  ],
  [
    "iterations that speak of errors",
    times(8, (n) => [
      result(
        "iteration",
        `Added error handling to ${word(n)}\n0 errors, no failures\nFixed the failure in ${word(n)}`,
      ),
    ]),
  ],
  [
    "short files about errors, read one by one",
    times(8, (n) =>
      ran("read_file", { path: `errors/${word(n)}.py` }, `error = make("${word(n)}")\nraise error`),
    ),
  ],
  [
    "searches whose hits speak of errors",
    times(8, (n) =>
      ran(
        "Grep",
        { pattern: `throw.*${word(n)}` },
        `src/${word(n)}.ts:4: throw new Error("failed")`,
      ),
    ),
  ],
  [
    "the same words, each time with a result between",
    [
      call("Bash", { command: "npm start" }),
      said("I am waiting for the server."),
      said("I am waiting for the server."),
      result("Bash", "listening on 8080"),
      said("I am waiting for the server."),
      said("I am waiting for the server."),
    ],
  ],
  [
    "one message, as it is written and then whole",
    [
      said("I will look at ", { partial: true }),
      said("the queue now.", { partial: true }),
      said("I will look at the queue now."),
      { kind: "turn_end" },
      said("It drains twice, so I guard it.", { partial: true }),
      { kind: "turn_end" },
      said("It drains twice, so I guard it."),
    ],
  ],
  [
    "a message before each of many different calls",
    times(8, (n) => [
      said("Let me look at the next file."),
      ...ran("Read", { file_path: `${word(n)}.kt` }, `class ${word(n)}`),
    ]),
  ],
];

for (const [group, table] of Object.entries({ REFUSED, SAME_ANSWER, VARYING, MENTIONED }))
  describe(`healthy beside reported loops: ${group.toLowerCase().replace("_", " ")}`, () => {
    for (const [name, steps] of table) test(name, () => assert.notEqual(worst(steps), "stuck"));
  });

test("a message shown as it is written and whole was said once", () => {
  const shown = (text: string): Step[] => [said(text, { partial: true }), said(text)];
  assert.equal(worst(shown("I will look at the queue now.")), "none");
  assert.equal(worst(times(2, () => shown("I will look at the queue now."))), "nudge");
  assert.equal(worst(times(3, () => shown("I will look at the queue now."))), "stuck");
});

describe("an agent's own guard", () => {
  for (const [text, level] of [
    ["Loop detection halted the run (consecutive_identical_tool_calls)", "stuck"],
    ["A potential loop was detected. The request has been halted.", "stuck"],
    ["Agent got stuck in a loop", "stuck"],
    ["508 Loop Detected", "none"],
    ["the event loop was blocked for 3 s", "none"],
  ] as const)
    test(text, () => assert.equal(worst([{ kind: "error", text }]), level));
});

describe("grinding", () => {
  const step = (n: number): Step[] =>
    sh(`python3 -c "print(${n} * ${n})" --${word(n)}`, `frame ${word(n)} ${n * n}`);
  const grind = (count: number, from = 0): Step[] => times(count, (n) => step(n + from));
  const levels = (steps: readonly Step[]): readonly string[] =>
    verdictsOf(steps).map(({ level, pattern }) =>
      level === "none" ? level : `${level} ${pattern}`,
    );
  test("forty different steps that move nothing are told, and never stopped for", () => {
    assert.equal(worst(grind(39)), "none");
    assert.equal(levels(grind(40)).at(-1), "nudge grinding");
    assert.equal(worst(grind(400)), "nudge");
  });
  test("a new file read, an edit, a check that says something new: each begins anew", () => {
    for (const moved of [
      ran("Read", { file_path: "new.py" }, "a file that nobody has read"),
      ran("Edit", { file_path: "a.py", old_string: "a", new_string: "b" }, "ok"),
      bad("pytest", "FAILED tests/test_a.py::test_b - assert 1 == 2"),
      sh("git mv a.py b.py", ""),
      sh("sed -i s/a/b/ a.py", ""),
    ])
      assert.equal(worst([...grind(30), ...moved, ...grind(35, 100)]), "none");
  });
  test("where trees are seen they alone tell whether files moved", () => {
    const tree = (name: string): Step => ({ kind: "world", tree: name });
    assert.equal(worst([tree("a"), ...grind(30), tree("b"), ...grind(35, 100)]), "none");
    assert.equal(worst([tree("a"), ...grind(30), tree("a"), ...grind(35, 100)]), "nudge");
    assert.equal(
      worst([tree("a"), ...grind(30), ...sh("git mv a b", ""), ...grind(35, 100)]),
      "nudge",
    );
  });
  test("waiting and plans neither count nor end it", () => {
    const waits = times(30, () => sh("sleep 60", ""));
    assert.equal(worst([...grind(20), ...waits.slice(0, 12), ...grind(19, 100)]), "none");
    assert.equal(
      levels([...grind(20), ...waits.slice(0, 4), ...grind(21, 100)]).at(-1),
      "nudge grinding",
    );
  });
  test("a loop that comes while grinding is still told", () => {
    const loop = times(4, () => sh("./run.sh", "started"));
    assert.equal(levels([...grind(60), ...loop]).at(-1), "stuck same_call");
  });
});
