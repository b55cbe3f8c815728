// proves: C1, C2, C3
import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, failureOf, namesOf, planFor, ROOT, stepsOf } from "./request.ts";

const questionsOf = (plan: ReturnType<typeof planFor>): unknown =>
  stepsOf(plan, "ask_user")[0]?.args["questions"];

test("network_error: with growing pauses, from elsewhere, from what is there", () => {
  const command = "curl -fsS https://data.example.org/a/list.csv -o list.csv";
  const plan = planFor("network_error", {
    command,
    stderr: "curl: (6) Could not resolve host: data.example.org",
  });
  assert.deepEqual(stepsOf(plan, "retry_with_backoff"), [
    {
      action: `Try \`${command}\` again after 5, 10 and 20 s`,
      tool: "run_bash",
      args: {
        script: `for delay in 5 10 20; do sleep "$delay"; bash -c '${command}' && exit 0; done; exit 1`,
      },
      expectedOutcome: "The connection is made",
    },
  ]);
  assert.deepEqual(stepsOf(plan, "try_alternative_host"), [
    {
      action: "Fetch the same content from `web.archive.org`",
      tool: "run_bash",
      args: {
        script:
          "'curl' '-fsS' 'https://web.archive.org/web/2/https://data.example.org/a/list.csv' '-o' 'list.csv'",
      },
      expectedOutcome: "The download ends with exit code 0",
    },
  ]);
  assert.deepEqual(stepsOf(plan, "use_cached_data"), [
    {
      action: "Look for data that was downloaded before",
      tool: "read_dir",
      args: { dir: ROOT },
      expectedOutcome: `\`${ROOT}/list.csv\` is listed`,
    },
    {
      action: `Use \`${ROOT}/list.csv\` instead of downloading it`,
      tool: "read_file",
      args: { file: `${ROOT}/list.csv` },
      expectedOutcome: "The data, perhaps older than the original",
    },
  ]);
  assert.deepEqual(questionsOf(plan), [
    "Can this machine reach `data.example.org`? Is a proxy, a firewall or a VPN in the way?",
    "If not: from where else may the data of `data.example.org` be taken?",
  ]);
});

test("network_error: no other host for what is private, secret or no download", () => {
  const names = (command: string): readonly string[] =>
    namesOf(planFor("network_error", { command }));
  for (const command of [
    "curl https://data.example.org/a?token=1",
    "curl http://localhost/a",
    "git clone https://data.example.org/a/b",
    "curl https://data.example.org/a | tar x",
    "ping data.example.org",
  ])
    assert.ok(!names(command).includes("try_alternative_host"), command);
  assert.ok(names("wget https://data.example.org/a").includes("try_alternative_host"));
});

test("network_error: a request that is no command waits and is sent again", () => {
  const plan = planFor("network_error", {
    tool: "http",
    message: "connect ECONNREFUSED 10.0.0.9:80",
  });
  assert.deepEqual(callsOf(plan, "retry_with_backoff"), [
    ["Wait 5 s", { waitMs: 5000 }],
    ["Try the failed call again", {}],
  ]);
  assert.deepEqual(callsOf(plan, "use_cached_data"), [["read_dir", { dir: ROOT }]]);
  assert.equal(stepsOf(plan, "use_cached_data")[0]?.expectedOutcome, "A file with the data");
  assert.match(String(questionsOf(plan)), /reach `10\.0\.0\.9`/);
  assert.match(String(questionsOf(planFor("network_error", {}))), /reach the network\?/);
});

