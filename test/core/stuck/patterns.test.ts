// proves: A11
// A11 in part: five equal outputs in a row. The rest is design, "Stuck, on three levels", inside an
// attempt.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import type { Pattern } from "../../../src/core/stuck/verdict.ts";
import { call, failed, lastVerdict, ran, said, times, worst } from "./steps.ts";

const swap = (index: number) =>
  index % 2 === 0 ? { path: "a.ts", old: "A", new: "B" } : { path: "a.ts", old: "B", new: "A" };
const edit = (index: number, path = "a.ts"): Step[] =>
  ran("edit", { path, old: `old ${index}`, new: `new ${index}` }, "ok");

const STUCK: readonly (readonly [string, Pattern, readonly Step[]])[] = [
  [
    "the same call with the same result",
    "same_call",
    times(4, () => ran("Bash", { command: "ls" }, "a b")),
  ],
  [
    "the same call, other thoughts",
    "same_call",
    times(4, (n) => [
      said(`idea ${n}`, { channel: "thought" }),
      ...ran("Bash", { command: "ls" }, "a b"),
    ]),
  ],
  [
    "calls alone where no result is ever seen",
    "same_call",
    times(5, () => [call("Read", { path: "a" })]),
  ],
  [
    "arguments in another order",
    "same_call",
    times(4, (n) =>
      ran("tool", n % 2 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 }, "same"),
    ),
  ],
  [
    "times, durations, process ids and attempts in the result",
    "same_call",
    times(4, (n) =>
      failed(
        "bash",
        { command: "./serve.sh" },
        `[2026-03-0${n + 1} 10:20:3${n}] crashed (pid 41${n}2) after ${n}.4s, attempt ${n + 1}`,
      ),
    ),
  ],
  [
    "a fresh id in each result",
    "same_call",
    times(4, (n) =>
      ran("notify", { to: "team", text: "hi" }, `{"ok":true,"messageId":"m-${n}","sentAt":${n}}`),
    ),
  ],
  [
    "other words in an argument for the eye",
    "same_call",
    times(4, (n) => ran("bash", { command: "make", description: `try ${n}` }, "up to date")),
  ],
  [
    "the same call, another error each time",
    "same_call",
    times(4, (n) => failed("run", { command: "x" }, "abcd"[n]!)),
  ],
  [
    "a command that acts, with only looking around between",
    "same_call",
    times(4, (n) => [
      ...ran("read", { path: `f${n}` }, `c${n}`),
      ...failed("bash", { command: "make" }, "missing rule"),
    ]),
  ],
  [
    "a call that comes back between others",
    "same_call",
    times(5, (n) => [
      ...ran("read", { path: "a" }, "same"),
      ...ran("read", { path: `f${n}` }, `c${n}`),
    ]),
  ],
  [
    "a task handed over three times",
    "same_call",
    times(3, (n) => [
      call("dispatch_unit", { key: "T3" }),
      ...ran("read", { path: `f${n}` }, "x"),
      { kind: "tool_result", tool: "dispatch_unit", output: "nothing written" } as const,
    ]),
  ],
  [
    "five equal outputs in a row (A11)",
    "same_call",
    times(5, () => [{ kind: "tool_result", tool: "loop", output: "done" }]),
  ],
  ...[2, 3, 4, 5].map(
    (period) =>
      [
        `a cycle of ${period}`,
        "cycle",
        times(3, () => times(period, (n) => ran("lookup", { key: n }, `value ${"vwxyz"[n]}`))),
      ] as const,
  ),
  ["an edit made and undone", "cycle", times(6, (n) => ran("edit", swap(n), "ok"))],
  [
    "an edit made and undone, checks between",
    "edit_revert",
    times(4, (n) => [
      ...ran("edit", swap(n), "ok"),
      ...failed("bash", { command: "make test" }, `bad ${n % 3}`),
    ]),
  ],
  [
    "the same error, other arguments",
    "same_failure",
    times(4, (n) => failed("edit", { path: "a", old: `x${n}` }, "old text not found")),
  ],
  [
    "the same error, not flagged as one",
    "same_failure",
    times(4, (n) => ran("apply_patch", { patch: `p${n}` }, "Error: context does not match")),
  ],
  [
    "the same kind of error, other names",
    "same_failure",
    times(5, (n) =>
      failed("deploy", { to: `host${n}` }, `cannot reach unit 'host${n}' on rack ${n}`),
    ),
  ],
  [
    "the same edit error, and a write that changes nothing",
    "same_call",
    times(6, (n) => [
      ...failed("replace_in_file", { path: "a", diff: `v${n}` }, "no match"),
      ...ran("write_to_file", { path: "a", content: "same" }, "saved"),
    ]),
  ],
  [
    "files that are not there, one after the other",
    "same_failure",
    times(6, (n) => failed("view", { file_path: `/s/${n}` }, `Error: no file /s/${n}`)),
  ],
  [
    "a tool that does not exist",
    "unknown_tool",
    times(4, (n) => failed("exec", { n }, "Error: No such tool available: exec")),
  ],
  [
    "failure upon failure, all different",
    "failures_in_a_row",
    times(8, (n) => failed("bash", { command: `c${n}` }, `${"abcdefgh"[n]} broke`)),
  ],
  [
    "the same failing check after edits to one file",
    "same_failing_tests",
    times(4, (n) => [...edit(n), ...failed("bash", { command: "npm test" }, "1 failed: login")]),
  ],
  [
    "the same failing tests, other numbers and times",
    "same_failing_tests",
    times(5, (n) => [
      ...edit(n, `f${n}.ts`),
      ...ran(
        "bash",
        { command: "pytest -q" },
        `FAILED tests/a.py::test_x - assert ${n} == 9\n1 failed in 0.${n}2s`,
      ),
    ]),
  ],
  [
    "pages of one file, over and over",
    "cycle",
    times(3, () =>
      times(6, (n) => ran("read_file", { path: "big", offset: n * 100, limit: 100 }, `page ${n}`)),
    ),
  ],
  [
    "windows that hardly move",
    "nothing_new",
    times(12, (n) => ran("read_file", { path: "big", offset: n * 5, limit: 200 }, `window ${n}`)),
  ],
  [
    "a question in other words",
    "nothing_new",
    times(10, (n) =>
      ran(
        "search",
        {
          query: [
            "refresh auth token",
            "auth token refresh",
            "how to refresh the auth token",
            "token refreshing, auth",
          ][n % 4],
        },
        "no results",
      ),
    ),
  ],
  [
    "a few files in any order",
    "nothing_new",
    [0, 1, 2, 1, 0, 2, 2, 1, 0, 1, 2, 0].flatMap((n) => ran("read", { path: `f${n}` }, `c${n}`)),
  ],
  [
    "the context cut again and again, the same files read each time",
    "compaction",
    times(3, (round) => [
      ...[0, 1, 2].flatMap((n) => ran("read", { path: `f${(n + round) % 3}` }, "text")),
      { kind: "compaction" } as const,
    ]),
  ],
  [
    "the same message without work",
    "repeated_message",
    times(3, () => [said("Let me know if you need anything.")]),
  ],
  [
    "nearly the same message",
    "repeated_message",
    times(5, (n) => [said(`Checking the config file again, round ${n}.`)]),
  ],
  [
    "the same thought",
    "repeated_message",
    times(3, () => [said("I should look at the schema.", { channel: "thought" })]),
  ],
  [
    "a wait that brings nothing, very often",
    "poll",
    times(20, () => ran("bash", { command: "sleep 5; tail log" }, "same")),
  ],
];

