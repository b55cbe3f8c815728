// proves: U10, P2
import assert from "node:assert/strict";
import { writeFileSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { inLargeForm } from "../large-form.ts";
import { configFile, repository } from "../end-to-end/run/repository.ts";

const here = repository();
after(() => here.remove());
const configured = (lines: string): void =>
  writeFileSync(configFile(here.home), `answers: unattended\nkeepAwake: false\n${lines}`);

test("notify: what is set up is told without its secrets, and a channel that fails is an exit code of 1", async () => {
  const nothing = here.unstuckWith({ COLUMNS: "40", NO_COLOR: "1" }, "notify");
  assert.equal(nothing.code, 0);
  assert.match(nothing.out, /^You are not notified of anything\.\n\nAdd this to /);
  assert.equal(here.unstuck("notify", "test").code, 2);
  assert.match(here.unstuck("notify", "test", "pager").err, /there is no channel of that name/);

  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => closed.once("listening", done));
  const { port } = closed.address() as { port: number };
  await new Promise((done) => closed.close(done));
  configured(
    `notify:\n  slack: { url: "http://127.0.0.1:${port}/hidden", when: [critical] }\n  quietHours: { from: "22:00", to: "07:00" }\n`,
  );
  const shown = here.unstuck("notify");
  assert.equal(
    shown.out,
    "slack: critical\nquiet from 22:00 to 07:00\nmessages have no links: set publicUrl\n",
  );
  const failed = here.unstuck("notify", "test");
  assert.deepEqual([failed.code, failed.out], [1, "slack: not sent: it could not be reached\n"]);
  const json = here.unstuck("notify", "test", "slack", "--json");
  assert.deepEqual(JSON.parse(json.out), {
    results: [{ channel: "slack", sent: false, problem: "it could not be reached" }],
  });
  for (const { out, err } of [shown, failed, json]) assert.ok(!`${out}${err}`.includes("hidden"));
  assert.equal(here.unstuck("notify", "send").out, "sent 0 messages\n");
  writeFileSync(join(here.home, "token"), "abc");
  const answered = here.unstuck("notify", "answer", join(here.home, "token"));
  assert.deepEqual([answered.code, answered.err], [2, "unstuck: this is no button of ours\n"]);
});

test(
  "report: each form on standard output, and the summary of a GitHub step",
  inLargeForm("cli"),
  () => {
    const history = {
      subtasks: {
        "a<b>": {
          status: "stuck",
          attempts: [
            {
              ...{ session: 1, timestamp: "2026-01-01T00:00:00.000Z", approach: "<i>first</i>" },
              ...{ success: false, error: "Error: <script>x</script>" },
            },
          ],
        },
      },
      stuck_subtasks: [{ subtask_id: "a<b>", reason: "nothing helped", attempt_count: 1 }],
    };
    const file = join(here.home, "history.json");
    writeFileSync(file, JSON.stringify(history));
    assert.equal(here.unstuck("import", file).code, 0);
    const report = (...args: string[]): string => {
      const { out, err, code } = here.unstuck("report", "imported", ...args);
      assert.equal(code, 0, err);
      return out;
    };
    const page = report("--format", "html");
    assert.match(page, /^<!doctype html>[^]*<\/html>\n$/);
    assert.doesNotMatch(page, /<script|<i>/);
    assert.match(report("--format", "junit"), /^<\?xml[^]*name="a&lt;b&gt;"[^]*<\/testsuites>\n$/);
    assert.match(
      (JSON.parse(report("--format", "json")) as { markdown: string }).markdown,
      /^# Run/,
    );
    const summary = join(here.home, "summary.md");
    const added = here.unstuckWith(
      { GITHUB_STEP_SUMMARY: summary },
      "report",
      "imported",
      "--github",
    );
    assert.deepEqual([added.code, added.out], [0, "added the report to this step's summary\n"]);
    assert.match(readFileSync(summary, "utf8"), /^# Run imported-/);
    const pdf = here.unstuck("report", "--format", "pdf");
    assert.deepEqual(
      [pdf.code, pdf.err],
      [2, "unstuck: --format: expected md, html, json or junit, got pdf\n"],
    );
    const both = here.unstuck("report", "imported", "--json", "--format", "html");
    assert.match(both.err, /give --json or --format html, not both/);
  },
);
