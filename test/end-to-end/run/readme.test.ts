import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LAUNCHER, ROOT } from "../../cli/command.ts";
import { repository } from "./repository.ts";

const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const commands = [...readme.matchAll(/```sh\n([^]*?)```/g)].flatMap((block) =>
  (block[1] ?? "").trim().split("\n"),
);

test("the two set-up commands are scripts of this package", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  assert.ok(commands.includes("npm ci && npm run demo") && commands.includes("npm ci && npm test"));
  assert.ok(scripts["demo"] !== undefined && scripts["test"] !== undefined);
});

test("npm run demo: every recovery happens and the summary says so", () => {
  const ran = spawnSync(process.execPath, ["scripts/run.js", "demo"], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 240_000,
  });
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  const summary = ran.stdout.slice(ran.stdout.indexOf("what happened"));
  for (const row of [
    /limit +verified +2 .* rate_limited → wait/,
    /crash +verified +2 .* agent_crash → retry/,
    /build +verified +2 .* broken_build → fresh/,
    /tests +verified +2 .* verification_failed → feedback/,
    /context +verified +2 .* context_exhausted → continue/,
    /loop +verified +2 .* looping → mutate/,
    /shape +answered +2 .* malformed_output → retry/,
    /revert +verified +4 .* verification_failed → feedback ×2; circular_fix → mutate/,
  ])
    assert.match(summary, row);
});

test("every unstuck command of the README works as it stands there", () => {
  const here = repository({ "package.json": '{ "scripts": { "test": "test -f login.html" } }\n' });
  try {
    const bin = join(here.path, "..", "bin");
    mkdirSync(bin);
    const program = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    program("unstuck", `exec "${process.execPath}" "${LAUNCHER}" "$@"`);
    program(
      "my-agent",
      'case "$1" in *"Change nothing"*) echo "nothing there yet";; *) echo "<h1>" > login.html; echo done;; esac',
    );
    // Whoever has none of the known agents names theirs once.
    const config = join(here.path, "..", "config");
    mkdirSync(join(config, "unstuck"), { recursive: true });
    writeFileSync(join(config, "unstuck", "config.yaml"), "agent: my-agent {prompt}\n");
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env["PATH"]}`,
      UNSTUCK_HOME: here.home,
      XDG_CONFIG_HOME: config,
      HOME: join(here.path, ".."),
    };
    const lines = commands.filter((line) => /\bunstuck\b/.test(line));
    assert.ok(lines.length >= 5);
    for (const line of lines) {
      const ran = spawnSync("sh", ["-c", line], {
        cwd: here.path,
        env,
        encoding: "utf8",
        timeout: 120_000,
      });
      assert.equal(ran.status, 0, `${line}\n${ran.stdout}${ran.stderr}`);
      assert.notEqual(ran.stdout, "", line);
    }
    assert.equal(
      execFileSync("cat", ["login.html"], { cwd: here.path, encoding: "utf8" }),
      "<h1>\n",
    );
  } finally {
    here.remove();
  }
});
