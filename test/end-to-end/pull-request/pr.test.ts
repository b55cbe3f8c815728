// proves: P10, U12, U14, U16
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { openPullRequest } from "../../../src/operations/pulls/pull-request.ts";
import { onTerminal, WITHOUT_TERMINAL } from "../../cli/terminal/pseudo-terminal.ts";
import type { PseudoTerminal, TerminalOptions } from "../../cli/terminal/pseudo-terminal.ts";
import { standIn } from "../plan/answers.ts";
import { repository } from "../run/repository.ts";
import { branchOf } from "../run/runs.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;

const SECRET = "hunter2-and-something-longer";
const folder = dirname(here.path);
const bare = join(folder, "origin.git");
execFileSync("git", ["init", "-q", "--bare", bare]);

/** Knows of a pull request once it has opened one, and keeps the text it was given. */
const gh = standIn(
  here,
  "gh",
  `[ -f "$FOLDER/out" ] && { echo 'To get started with GitHub CLI, please run: gh auth login' >&2; exit 4; }
case "$1 $2" in
"pr view") [ -f "$FOLDER/opened" ] || { echo 'no pull requests found' >&2; exit 1; }
  echo '{"url":"https://github.com/me/app/pull/7","state":"OPEN"}' ;;
"pr create") touch "$FOLDER/opened"
  while [ "$1" != --body-file ]; do shift; done; cp "$2" "$FOLDER/body.md"
  echo 'Creating pull request'; echo 'https://github.com/me/app/pull/7' ;;
esac`,
);
const kept = (name: string): string => join(folder, "stand-in-gh", name);
const withGh = { PATH: gh.path, MY_TOKEN: SECRET };

const ran = here.unstuckWith(
  { MY_TOKEN: SECRET },
  ...["run", "--goal", `make it two, not ${SECRET} @everyone`, "--check", "sh check.sh"],
  ...["--agent", here.agent({ goal: [{ write: { "value.txt": "2\n" }, print: "done" }] })],
);
assert.equal(ran.code, 0, ran.out + ran.err);
const [run = ""] = here.runs();
const branch = branchOf(here);

const pr = (args: readonly string[], more: Partial<TerminalOptions> = {}): PseudoTerminal =>
  onTerminal(["pr", ...args], {
    ...{ cwd: here.path, ...more },
    env: { ...here.env, ...withGh, ...more.env },
  });
const remoteBranches = (): string =>
  execFileSync("git", ["branch", "--format=%(refname:short)"], { cwd: bare, encoding: "utf8" });

/** In this process, where a whole command would tell no more. */
async function refusal(input: Parameters<typeof openPullRequest.run>[1]): Promise<string> {
  const before = { ...process.env };
  Object.assign(process.env, here.env, withGh);
  try {
    const result = await openPullRequest.run({ cwd: here.path }, input);
    assert.ok(!result.ok, JSON.stringify(result));
    return `${result.problem.code}: ${result.problem.message}`;
  } finally {
    for (const name of Object.keys({ ...here.env, ...withGh }))
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
  }
}

test("what is in the way is said before anything is pushed", async () => {
  assert.match(await refusal({}), /^bad-input: this repository has no remote/);
  here.git("remote", "add", "origin", bare);
  assert.match(await refusal({}), /^bad-input: origin has no branch main: push it, or .* --base$/);
  here.git("push", "-q", "origin", "main");
  assert.match(await refusal({ remote: "orgin" }), /no remote orgin: use --remote origin$/);
  here.git("remote", "add", "fork", bare);
  assert.match(await refusal({}), /several remotes: add --remote fork or --remote origin$/);
  here.git("remote", "remove", "fork");
  assert.match(await refusal({ branch: "main" }), /main is what it is to be merged into/);
  assert.match(await refusal({ branch: "a..b" }), /--branch: a\.\.b is not a branch name/);
  writeFileSync(kept("out"), "");
  assert.match(
    await refusal({}),
    /^not-now: gh is not logged in; nothing was pushed: gh auth login$/,
  );
  rmSync(kept("out"));
  process.env["UNSTUCK_ATTEMPT"] = `${run}/goal/1`;
  assert.match(await refusal({}), /^not-allowed: pr refuses to run inside an attempt/);
  delete process.env["UNSTUCK_ATTEMPT"];
  assert.equal(remoteBranches(), "main\n");
  const unasked = here.unstuckWith(withGh, "pr", "--draft");
  assert.equal(unasked.code, 2);
  assert.match(unasked.err, /nothing was pushed[^]*\n {2}unstuck pr --draft --yes\n/);
});

