// proves: A11
// Loops as people report them, in the words of many tools, languages and agents: each is named `stuck` by its end.
// The healthy work that stands beside each of them is in reports-healthy.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { failed, lastVerdict, ran, result, said, times } from "./steps.ts";

type Table = readonly (readonly [string, readonly Step[]])[];

const sh = (command: string, output: string): Step[] => ran("Bash", { command }, output);
const bad = (command: string, output: string): Step[] => failed("Bash", { command }, output);
const pick = (list: readonly string[], n: number): string => list[n % list.length]!;

const ASKED = [
  "open invoices",
  "open invoices 2026",
  "list of all open invoices",
  "invoices not paid",
  "unpaid invoices by customer",
  "show every invoice that is due",
  "due invoices",
];

const REFUSED: Table = [
  [
    "a connector without a valid token",
    times(6, (n) => failed("crm_search", { query: pick(ASKED, n) }, "401 Unauthorized")),
  ],
  [
    "a connector that reports the refusal as a success",
    times(6, (n) =>
      ran("mcp__books__find", { query: pick(ASKED, n) }, '{"error":"Invalid API key"}'),
    ),
  ],
  [
    "a forbidden page, whatever the address",
    times(6, (n) =>
      ran("WebFetch", { url: `https://docs.test/${n}/${pick(ASKED, n)}` }, "403 Forbidden"),
    ),
  ],
  [
    "a filter that blocks every wording",
    times(5, (n) =>
      ran(
        "generate_image",
        { prompt: pick(ASKED, n) },
        "Request blocked: the prompt violates the content policy.",
      ),
    ),
  ],
  [
    "a remote host that lets nobody in, whatever the flags",
    times(6, (n) =>
      sh(`ssh ${"-v ".repeat(n)}deploy@web.test uptime`, "Permission denied (publickey)."),
    ),
  ],
  [
    "an expired login of a command-line program, tried in other ways",
    times(5, (n) =>
      bad(
        pick(
          ["gh pr list", "gh pr view 3", "gh api repos/a/b", "gh repo view", "gh issue list"],
          n,
        ),
        "HTTP 401: Bad credentials (https://api.test/graphql)",
      ),
    ),
  ],
];

const SAME_ANSWER: Table = [
  [
    "a search that always brings the same hits",
    times(9, (n) =>
      ran(
        "WebSearch",
        { query: pick(ASKED, n) + " ".repeat(n) + n },
        "1. Invoices, an overview (shop.test)\n2. How to send an invoice (help.test)\n3. Invoice templates (docs.test)",
      ),
    ),
  ],
  [
    "notes asked for in ever other words",
    times(12, (n) =>
      ran(
        "read_team_notes",
        { query: `${pick(ASKED, n)} during the review, part ${"x".repeat(n)}`, team: "billing" },
        "Monday: planning. Tuesday: release of the billing service. No other entries.",
      ),
    ),
  ],
  [
    "the same log through other pipes",
    times(10, (n) =>
      sh(
        pick(
          [
            "journalctl -u app | tail -n 5",
            "journalctl -u app --no-pager | tail -n 5 2>/dev/null",
            "journalctl --no-pager -u app | tail -5 | cat",
            "journalctl -u app -q --no-pager | tail -n 5",
            "sudo journalctl -u app | tail -n 5 | sort",
          ],
          n,
        ),
        "app: listening on 8080\napp: ready\napp: health check answered",
      ),
    ),
  ],
  [
    "the sign-in page, whatever page is asked for",
    times(9, (n) =>
      ran(
        "fetch",
        { url: `https://wiki.test/page/${n}` },
        "Sign in to continue\nEnter your company account to read this page. Forgot your password? Ask the help desk.",
      ),
    ),
  ],
];

const VARYING: Table = [
  [
    "an attempt counter, a time, a duration and a process id",
    times(5, (n) =>
      bad(
        `./deploy.sh --try ${n}`,
        `[10:20:0${n}] attempt ${n + 1}: worker[${4000 + n}] stopped after ${120 + n * 7}ms: lock is held`,
      ),
    ),
  ],
  [
    "the same where nothing flags the failure",
    times(5, (n) =>
      sh(
        "./deploy.sh",
        `Error: lock is held by process ${900 + n} (waited ${n + 1}.${n}s, try ${n + 1} of 9)`,
      ),
    ),
  ],
  [
    "a counter in brackets, other flags each time",
    times(5, (n) =>
      failed(
        "exec",
        { cmd: `terraform apply -lock-timeout=${n}s` },
        `(${n + 1}/20) Error acquiring the state lock after ${3 + n}s\nID: 9f8e7d6c-1111-4222-8333-00000000000${n}`,
      ),
    ),
  ],
  [
    "a line number of a log that grows",
    times(5, (n) =>
      bad(
        `make deploy V=${n}`,
        `#${n + 17} ${12 + n}.304 failed to solve: base image not found\n#${n + 18} DONE ${n}.1s`,
      ),
    ),
  ],
  [
    "PowerShell with clock times",
    times(5, (n) =>
      failed(
        "run_shell_command",
        { command: `Start-Service -Name Spooler -Wait:${n}` },
        `At 9:1${n}:0${n} PM: Start-Service : Service 'Spooler' cannot be started (PID ${n * 31 + 800}).`,
      ),
    ),
  ],
  [
    "one command through a pipe that hides its exit code",
    times(5, (n) =>
      sh("./sync.sh 2>&1 | tail -2", `copied ${n * 3} of 90\nsync failed with code ${n + 30}`),
    ),
  ],
  [
    "retries counted in words",
    times(5, (n) =>
      sh("./publish.sh", `gave up after ${n + 2} attempts (retry count ${n}): queue is closed`),
    ),
  ],
  [
    "a growing retry count in JSON",
    times(5, (n) =>
      failed(
        "mcp__jobs__run",
        { job: `nightly-${n}` },
        `{"error":"queue is closed","retries":${n},"elapsed_ms":${n * 37 + 5},"pid":${n + 7000}}`,
      ),
    ),
  ],
];

const TALK: Table = [
  ["the same announcement, nothing done", times(4, () => [said("I will now fix the import.")])],
  [
    "an output of a script that fails the same way each time",
    times(4, (n) => [
      result("iteration", `run ${n}\nsrc/a.c:3:1: error: unknown type name 'u8'\nmake failed`),
    ]),
  ],
  [
    "two searches in turn",
    times(4, () => [
      ...ran("Grep", { pattern: "drain" }, "src/queue.ts:4: drain()"),
      ...ran("Glob", { pattern: "**/queue*" }, "src/queue.ts"),
    ]),
  ],
];

for (const [group, table] of Object.entries({ REFUSED, SAME_ANSWER, VARYING, TALK }))
  describe(`reported loops: ${group.toLowerCase().replace("_", " ")}`, () => {
    for (const [name, steps] of table)
      test(name, () => assert.equal(lastVerdict(steps).level, "stuck"));
  });
