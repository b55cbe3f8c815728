// proves: U18, U12, P2
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { logEntry, readLogs } from "../../../src/operations/logs/schemas.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import { isStarted, owner, planFile, until } from "../../end-to-end/run/runs.ts";
import { inLargeForm } from "../../large-form.ts";
import { momentOf } from "../../../src/cli/commands/logs.ts";
import { LAUNCHER, QUICK } from "../command.ts";
import { LONG_PATH, session, untilThere } from "./recorded-agent.ts";

const here = repository();
after(() => here.remove());
let run = "";
const attempt = (name: string): string =>
  join(here.home, "runs", run, "attempts", name, "transcript");

/** One run for most of it: two attempts of a, of which the first fails its check, and a plain command. */
before(() => {
  const agent = here.agent({
    a: [
      { write: { "value.txt": "3\n" }, print: session("Done.") },
      { write: { "value.txt": "2\n" }, print: session("Now it is two.") },
    ],
    plain: [{ print: "some words\nKEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" }],
  });
  const plan = planFile(here, agent, [
    "id: a, prompt: make it two, checks: [sh check.sh]",
    "id: plain, prompt: look, dependsOn: [a]",
  ]);
  assert.equal(here.unstuck("run", plan, "--trust").code, 6);
  [run = ""] = here.runs();
});

test("an attempt as text: folded to what a person reads first, its checks at the end", () => {
  const { out, code } = here.unstuck("logs", run, "a/1");
  assert.equal(code, 0);
  assert.equal(
    out.replace(/\d\d:\d\d:\d\d/, "TIME").replace(/after \d+s/, "after Ns"),
    [
      "── a/1  agent  TIME",
      "· thinking: The check wants a two.",
      "",
      "I'll look at the tests first, because they say what is wanted.",
      "Then I'll change value.txt.",
      "",
      "▸ Bash npm test  ✗ exit 1, 48 lines",
      `▸ Read ${LONG_PATH}`,
      "▸ Edit value.txt",
      `  └ Read ${LONG_PATH}  ✓ 3 lines`,
      "  └ Edit value.txt  ✓ no output",
      "warning: on standard error",
      "",
      "Done.",
      "",
      "✗ checks failed: sh check.sh",
      "── a/1 ended after Ns: a check did not pass",
      "",
    ].join("\n"),
  );
});

test("which attempt: the last by default, a subtask's last, by a word alone; else what there is", () => {
  assert.match(here.unstuck("logs").out, /^── plain\/1 .*\nsome words\n/);
  assert.match(
    here.unstuck("logs", "a").out,
    /^── a\/2 [^]*Now it is two\.\n\n✓ checks passed: sh/,
  );
  assert.match(
    here.unstuck("logs", run.slice(-6), "a").out,
    /^── a\/2 .*  sent the failing output back$/m,
  );
  const listed = here.unstuck("logs", run, "--list");
  assert.match(
    listed.out,
    /^ ✗ a\/1 .*\n {3}a\/2 .*\n {3}plain\/1 .*\nread one: unstuck logs \S+ /,
  );
  for (const [args, words] of [
    [["a/9"], /has no a\/9; its subtasks: a, plain\. See all attempts: unstuck logs \S+ --list\n$/],
    [["zz"].concat("x"), /no run matches "zz"/],
    [[run, "nobody"], /has no nobody; its subtasks: a, plain/],
    [["--tail", "x"], /--tail: expected a whole number/],
    [["--since", "soon"], /--since: expected 10m/],
    [["--raw", "--tail", "3"], /--raw prints all of an attempt/],
  ] as const) {
    const { code, err, out } = here.unstuck("logs", ...args);
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, words);
  }
});

