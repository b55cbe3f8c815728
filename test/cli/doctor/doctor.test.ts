// proves: U14, P4
import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inFolder, unstuck, type Ran } from "../command.ts";

interface Machine {
  readonly home: string;
  readonly state: string;
  readonly bin: string;
  readonly doctor: (args?: readonly string[], env?: Record<string, string>) => Ran;
}

const SECRET = "words that nobody may see";
const KEYS = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "CODEX_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
];

/** Real files, and programs that answer as agents do. */
function onMachine(body: (machine: Machine) => void, git = "git version 2.45.1"): void {
  inFolder((folder) => {
    const [home, state, bin] = ["home", "state", "bin"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [home, bin]) mkdirSync(one);
    if (git !== "") program(bin, "git", `echo '${git}'`);
    const none = Object.fromEntries(KEYS.map((name) => [name, ""]));
    body({
      ...{ home, state, bin },
      doctor: (args = [], env = {}) =>
        unstuck(["doctor", ...args], {
          env: { ...none, PATH: bin, HOME: home, UNSTUCK_HOME: state, ...env },
        }),
    });
  });
}

function program(bin: string, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function login(home: string, file: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), JSON.stringify({ token: SECRET }), { mode: 0o000 });
}

test("no agent there: any command can be one, so a run can start; says what to install", () => {
  onMachine(({ doctor, state }) => {
    const { code, out } = doctor();
    assert.equal(code, 0);
    assert.match(out, /! +agents +none of claude, codex, .* is installed\n +fix: npm install -g/);
    assert.match(out, /A run can start with a command of your own .*--agent "my-agent \{prompt\}"/);
    assert.ok(!existsSync(state), "it changes nothing");
  });
});

test("an agent with a login: exit code 0, version, features, and no secret anywhere", () => {
  onMachine(({ doctor, home, bin }) => {
    program(bin, "claude", "echo '2.1.325 (Claude Code)'");
    const before = doctor();
    assert.equal(before.code, 0, "no login yet, but any command can be an agent");
    assert.match(before.out, /! +claude +2\.1\.325, not logged in\n +fix: claude auth login/);
    login(home, ".claude/.credentials.json");
    const { code, out } = doctor();
    assert.equal(code, 0);
    assert.match(out, /ok +claude +2\.1\.325, logged in \(~\/\.claude\/\.credentials\.json\)/);
    assert.match(out, /ok +others +not installed: codex, gemini, opencode, pi/);
    assert.match(out, /A run can start: unstuck "make the tests pass"/);
    const byKey = doctor(["--json"], { ANTHROPIC_API_KEY: SECRET });
    const { canRun, agents } = JSON.parse(byKey.out) as {
      canRun: boolean;
      agents: Record<string, unknown>[];
    };
    assert.equal(canRun, true);
    const claude = agents.find(({ name }) => name === "claude");
    assert.deepEqual(
      [claude?.["version"], claude?.["isTested"], claude?.["loginMark"]],
      ["2.1.325", true, "ANTHROPIC_API_KEY"],
    );
    assert.ok(![out, byKey.out].join("").includes(SECRET));
  });
});

test("a version outside the tested ones is a warning, not a fault", () => {
  onMachine(({ doctor, home, bin }) => {
    program(bin, "codex", "echo 'codex-cli 9.9.9'");
    login(home, ".codex/auth.json");
    const { code, out } = doctor();
    assert.equal(code, 0);
    assert.match(out, /! +codex +9\.9\.9.*tested are.*\n +fix: npm install -g/);
  });
});

test("programs that fail, or talk nonsense, have no version", () => {
  for (const script of ["exit 3", "echo none", "printf '\\033]0;x\\007'"])
    onMachine(({ doctor, home, bin }) => {
      program(bin, "pi", script);
      login(home, ".pi/agent/auth.json");
      const { code, out } = doctor();
      assert.equal(code, 0);
      assert.match(out, /pi +version unknown/);
      assert.ok(!out.includes("\x1b"));
    });
});

test("git missing or too old, a journal that is none: exit code 1 and what to do", () => {
  const ready = ({ home, bin }: Machine): void => {
    program(bin, "claude", "echo 2.1.325");
    login(home, ".claude/.credentials.json");
  };
  onMachine((machine) => {
    ready(machine);
    assert.match(machine.doctor().out, /x +git +not installed\n +fix: install git/);
    assert.equal(machine.doctor().code, 1);
  }, "");
  onMachine((machine) => {
    ready(machine);
    assert.match(machine.doctor().out, /x +git +2\.30\.2 is too old/);
    assert.equal(machine.doctor().code, 1);
  }, "git version 2.30.2");
  onMachine((machine) => {
    ready(machine);
    assert.match(machine.doctor().out, /ok +journal +none yet/);
    mkdirSync(machine.state, { recursive: true });
    writeFileSync(
      join(machine.state, "unstuck.db"),
      "this is no database, by any means at all".repeat(40),
    );
    const { code, out } = machine.doctor();
    assert.equal(code, 1);
    assert.match(out, /x +journal.*\n +fix: .*UNSTUCK_HOME/);
    assert.match(out, /A run cannot start yet\. Fix first: journal$/m);
  });
});

test("a folder or a file that may not be run is no program", () => {
  onMachine(({ doctor, bin }) => {
    mkdirSync(join(bin, "claude"));
    writeFileSync(join(bin, "codex"), "");
    symlinkSync(join(bin, "nowhere"), join(bin, "pi"));
    assert.match(doctor().out, /none of claude, codex, gemini, opencode, pi is installed/);
  });
});

/** A git that answers some questions, and the real one otherwise. */
const gitSaying = (answers: Readonly<Record<string, string>>): string =>
  [
    "case $* in",
    ...Object.entries(answers).map(([asked, answer]) => `  *${asked}*) echo '${answer}'; exit ;;`),
    "esac",
    "echo 'git version 2.45.1'",
  ].join("\n");

test("who the user is to git, and whether commits are to be signed", () => {
  onMachine(({ doctor, bin }) => {
    assert.match(
      doctor().out,
      /! +identity +git does not know.*\n +fix: git config --global user\.name/,
    );
    program(bin, "git", gitSaying({ GIT_AUTHOR_IDENT: "Ann <ann@example.com> 1700000000 +0100" }));
    const known = doctor().out;
    assert.match(known, /ok +identity +Ann <ann@example\.com>/);
    assert.doesNotMatch(known, /signing/);
    program(bin, "git", gitSaying({ gpgsign: "true" }));
    assert.match(doctor().out, /! +signing +commit\.gpgsign is on.*\n +fix: .*git rebase/);
  });
});

test("a service that is there; what keeps the machine awake is looked for on the search path", () => {
  onMachine(({ doctor, home, bin }) => {
    assert.match(doctor().out, /ok +service +not installed; .*unstuck service install/);
    assert.match(doctor().out, /! +sleep +nothing here can keep/);
    const units = join(home, ".config", "systemd", "user");
    mkdirSync(units, { recursive: true });
    writeFileSync(join(units, "unstuck.service"), "");
    program(bin, "systemd-inhibit", "exit 0");
    const { out } = doctor([], { XDG_CONFIG_HOME: join(home, ".config") });
    assert.match(out, /ok +service +installed/);
    const isManaged = existsSync("/run/systemd/system");
    assert.match(out, isManaged ? /ok +sleep +systemd-inhibit keeps/ : /! +sleep/);
  });
});
