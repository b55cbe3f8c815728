// Work that goes in circles: checks that fail alike after each edit, edits undone, talk, reads that
// bring nothing. Each must be named at its last step. Near misses are in near-misses.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { failed, lastVerdict, piece, ran, said, times } from "./steps.ts";

type Table = readonly (readonly [string, readonly Step[]])[];

const WORDS = ["amber", "birch", "cedar", "dune", "elm", "fjord", "grove", "heath"];
const word = (n: number): string => WORDS[n % WORDS.length]!;

/** An edit to one file that was never made before. */
const edit = (n: number, file = "src/queue.ts"): Step[] =>
  ran(
    "Edit",
    { file_path: file, old_string: `${word(n)} ${n}`, new_string: `${n} ${word(n)}` },
    "ok",
  );

const tests = (n: number, output: string, command = "npm test"): Step[] => [
  ...edit(n),
  ...failed("Bash", { command }, output),
];

const CHECKS: Table = [
  [
    "Jest names the same test, the time moves",
    times(4, (n) =>
      tests(
        n,
        `FAIL src/queue.test.ts\n  ✕ keeps the order (${n + 3} ms)\n\nTests: 1 failed, 41 passed\nTime: 2.${n} s`,
      ),
    ),
  ],
  [
    "Go",
    times(4, (n) =>
      tests(
        n,
        `--- FAIL: TestDrain (0.0${n}s)\n    queue_test.go:${40 + n}: got ${n}, want 9\nFAIL`,
        "go test ./...",
      ),
    ),
  ],
  [
    "Cargo",
    times(4, (n) =>
      tests(
        n,
        `test queue::drains ... FAILED\n\nthread main panicked at src/q.rs:${n}\ntest result: FAILED. 12 passed; 1 failed`,
        "cargo test",
      ),
    ),
  ],
  [
    "Mocha",
    times(4, (n) =>
      tests(n, `  4 passing (${20 + n}ms)\n  1 failing\n\n  1) queue drains in order:\n     bad`),
    ),
  ],
  [
    "the compiler's error, whose line moves with the edits",
    times(4, (n) =>
      tests(
        n,
        `src/queue.ts(${12 + n},${5 + n}): error TS2322: Type 'string' is not assignable to type 'number'.`,
        "npx tsc -p .",
      ),
    ),
  ],
  [
    "the linter's complaint, a line further down",
    times(4, (n) =>
      tests(
        n,
        `/w/src/queue.ts\n  ${12 + n}:5  error  'drain' is defined but never used\n\n1 problem (1 error)`,
        "npm run lint",
      ),
    ),
  ],
  [
    "a C compiler, after edits to several files",
    times(5, (n) => [
      ...edit(n, `src/${word(n)}.c`),
      ...failed(
        "Bash",
        { command: "make test" },
        `src/q.c:${30 + n * 2}:${n}: error: too few arguments to function 'drain'\nmake: *** [all] Error 1`,
      ),
    ]),
  ],
  [
    "the checks as the runtime sees them",
    times(4, (n) => [
      ...edit(n),
      { kind: "world", tree: `tree ${word(n)}`, failing: ["queue drains", "queue closes"] },
    ]),
  ],
];

const EDITS: Table = [
  [
    "a file written in two versions, in turn, with reads between",
    times(6, (n) => [
      ...ran(
        "write_file",
        { file_path: "conf.yaml", content: `mode: ${n % 2 ? "on" : "off"}` },
        "ok",
      ),
      ...ran("read_file", { path: `notes/${word(n)}.md` }, word(n)),
    ]),
  ],
  [
    "trees that were there before",
    times(7, (n) => [
      ...ran("Bash", { command: `./patch.sh ${n}` }, `patched ${n}`),
      { kind: "world", tree: n % 2 === 0 ? "tree one" : "tree two" },
    ]),
  ],
  [
    "an option set, unset and set again, checked each time",
    times(5, (n) => [
      ...ran(
        "Edit",
        n % 2 === 0
          ? { file_path: "a.json", old_string: '"strict": true', new_string: '"strict": false' }
          : { file_path: "a.json", old_string: '"strict": false', new_string: '"strict": true' },
        "ok",
      ),
      ...failed("Bash", { command: "npm run build" }, `error ${word(n)}: not ${n}`),
    ]),
  ],
];

const TALK: Table = [
  ["one sentence three times", times(3, () => [said("I will now wait for your decision.")])],
  [
    "one announcement in other words",
    [
      "Now I will check the config file for the database settings.",
      "Let me check the config file for the database settings now.",
      "I should check the database settings in the config file.",
      "I will check the config file again for the database settings.",
      "Now let me check the settings for the database in the config file.",
    ].map((text) => said(text)),
  ],
  [
    "one streamed answer three times",
    times(3, () => [piece("Done. The work "), piece("is complete."), { kind: "turn_end" }]),
  ],
  [
    "one thought",
    times(3, () => [said("The parser must be at fault here.", { channel: "thought" })]),
  ],
  ["a chant in one answer", [said("I need to look at the file again. ".repeat(14))]],
  ["a chant in small pieces", times(40, () => [piece("Let me "), piece("try again. ")])],
  ["a chant in another alphabet", [said("もう一度やり直します。設定を確認します。".repeat(14))]],
];

const READS: Table = [
  [
    "one file through ever smaller windows",
    times(14, (n) =>
      ran(
        "Read",
        { file_path: "big.ts", offset: 1 + n * 3, limit: 300 - n },
        `part ${word(n)} ${n}`,
      ),
    ),
  ],
  [
    "one file through sed, the window hardly moves",
    times(14, (n) =>
      ran("shell", { command: `sed -n '${1 + n * 4},${220 + n * 2}p' src/big.rs` }, `cut ${n}`),
    ),
  ],
  [
    "one question, asked of a search in other words",
    times(10, (n) =>
      ran(
        "web_search",
        {
          query: [
            "retry policy for queue worker",
            "queue worker retry policy",
            "what is the retry policy of the queue worker",
            "queue worker: policy for retries",
          ][n % 4],
        },
        "0 results",
      ),
    ),
  ],
  [
    "three files again and again, in no order",
    [0, 1, 2, 0, 2, 1, 1, 0, 2, 2, 0, 1, 0].flatMap((n) =>
      ran("Read", { file_path: `${word(n)}.go` }, `package ${word(n)}`),
    ),
  ],
];

const cut: Step = { kind: "compaction" };

const CONTEXT: Table = [
  [
    "the context cut with only talk between",
    times(3, (n) => [said(`Going on with ${word(n)}`), cut]),
  ],
  [
    "the context cut, the same files read in another order each time",
    times(3, (n) => [
      ...times(3, (k) => ran("Read", { file_path: `${word((n + k) % 3)}.go` }, word((n + k) % 3))),
      cut,
    ]),
  ],
];

const TABLES: Readonly<Record<string, Table>> = {
  checks: CHECKS,
  edits: EDITS,
  talk: TALK,
  reads: READS,
  context: CONTEXT,
};

for (const [title, table] of Object.entries(TABLES))
  describe(`stuck: ${title}`, () => {
    for (const [name, steps] of table)
      test(name, () => {
        const verdict = lastVerdict(steps);
        assert.equal(verdict.level, "stuck", JSON.stringify(verdict));
      });
  });
