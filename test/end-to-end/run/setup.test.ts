// proves: U5, U14
// Set-up and carried files as a person meets them: what a run finds by itself, says, and can be told.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { unstuck } from "../../cli/command.ts";
import { repository, type Repository } from "./repository.ts";

type Files = Readonly<Record<string, string>>;

function inRepository(files: Files, body: (here: Repository) => void): void {
  const here = repository(files);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

function write(folder: string, files: Files, mode = 0o644): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  }
}

/** An `npm` that installs one file and writes down where it was called. */
function withNpm(here: Repository): Readonly<Record<string, string>> {
  const bin = join(here.home, "..", "bin");
  const called = join(here.home, "..", "called");
  const text = `#!/bin/sh\necho "$PWD $*" >> '${called}'\nmkdir -p node_modules && touch node_modules/made\n`;
  write(bin, { npm: text }, 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  Object.assign(here.env, env); // a clone of the result is set up in the same surroundings
  return env;
}
const callsOf = (here: Repository): string[] => {
  const file = join(here.home, "..", "called");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

const NODE: Files = {
  "package.json": '{"dependencies":{"a":"1"}}',
  "package-lock.json": "{}",
  ".gitignore": "node_modules/\n.venv/\nbuild/\n",
  "value.txt": "1\n",
};
const right = { goal: [{ write: { "value.txt": "2\n" }, print: "done" }] };
const CHECK = "test -f node_modules/made && grep -q ^2$ value.txt";

test("the README's line in a repository with a lock file: set-up is found, said and used", () =>
  inRepository(NODE, (here) => {
    const env = withNpm(here);
    const goal = ["run", "--goal", "g", "--no-grounding", "--agent", here.agent(right)];
    const ran = here.unstuckWith(env, ...goal, "--check", CHECK);
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.match(ran.err, /set-up: npm ci \(from package-lock\.json\)/);
    const [first = ""] = callsOf(here);
    assert.match(first, / ci$/);
    assert.ok(!first.startsWith(`${here.path} `), "never in the user's checkout");
    assert.ok(!existsSync(join(here.path, "node_modules")));
  }));

test("--no-setup, --setup and --carry are obeyed", inLargeForm("run"), () =>
  inRepository(NODE, (here) => {
    const env = withNpm(here);
    const goal = ["run", "--goal", "g", "--no-grounding", "--recovery-budget", "0"];
    const run = (...more: string[]) =>
      here.unstuckWith(env, ...goal, "--agent", here.agent(right), ...more, "--check", CHECK);
    const without = run("--no-setup");
    assert.notEqual(without.code, 0);
    assert.doesNotMatch(without.err, /set-up/);
    const own = run("--setup", "mkdir node_modules", "touch node_modules/made");
    assert.equal(own.code, 0, own.out + own.err);
    write(here.path, { "node_modules/made": "" });
    const carried = run("--carry", "node_modules", "missing");
    assert.equal(carried.code, 0, carried.out + carried.err);
    assert.match(carried.err, /not carried[^]*missing/);
    assert.deepEqual(callsOf(here), [], "nothing was derived");
  }),
);

test("derived set-up of a plan file is shown before it is trusted, and trust ends when it changes", () =>
  inRepository(NODE, (here) => {
    const env = withNpm(here);
    const agent = JSON.stringify(here.agent(right));
    const plan = `goal: g\ngrounding: false\nagent: ${agent}\nchecks: [${JSON.stringify(CHECK)}]\n`;
    write(here.path, { "unstuck.yaml": plan });
    const asked = here.unstuckWith(env, "run");
    assert.equal(asked.code, 3);
    assert.match(asked.err, /setup: npm ci \(from package-lock\.json\)/);
    assert.deepEqual(callsOf(here), []);
    const ran = here.unstuckWith(env, "run", "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    here.git("rm", "-q", "package-lock.json");
    here.git("commit", "-qm", "no lock");
    const again = here.unstuckWith(env, "run");
    assert.equal(again.code, 3, "another set-up is another content");
    assert.match(again.err, /setup: npm install --no-package-lock \(from package\.json\)/);
  }));

test(
  "in a sub-folder: a goal says where it works, a plan there is found, set-up is that folder's",
  inLargeForm("run"),
  () => {
    const files = Object.fromEntries(
      Object.entries(NODE).map(([name, text]) => [`we b/${name}`, text]),
    );
    inRepository({ ...files, "other.txt": "" }, (here) => {
      const env = withNpm(here);
      const cwd = join(here.path, "we b", "src");
      mkdirSync(cwd);
      const agent = here.agent({ goal: [{ write: { "we b/value.txt": "2\n" }, print: "done" }] });
      const check = `cd 'we b' && ${CHECK}`;
      const run = (...args: string[]) => unstuck(args, { cwd, env: { ...here.env, ...env } });
      const ran = run("run", "--goal", "g", "--no-grounding", "--agent", agent, "--check", check);
      assert.equal(ran.code, 0, ran.out + ran.err);
      assert.match(
        ran.err,
        /note: agents and checks work in the repository's root, not in we b\/src/,
      );
      assert.match(ran.err, /set-up: cd 'we b' && npm ci \(from we b\/package-lock\.json\)/);
      const plan = `goal: g\ngrounding: false\nagent: ${JSON.stringify(agent)}\nchecks: [${JSON.stringify(check)}]\n`;
      write(here.path, { "we b/unstuck.yaml": plan });
      const found = run("run");
      assert.equal(found.code, 3, found.err);
      assert.match(found.err, /setup: cd 'we b' && npm ci/);
    });
  },
);

/** A real virtual environment in the checkout, with the checkout installed to be edited. */
function editable(root: string): void {
  execFileSync("python3", ["-m", "venv", "--without-pip", join(root, ".venv")]);
  const [lib = ""] = readdirSync(join(root, ".venv/lib"));
  write(join(root, ".venv/lib", lib, "site-packages"), { "_pkg.pth": `${root}/src\n` });
}

test(
  "a carried environment with an editable install tests the agent's tree, not the checkout",
  inLargeForm("run"),
  () =>
    inRepository(
      { "src/pkg.py": "VALUE = 1\n", ".gitignore": ".venv/\n__pycache__/\n" },
      (here) => {
        editable(here.path);
        const check = `.venv/bin/python -c "import pkg; assert pkg.VALUE == 2"`;
        const goal = ["run", "--goal", "g", "--no-grounding", "--carry", ".venv", "--check", check];
        const wrong = here.agent({ goal: [{ write: { "src/pkg.py": "raise SystemExit(3)\n" } }] });
        const broken = here.unstuck(...goal, "--recovery-budget", "0", "--agent", wrong);
        assert.notEqual(broken.code, 0, "broken code is not verified");
        const fixes = here.agent({
          goal: [{ write: { "src/pkg.py": "VALUE = 2\n" }, print: "done" }],
        });
        const ran = here.unstuck(...goal, "--agent", fixes);
        assert.equal(ran.code, 0, ran.out + ran.err);
        assert.match(ran.err, /name the working tree there: \.venv/);
        assert.equal(readFileSync(join(here.path, "src/pkg.py"), "utf8"), "VALUE = 1\n");
      },
    ),
);

test("a carried build folder is refused before an agent starts, with the set-up to use", () =>
  inRepository(NODE, (here) => {
    write(here.path, { "build/CMakeCache.txt": `CMAKE_HOME_DIRECTORY:INTERNAL=${here.path}\n` });
    const agent = here.agent(right);
    const ran = here.unstuck(
      "run",
      "--goal",
      "g",
      "--agent",
      agent,
      "--carry",
      "build",
      "--check",
      "true",
    );
    assert.notEqual(ran.code, 0);
    assert.match(
      ran.err.replace(/\s+/g, " "),
      /--setup "cmake -S \. -B build && cmake --build build"/,
    );
    assert.deepEqual(here.git("branch", "--list", "unstuck/*").trim(), "");
  }));
