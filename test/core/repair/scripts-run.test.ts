// proves: C2
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { planFor, stepsOf } from "./request.ts";

const root = mkdtempSync(join(tmpdir(), "unstuck-scripts-"));
after(() => rmSync(root, { recursive: true }));
for (const name of ["a b.txt", "it's.txt", "$HOME.txt"])
  writeFileSync(join(root, name), `${name}\n`);
mkdirSync(join(root, "conf"));
mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
writeFileSync(join(root, "conf/Settings.yml"), "");
writeFileSync(join(root, "node_modules/.bin/greet"), "#!/bin/sh\necho hello $1\n", { mode: 0o755 });

/** Runs a strategy's shell steps for real, as a plan says, and gives what they print. */
function run(plan: ReturnType<typeof planFor>, strategy: string): readonly string[] {
  const steps = stepsOf(plan, strategy).filter(({ args }) => args["script"] !== undefined);
  assert.ok(steps.length > 0);
  return steps.map(({ args, action }) => {
    const options = { cwd: root, encoding: "utf8", env: { ...process.env, TMPDIR: root } } as const;
    const { stdout, stderr, status } = spawnSync("bash", ["-c", String(args["script"])], options);
    assert.equal(status, 0, `${action}: ${stderr}`);
    return stdout;
  });
}

const inRoot = { sandboxRoot: root } as const;
const command = `cat 'a b.txt' "it's.txt" '$HOME.txt'`;

test("a command's items are handed over in lots and one by one", () => {
  const plan = planFor("timeout", { command }, inRoot);
  assert.deepEqual(run(plan, "reduce_scope"), ["a b.txt\nit's.txt\n", "$HOME.txt\n"]);
  assert.deepEqual(run(plan, "stream_results"), ["a b.txt\nit's.txt\n$HOME.txt\n"]);
  assert.deepEqual(run(plan, "increase_timeout"), ["a b.txt\nit's.txt\n$HOME.txt\n"]);
});

test("a stream keeps its output and its exit code", () => {
  const [printed = ""] = run(
    planFor("timeout", { command: "echo one; echo two" }, inRoot),
    "stream_results",
  );
  assert.match(printed, /^output: \S+\none\ntwo\n$/);
  const failing = stepsOf(
    planFor("timeout", { command: "echo one; exit 3" }, inRoot),
    "stream_results",
  )[0];
  const { status } = spawnSync("bash", ["-c", String(failing?.args["script"])], { cwd: root });
  assert.equal(status, 3);
});

test("work in the background is started once and its result is found", () => {
  const plan = planFor("timeout", { command: "echo done; exit 0" }, inRoot);
  assert.deepEqual(run(plan, "background_execution"), ["", "done\n"]);
  const again = stepsOf(plan, "background_execution")[0];
  const options = { env: { ...process.env, TMPDIR: root } };
  assert.notEqual(spawnSync("bash", ["-c", String(again?.args["script"])], options).status, 0);
});

test("a file is found under its real name", () => {
  const plan = planFor(
    "file_not_found",
    { stderr: "cat: conf/settings.yaml: No such file or directory" },
    inRoot,
  );
  assert.deepEqual(run(plan, "verify_path"), ["Settings.yml\n", ""]);
  const moved = planFor(
    "file_not_found",
    { stderr: "cat: SETTINGS.yml: No such file or directory" },
    inRoot,
  );
  const search = stepsOf(moved, "verify_path")[2];
  const { stdout } = spawnSync("bash", ["-c", String(search?.args["script"])], {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(stdout, "./conf/Settings.yml\n");
});

test("a project's own program is found and run", () => {
  const plan = planFor(
    "command_not_found",
    { command: "greet you", stderr: "sh: 1: greet: not found" },
    inRoot,
  );
  assert.deepEqual(run({ ...plan, steps: plan.steps.slice(1) }, "alternative_command"), [
    "hello you\n",
  ]);
});

test("the owner gets the right that is missing", () => {
  writeFileSync(join(root, "r.sh"), "#!/bin/sh\necho ran\n");
  chmodSync(join(root, "r.sh"), 0o644);
  const denied = {
    command: "./r.sh",
    exitCode: 126,
    stderr: "bash: line 1: ./r.sh: Permission denied",
  };
  assert.equal(
    run(planFor("permission_denied", denied, inRoot), "check_permissions").at(-1),
    "ran\n",
  );
  assert.equal(statSync(join(root, "r.sh")).mode & 0o777, 0o744);
});

test("an unknown tool's work is done with basic commands", () => {
  const [listing = ""] = run(
    planFor("tool_not_found", { message: "Unknown tool: repo_browser" }, inRoot),
    "decompose_into_basic_tools",
  );
  assert.ok(listing.includes("./conf/Settings.yml\n"));
});

test("syntax is checked without running anything", () => {
  const broken = { command: "touch made; if", stderr: "bash: -c: line 2: syntax error" };
  run(planFor("syntax_error", broken, inRoot), "fix_syntax");
  assert.throws(() => statSync(join(root, "made")));
});