test("80x24: it shows what it will do, and a no pushes nothing", { skip }, async () => {
  const screen = pr([]);
  const text = await screen.shows(/Push the branch and open it\? \[y\/N\]/);
  assert.match(text, new RegExp(`^  run     ${run} \\(verified\\)$`, "m"));
  assert.match(text, /^ {2}changes 1 file, \+1 -1$/m);
  assert.match(text, /^ {2}into {4}main$/m);
  assert.match(screen.raw(), /\x1b\[[\d;]*m/);
  screen.type("n\r");
  assert.equal(await screen.ended(), 3, screen.text());
  assert.match(screen.text(), /^Nothing was pushed\.$/m);
  assert.equal(remoteBranches(), "main\n");
  assert.deepEqual(screen.wrapped(), []);
});

test(
  "40 columns, no colours: a yes pushes the result and opens the pull request",
  { skip },
  async () => {
    const screen = pr(["--draft"], { columns: 40, rows: 12, env: { NO_COLOR: "1" } });
    await screen.shows(/open it\? \[y\/N\]/);
    screen.type("y\r");
    assert.equal(await screen.ended(), 0, screen.text());
    assert.match(
      screen.text(),
      /^Opened the pull request:\n {2}https:\/\/github\.com\/me\/app\/pull\/7$/m,
    );
    assert.doesNotMatch(screen.raw(), /\x1b\[[\d;]*m/);
    assert.deepEqual(screen.wrapped(), []);
    assert.match(remoteBranches(), new RegExp(`^${branch}$`, "m"));
    const created = gh.calls().filter((call) => call.startsWith("pr create"));
    assert.equal(created.length, 1);
    assert.match(
      created[0] ?? "",
      new RegExp(
        `^pr create --head ${branch} --base main --title make it two, not \\[secret.* --draft$`,
      ),
    );
    const body = readFileSync(kept("body.md"), "utf8");
    assert.match(body, new RegExp(`^# Run ${run}: verified`));
    assert.match(body, /\\@everyone/);
    assert.ok(!(body + gh.calls().join()).includes(SECRET), "no secret leaves the machine");
    assert.ok(
      !existsSync(/--body-file (\S+)/.exec(created[0] ?? "")?.[1] ?? ""),
      "its file is gone",
    );
  },
);

test(
  "200 columns, dumb: a second time tells what is there and changes nothing",
  { skip },
  async () => {
    const before = gh.calls().length;
    const screen = pr([], { columns: 200, env: { TERM: "dumb" } });
    assert.equal(await screen.ended(), 0, screen.text());
    assert.match(screen.text(), /^The pull request is open already:\n {2}https:\S+\/pull\/7$/m);
    assert.doesNotMatch(screen.raw(), /\x1b/);
    assert.deepEqual(
      gh
        .calls()
        .slice(before)
        .map((call) => call.split(" ").slice(0, 2).join(" ")),
      ["pr view"],
    );
  },
);

test("never by force; without gh the branch is pushed and the rest is said; unverified only when asked", async () => {
  const mine = here.git("rev-parse", "main").trim();
  const other = here.git("commit-tree", "-m", "somebody's", `${mine}^{tree}`).trim();
  execFileSync("git", ["push", "-q", bare, `${other}:refs/heads/taken`], {
    ...{ cwd: here.path, env: { ...process.env, ...here.env } },
  });
  rmSync(kept("opened"), { force: true });
  assert.match(
    await refusal({ branch: "taken" }),
    /^failed: origin already has taken with other commits; nothing was overwritten/,
  );
  const at = execFileSync("git", ["rev-parse", "taken"], { cwd: bare, encoding: "utf8" }).trim();
  assert.equal(at, other);

  const without = standIn(here, "git", `PATH='${process.env["PATH"] ?? ""}' exec git "$@"`);
  const PATH = without.path.slice(0, without.path.indexOf(":"));
  const pushed = here.unstuckWith({ PATH }, "pr", "--yes", "--branch", "mine/1", "--json");
  assert.equal(pushed.code, 0, pushed.err);
  const schemas = await openPullRequest.schemas();
  const { state, pushed: isPushed, url } = schemas.output.parse(JSON.parse(pushed.out));
  assert.deepEqual([state, isPushed, url], ["pushed", true, undefined]);
  assert.match(remoteBranches(), /^mine\/1$/m);

  const wrong = here.unstuck(
    ...["run", "--goal", "look", "--agent", here.agent({ goal: [{ write: { "a.txt": "x" } }] })],
  );
  assert.equal(wrong.code, 6, wrong.out + wrong.err);
  const [second = ""] = here.runs();
  assert.match(
    await refusal({ run: second }),
    new RegExp(`^not-now: run ${second} is not verified .*unstuck pr ${second} --unverified$`),
  );
  const shown = here.unstuckWith(withGh, "pr", second, "--unverified", "--dry-run");
  assert.equal(shown.code, 0, shown.err);
  assert.match(shown.out, /\(not verified\)/);
  assert.doesNotMatch(remoteBranches(), new RegExp(second));
});
