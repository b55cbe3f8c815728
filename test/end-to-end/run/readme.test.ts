import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
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

test("npm run demo: every recovery happens and the summary says so", inLargeForm("run"), () => {
  const ran = spawnSync(process.execPath, ["scripts/run.js", "demo"], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 240_000,
  });
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  const summary = ran.stdout.slice(ran.stdout.indexOf("── run ")).replace(/\s+/g, " ");
  for (const row of [
    /limit verified, 2 attempts, \S+: waited/,
    /crash verified, 2 attempts, \S+: tried again/,
    /build verified, 2 attempts, \S+: started fresh from the last good commit/,
    /tests verified, 2 attempts, \S+: sent the failing output back/,
    /context verified, 2 attempts, \S+: picked up where it stopped/,
    /loop verified, 2 attempts, \S+: (?:changed the task's wording|started fresh from the last good commit)/,
    /shape answered, 2 attempts, \S+: tried again/,
    /revert verified, 4 attempts, \S+: sent the failing output back; \w/,
    /recovered 10 failed attempts: waited \(1\), tried again \(2\), .*picked up where it stopped \(1\)/,
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