test("--full unfolds; --tail and --since leave out; --raw is what was recorded", () => {
  const full = here.unstuck("logs", run, "a/1", "--full").out;
  assert.match(full, /▸ Bash npm test\n {4}\{\n[^]*\n {2}└ ✗ exit 1, 48 lines\n {4}Exit code 1\n/);
  assert.match(full, / {2}└ Edit value\.txt {2}✓ no output\n/);
  assert.match(
    here.unstuck("logs", run, "a/1", "--tail", "2").out,
    /^\n✗ checks failed.*\n── a\/1 e/,
  );
  assert.equal(here.unstuck("logs", run, "a/1", "--since", "2999-01-01").out, "");
  assert.match(here.unstuck("logs", run, "a/1", "--since", "1d").out, /^── a\/1[^]*Done\./);
  const raw = here.unstuck("logs", run, "plain", "--raw").out;
  assert.match(raw, /^some words\nKEY=\[secret/);
  assert.equal(raw, readFileSync(attempt("plain/1"), "utf8"));
});

test("--json: every entry by its schema, with the times of a finished attempt; a list is one value", () => {
  const lines = here.unstuck("logs", run, "a/2", "--json").out.trimEnd().split("\n");
  const entries = lines.map((line) => logEntry.parse(JSON.parse(line)));
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    [
      ...["attempt-started", "thinking", "message", "tool-call", "tool-result", "tool-call"],
      ...["file-change", "tool-result", "tool-result", "output", "message", "checks"],
      "attempt-ended",
    ],
  );
  const times = entries.flatMap(({ at }) => at ?? []);
  assert.ok(times.length >= 11, "what was printed has its time");
  const list = here.unstuck("logs", run, "--list", "--json").out;
  const { attempts, shown, goesOn } = readLogs.output.parse(JSON.parse(list));
  assert.deepEqual(
    [attempts.map(({ subtask, attempt: number }) => `${subtask}/${number}`), shown, goesOn],
    [["a/1", "a/2", "plain/1"], [], false],
  );
});

test("-f of a run that has ended shows what there is, and ends", () => {
  const { code, out } = here.unstuck("logs", run, "plain", "-f");
  assert.equal(code, 0);
  assert.match(out, /^── plain\/1[^]*some words[^]*ended after/);
});

test("-f goes across attempts to the end of the run, and says why there is another", async () => {
  const seen = join(here.home, "..", "seen");
  const slowly = (words: string, value: string) => ({
    run: [["echo", `begin ${words}`], untilThere(seen), ["echo", `end ${words}`]],
    write: { "value.txt": `${value}\n` },
  });
  const agent = here.agent({ slow: [slowly("one", "3"), slowly("two", "2")] });
  const plan = planFile(here, agent, ["id: slow, prompt: make it two, checks: [sh check.sh]"]);
  const running = owner(here.start("run", plan, "--trust"));
  await until(here, (events) => here.runs()[0] !== run && isStarted(events));
  const following = spawn(process.execPath, [...QUICK, LAUNCHER, "logs", "-f"], {
    ...{ cwd: here.path, env: { ...process.env, ...here.env } },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  following.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    if (out.includes("begin one")) writeFileSync(seen, "");
  });
  const code = await new Promise((resolve) => following.once("close", resolve));
  assert.equal(await running.ended, 0);
  assert.equal(code, 0, out);
  assert.match(
    out,
    /^── slow\/1 [^]*^begin one\nend one\n── slow\/1 ended[^]*^✗ checks failed[^]*^» \[slow\] [^]*^── slow\/2 [^]*^begin two\nend two\n── slow\/2 ended[^]*^✓ checks passed[^]*^» run /m,
  );
  assert.doesNotMatch(out, /(begin one)[^]*\1/, "every entry once");
});

test("an attempt whose output is gone is said so, and the checks are still told", () => {
  rmSync(attempt("a/1"));
  const { out, code } = here.unstuck("logs", run, "a/1");
  assert.equal(code, 0);
  assert.match(out, /^── a\/1.*\n· no output is recorded\n\n✗ checks failed/);
});

for (const [text, ago] of [
  ["30s", 30_000],
  ["10m", 600_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
] as const)
  test(`--since ${text}`, () => assert.equal(momentOf(text, 1e12), 1e12 - ago));

test("--since with a time of day is the last such time; with a date, that date; else refused", () => {
  const noon = new Date(2026, 4, 5, 12, 0).getTime();
  assert.equal(momentOf("11:30", noon), new Date(2026, 4, 5, 11, 30).getTime());
  assert.equal(momentOf("12:30", noon), new Date(2026, 4, 4, 12, 30).getTime());
  assert.equal(momentOf("2026-01-31T03:00Z", noon), Date.UTC(2026, 0, 31, 3));
  for (const bad of ["", "10", "m", "25:00", "12:60", "5", "-5m", "yesterday"])
    assert.throws(() => momentOf(bad, noon), /--since: expected/, bad);
});

test(
  "50 MB of transcript need little memory, read, tailed or followed by a slow reader",
  inLargeForm("cli"),
  () => {
    const line = `${JSON.stringify({ type: "assistant", message: { id: "m", content: [{ type: "text", text: "word ".repeat(2000) }] } })}\n`;
    const file = attempt("a/2");
    writeFileSync(file, `${JSON.stringify({ type: "system", subtype: "init" })}\n`);
    for (let bytes = 0; bytes < 50_000_000; bytes += 100 * line.length)
      appendFileSync(file, line.repeat(100));
    // One line without an end is no worse.
    appendFileSync(file, "x".repeat(5_000_000));
    const env = { ...process.env, ...here.env, NODE_OPTIONS: "--max-old-space-size=96" };
    for (const [args, least] of [
      ["--json", 50e6],
      ["--tail 5", 1000],
      ["--full", 50e6],
      ["--raw", 50e6],
    ] as const) {
      const command = `"${process.execPath}" "${LAUNCHER}" logs ${run} a/2 ${args}`;
      // Whoever reads takes its time to begin.
      const script = `set -o pipefail; ${command} | { sleep 1; wc -c; }`;
      const { status, stdout } = spawnSync("bash", ["-c", script], {
        ...{ cwd: here.path, env, encoding: "utf8" },
      });
      assert.equal(status, 0, args);
      assert.ok(Number(stdout) > least, `${args}: ${stdout}`);
    }
  },
);