test("rate_limited: 60 s unless the server says otherwise", () => {
  const wait = (more: Parameters<typeof failureOf>[1], observedAt?: number): unknown => {
    const evidence = { tool: "llm", ...(observedAt !== undefined && { observedAt }) };
    return callsOf(
      planFor("rate_limited", evidence, { failure: failureOf("rate_limited", more) }),
      "wait_and_retry",
    )[0];
  };
  const resetAt = "2026-01-02T03:05:00.000Z";
  assert.deepEqual(wait({}), ["Wait 60 s", { waitMs: 60_000 }]);
  assert.deepEqual(wait({ retryAfterMs: 1500 }), ["Wait 2 s", { waitMs: 1500 }]);
  assert.deepEqual(wait({ retryAfterMs: 1500, resetAt }), ["Wait 2 s", { waitMs: 1500 }]);
  assert.deepEqual(wait({ resetAt }, Date.parse("2026-01-02T03:04:00Z")), [
    "Wait 60 s",
    { waitMs: 60_000 },
  ]);
  assert.deepEqual(wait({ resetAt }, Date.parse("2026-01-03T00:00:00Z")), [
    "Wait 0 s",
    { waitMs: 0 },
  ]);
  assert.deepEqual(wait({ resetAt }), [`Wait until \`${resetAt}\``, { waitUntil: resetAt }]);
  assert.deepEqual(wait({ resetAt: "soon" }), ["Wait 60 s", { waitMs: 60_000 }]);
});

test("rate_limited: then again, more slowly, or from elsewhere", () => {
  const command = "curl https://api.example.com/v1";
  const plan = planFor("rate_limited", { command });
  assert.deepEqual(callsOf(plan, "wait_and_retry")[1], [
    "run_bash",
    { script: `bash -c '${command}'` },
  ]);
  assert.deepEqual(callsOf(plan, "reduce_request_frequency"), [
    ["Wait 60 s", { waitMs: 60_000 }],
    [
      `Send fewer requests with \`${command}\`: several in one where the service allows it, and 5 s between two`,
      { pauseMs: 5000 },
    ],
  ]);
  const elsewhere = "Take the data from somewhere else than `api.example.com`";
  assert.deepEqual(callsOf(plan, "use_alternative_source"), [
    ["read_dir", { dir: ROOT }],
    [elsewhere, {}],
  ]);
  const without = planFor("rate_limited", { command }, { tools: ["run_bash"] });
  assert.deepEqual(callsOf(without, "use_alternative_source"), [[elsewhere, {}]]);
  assert.deepEqual(questionsOf(plan), [
    "Shall the work wait until the limit of `api.example.com` is reset?",
    "If not: is there another account, plan or source that may be used instead of `api.example.com`?",
  ]);
  assert.match(
    String(questionsOf(planFor("rate_limited", { tool: "llm" }))),
    /limit of the service is/,
  );
});

test("disk_full: own temporary files, a smaller file", () => {
  const plan = planFor("disk_full", {
    command: "cp a b",
    stderr: "cp: error writing '/data/full/b': No space left on device",
  });
  assert.deepEqual(
    stepsOf(plan, "clean_up_temp_files").map(({ args, needsPermission }) => [
      args["script"],
      needsPermission,
    ]),
    [
      [`df -h -- /tmp '${ROOT}'`, undefined],
      [`find '/tmp' -maxdepth 1 -name '*.tmp' -user "$(id -un)" -exec rm -rf -- {} +`, "delete"],
      [`find '${ROOT}' -maxdepth 1 -name '*.tmp' -user "$(id -un)" -exec rm -rf -- {} +`, "delete"],
    ],
  );
  assert.equal(
    stepsOf(plan, "clean_up_temp_files")[1]?.action,
    "Delete the temporary files (*.tmp) in `/tmp`",
  );
  assert.deepEqual(stepsOf(plan, "write_smaller_file"), [
    {
      action: `Write \`${ROOT}/data/full/b\` again with shortened or compressed content`,
      tool: "write_file",
      args: { file: `${ROOT}/data/full/b` },
      expectedOutcome: `\`${ROOT}/data/full/b\` is written whole`,
    },
  ]);
  assert.deepEqual(questionsOf(plan), [
    "Can you free space on the disk of `/data/full/b`, or give it more?",
    "If not: which files may be deleted, or where else may `/data/full/b` write?",
  ]);
  const inside = planFor("disk_full", {
    message: `ENOSPC: no space left on device, open '${ROOT}/x.bin'`,
  });
  assert.deepEqual(callsOf(inside, "write_smaller_file"), [
    ["write_file", { file: `${ROOT}/x.bin` }],
  ]);
  const nowhere = planFor("disk_full", { command: "npm pack" });
  assert.deepEqual(namesOf(nowhere), ["clean_up_temp_files", "ask_user"]);
  assert.match(String(questionsOf(nowhere)), /disk of `npm pack`/);
});