describe("stuck", () => {
  for (const [name, pattern, steps] of STUCK)
    test(name, () => {
      const verdict = lastVerdict(steps);
      assert.equal(verdict.level, "stuck", JSON.stringify(verdict));
      assert.equal(verdict.pattern, pattern);
    });
});

const HEALTHY: readonly (readonly [string, readonly Step[]])[] = [
  [
    "opening exploration",
    times(20, (n) => ran("read_file", { path: `src/${n}.ts` }, `content ${n}`)),
  ],
  [
    "one pass over a long file",
    times(30, (n) => ran("read_file", { path: "log", offset: n * 200, limit: 200 }, `page ${n}`)),
  ],
  [
    "one edit in each of many files",
    times(30, (n) => ran("edit", { path: `f${n}`, old: "", new: "// licence" }, "ok")),
  ],
  [
    "one command for each of many files",
    times(30, (n) => ran("bash", { command: `fmt f${n}` }, "")),
  ],
  [
    "one name after the other, none found",
    times(12, (n) => ran("directory_lookup", { name: `person ${"abcdefghijkl"[n]}` }, "[]")),
  ],
  [
    "searches that end with an exit code only",
    times(12, (n) => failed("bash", { command: `grep -r w${n} .` }, "Exit code 1")),
  ],
  [
    "differences that end with an exit code",
    times(12, (n) => failed("Bash", { command: `diff a${n} b` }, `Exit code 1\n${n}c${n}\n< x`)),
  ],
  [
    "checks after changes by a tool nobody knows",
    times(8, (n) => [
      ...ran("set_colour", { layer: n }, "ok"),
      ...ran("bash", { command: "npm test" }, "all passed"),
    ]),
  ],
  [
    "results that speak of errors",
    times(8, (n) => ran("web_search", { q: `http 404 ${n}` }, `Result ${n}: Error 404 explained`)),
  ],
  [
    "fewer failing tests each time",
    times(20, (n) => [...edit(n), ...failed("bash", { command: "npm test" }, `${40 - n} failed`)]),
  ],
  [
    "other errors after other edits",
    times(8, (n) => [...edit(n), ...failed("run_build", {}, `error TS23${10 + n}: problem ${n}`)]),
  ],
  [
    "checks after each change",
    times(12, (n) => [
      ...edit(n, `f${n}`),
      ...ran("bash", { command: "npm test" }, "all passed"),
      ...ran("bash", { command: "git status" }, "clean"),
    ]),
  ],
  [
    "reading back one's own edits",
    times(8, (n) => [...edit(n), ...ran("read", { path: "a.ts" }, "content")]),
  ],
  ["output that grows", times(25, (n) => ran("process", { action: "poll", id: 1 }, `line ${n}`))],
  [
    "a wait with a moving number",
    times(8, (n) => ran("run", { command: "sleep 60 && tail -1 build.log" }, `[${n}0%] compiling`)),
  ],
  ["waiting with empty commands", times(6, () => ran("run", { command: "" }, "[still running]"))],
  [
    "asking what runs elsewhere",
    times(6, () => ran("bash", { command: "gh run view 7" }, "status: in_progress")),
  ],
  [
    "waiting, then looking",
    times(4, () => [
      ...ran("bash", { command: "sleep 60" }, ""),
      ...ran("bash", { command: "cat status" }, "3/10"),
    ]),
  ],
  [
    "writing one file in several versions",
    times(6, (n) => ran("write_file", { path: "a", content: `v${n}` }, "ok")),
  ],
  ["context cut with work between", times(6, (n) => [{ kind: "compaction" } as const, ...edit(n)])],
  [
    "an outage inside exit 0",
    times(12, () => ran("bash", { command: "agent go" }, "Error: 503 Service Unavailable")),
  ],
  [
    "a rate limit",
    times(12, () => failed("fetch", { url: "u" }, '{"error":{"type":"rate_limit_error"}}')),
  ],
  [
    "a lost network",
    times(12, () => failed("bash", { command: "npm ci" }, "npm ERR! network ECONNRESET")),
  ],
  [
    "a key that is not accepted",
    times(12, () => failed("bash", { command: "gh pr list" }, "HTTP 401: Bad credentials")),
  ],
  [
    "a service that fails outside of any tool",
    times(12, () => [{ kind: "error", text: "API error 529 overloaded" }]),
  ],
];

describe("healthy, at every step", () => {
  for (const [name, steps] of HEALTHY) test(name, () => assert.equal(worst(steps), "none"));
});

test("a service on this machine that is down is the agent's own business", () => {
  const refused = failed(
    "bash",
    { command: "curl localhost:3000" },
    "connect ECONNREFUSED 127.0.0.1:3000",
  );
  assert.equal(lastVerdict(times(4, () => refused)).level, "stuck");
});

test("one less than the threshold is a nudge, not a verdict", () => {
  assert.equal(worst(times(3, () => ran("Bash", { command: "ls" }, "a"))), "nudge");
  assert.equal(worst(times(4, () => [call("Read", { path: "a" })])), "nudge");
  assert.notEqual(worst(times(2, () => [...ran("a", {}, "1"), ...ran("b", {}, "2")])), "stuck");
});

test("moving on ends the verdict", () => {
  const loop = times(6, () => ran("Bash", { command: "ls" }, "a"));
  assert.equal(lastVerdict([...loop, ...ran("read", { path: "new" }, "text")]).level, "none");
  assert.equal(lastVerdict([...loop, call("read", { path: "new" })]).level, "none");
  assert.equal(lastVerdict([...loop, call("Bash", { command: "ls" })]).level, "stuck");
});
