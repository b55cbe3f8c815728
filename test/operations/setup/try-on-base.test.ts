// proves: P11, U11, U17
// Checks are tried once on the base, in a tree of their own: what each says of itself, and that nothing is left behind.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { InputOf, OutputOf } from "../../../src/operations/operation.ts";
import { tryChecks as schemas } from "../../../src/operations/setup/schemas.ts";
import { tryChecks, type TryHappening } from "../../../src/operations/setup/try-on-base.ts";
import { isAlive } from "../../agents/process/processes.ts";
import { fingerprint, folder, repository, write } from "../../workspace/fixture.ts";

const FILES = {
  "a.test.js":
    'require("node:test")("adds", () => require("node:assert").equal(1 + 1, 3));\n' +
    'require("node:test")("holds", () => {});\n',
  "needs.js": 'require("not-there-anywhere");\n',
  "own.js": 'require("./gone");\n',
  "plain.sh": "exit 0\n",
  "package.json": '{"scripts":{"test":"vitest"}}',
};

async function tried(
  root: string,
  input: Omit<InputOf<typeof tryChecks>, "checks"> & { readonly checks: readonly string[] },
  on?: (happening: TryHappening) => void,
): Promise<OutputOf<typeof tryChecks>> {
  const home = folder("home");
  process.env["UNSTUCK_HOME"] = home;
  const before = fingerprint(root);
  const checks = input.checks.map((run) => ({ run, from: "package.json" }));
  const result = await tryChecks.run({ cwd: root }, { ...input, checks }, on);
  assert.ok(result.ok, JSON.stringify(result));
  assert.deepEqual(fingerprint(root), before, "nothing of the repository changed");
  assert.deepEqual(readdirSync(join(home, "tries")), [], "no tree is left");
  assert.deepEqual(readdirSync(join(home, "runs")), [], "no run was made");
  return schemas.output.parse(result.value);
}

const statesOf = ({ checks }: OutputOf<typeof tryChecks>) =>
  Object.fromEntries(checks.map(({ run, state }) => [run, state]));

test("each check says of itself: green, red, or that it cannot run", async () => {
  const root = realpathSync(repository(FILES));
  write(root, { "new.txt": "x", "needs.js": "" });
  const happened: TryHappening[] = [];
  const alone = 'cat && test ! -t 0 && test ! -t 1 && test "$CI" = 1 && test ! -e new.txt';
  const result = await tried(
    root,
    {
      setup: ["echo made >> made.txt"],
      checks: [
        ...[alone, "node --test a.test.js", "node needs.js", "node own.js", "no-such-program-here"],
        ...["./plain.sh", "test -f new.txt", 'test "$(cat made.txt)" = made', "exit 3"],
      ],
    },
    (happening) => happened.push(happening),
  );
  assert.deepEqual(statesOf(result), {
    [alone]: "green",
    "node --test a.test.js": "red",
    "node needs.js": "cannot-run",
    "node own.js": "red",
    "no-such-program-here": "cannot-run",
    "./plain.sh": "cannot-run",
    "test -f new.txt": "red",
    'test "$(cat made.txt)" = made': "green",
    "exit 3": "red",
  });
  const [, test, needs, own] = result.checks;
  assert.equal(test?.items, 1);
  assert.match(test?.headline ?? "", /adds/);
  assert.equal(needs?.why, "not-there-anywhere is not installed");
  assert.match(own?.headline ?? "", /Cannot find module '\.\/gone'/);
  const setup = "echo made >> made.txt";
  const commands = [setup, ...result.checks.map(({ run }) => run)];
  assert.deepEqual(happened[0], { kind: "about-to-run", commands });
  assert.deepEqual(happened[1], { kind: "set-up", commands: [setup] });
  assert.deepEqual(
    happened.slice(2, 6).map(({ kind }) => kind),
    ["check-started", "check-ended", "check-started", "check-ended"],
  );
});

test("uncommitted changes take part where they are asked for; a check from them alone is said so", async () => {
  const root = realpathSync(repository({ "a.txt": "" }));
  write(root, { "package.json": "{}", "new.sh": "x:exit 0\n" });
  const checks = ["./new.sh"];
  const without = await tried(root, { checks });
  assert.deepEqual(
    without.checks.map(({ state, why }) => [state, why]),
    [["cannot-run", "package.json is not committed"]],
  );
  const withThem = await tried(root, { checks, withChanges: true });
  assert.deepEqual(
    [statesOf(withThem), withThem.base.withChanges],
    [{ "./new.sh": "green" }, true],
  );
});

test("a check that does not end hangs, and all it started is ended", async () => {
  const root = realpathSync(repository(FILES));
  const pids = join(folder("pids"), "pids");
  process.env["PIDS"] = pids;
  const hanging = 'sleep 1000 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 1000';
  const { checks } = await tried(root, { checks: [hanging], limitMs: 1500 });
  assert.deepEqual([checks[0]?.state, checks[0]?.why], ["hangs", "did not end within 2s"]);
  for (const pid of readFileSync(pids, "utf8").trim().split("\n"))
    assert.ok(!isAlive(Number(pid)), `process ${pid} is left`);
});

test("where set-up fails nothing is judged, and its cause is said", async () => {
  const root = realpathSync(repository(FILES));
  const setup = ["echo 'npm error 404 Not Found: left-pad' >&2; exit 1"];
  const { checks } = await tried(root, { checks: ["true", "false"], setup });
  assert.deepEqual(
    checks.map(({ state }) => state),
    ["cannot-run", "cannot-run"],
  );
  assert.match(checks[0]?.why ?? "", /^setup failed: .*404 Not Found: left-pad/);
});

test("a stop ends the try, and outside of a repository there is none", async () => {
  const root = realpathSync(repository(FILES));
  const stop = new AbortController();
  process.env["UNSTUCK_HOME"] = folder("home");
  const checks = [{ run: "sleep 1000", from: "a" }];
  const stopped = await tryChecks.run({ cwd: root, signal: stop.signal }, { checks }, () =>
    stop.abort(),
  );
  assert.ok(!stopped.ok);
  assert.match(stopped.problem.message, /^stopped/);
  const nowhere = await tryChecks.run({ cwd: folder("nowhere") }, { checks });
  assert.ok(!nowhere.ok);
  assert.match(nowhere.problem.message, /only be tried in a git repository.*git init/);
});
