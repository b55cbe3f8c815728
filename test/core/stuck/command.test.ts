// What a shell command does, word by word: waits, only looks, checks the work, or may change
// something; which spellings are one command; and what it prints of a file.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { printedPart } from "../../../src/core/stuck/tools.ts";
import { plainCommand, readCommand } from "../../../src/core/stuck/command.ts";

type What = "waits" | "looks" | "waits and looks" | "checks" | "changes";

function whatOf(command: string): What {
  const { waits, looksOnly, checks } = readCommand(command);
  if (checks) return "checks";
  if (waits) return looksOnly ? "waits and looks" : "waits";
  return looksOnly ? "looks" : "changes";
}

const COMMANDS: Readonly<Record<What, readonly string[]>> = {
  "waits and looks": ["", "   ", "sleep 5", "ls; sleep 5", "sleep 1 && cat log", "wait"],
  waits: ["watch ls", "sleep 5; rm a", "rm a && sleep 5"],
  looks: [
    "ls",
    "pwd",
    "/bin/ls -l",
    "/usr/bin/cat a",
    "ls | sort | uniq",
    "cd src && ls",
    "ls\ncat a",
    "cat a; cat b",
    "; ls",
    "git status",
    "git   log",
    "git -C dir diff",
    "git --no-pager show",
    "git --no-pager -C dir log",
    "git -C  dir log",
    "sed -n 1,5p a",
    "sed s/a/b/ in.txt",
    "sed -e s/x/-i/ a",
    "find . -name a",
    "grep x a 2>/dev/null",
    "grep x a 2> /dev/null",
    "grep x a >/dev/null",
    "grep x a >> /dev/null",
    "grep x a >&2",
    "grep x a 2>&1 | head",
    "A=1 ls",
    "A= ls",
    "A_b2=x time nice ls",
    "timeout 30 ls",
    "time ls",
    "env ls",
    "exec ls",
    "sudo  ls",
    "A=1 B=2 C=3 D=4 E=5 ls",
    "grep 'a; rm b' c",
    "if test -f a; then cat a; fi",
    `echo ${"x".repeat(595)}`,
    "bash -lc 'ls'",
    'bash -c "ls"',
    "sh -c ls",
    "dash -c ls",
    "zsh -ic ls",
    "bash -lc cd src && ls",
    "/bin/bash -c ls",
    "/usr/local/bin/zsh -lc 'ls | head'",
    "cat a.txt | grep x 2>/dev/null",
  ],
  checks: [
    "pytest",
    "pytest -q",
    "/opt/bin/eslint .",
    "node_modules/.bin/tsc -p .",
    "npm test",
    "npm t",
    "npm run test",
    "npm run lint -- --fix",
    "npm run-lint",
    "npm --silent test",
    "npm -s test",
    "npm exec vitest",
    "npx jest",
    "python -m pytest",
    "python3 -m mypy a.py",
    "go vet ./...",
    "go build",
    "cargo  check",
    "make ci",
    "make tests",
    "make checks",
    "make types",
    "npm run typecheck",
    "npm run e2e",
    "mvn verify",
    "bun run build",
    "cd a && npm test",
    "npm test | tail -5",
    "npm test > log",
    "CI=1 npm test",
    "bash -lc 'npm test'",
    "npx vitest run",
    "cargo build",
  ],
  changes: [
    "rm a",
    "watchman ls",
    "git",
    "git commit",
    "git -C status",
    "git stash",
    "sed -i s/a/b/ a",
    "sed -Ei s/a/b/ a",
    "sed -n -i 1d a",
    "find . -delete",
    "find . -exec rm {} +",
    "cat a > b",
    "cat a >> b",
    "cat a 2> errors",
    "cat a > /dev/sda",
    "ls && rm a",
    "rm a; ls",
    "npm install",
    "npm pack",
    "npm run contest",
    "make latest",
    "node a.js",
    "python -m pip install pytest",
    "echo $(rm a)",
    "1A=1 ls",
    "timeout ls",
    `echo ${"x".repeat(596)}`,
    "bash a.sh",
    "bash -x ls",
    "fish -c ls",
  ],
};

for (const [what, commands] of Object.entries(COMMANDS))
  describe(what, () => {
    for (const command of commands)
      test(JSON.stringify(command).slice(0, 60), () => assert.equal(whatOf(command), what));
  });

test("what stands beyond six hundred units is not read, and may change something", () => {
  const long = `${"ls; ".repeat(150)}`;
  assert.deepEqual(readCommand(`${long}sleep 5`), {
    waits: false,
    looksOnly: false,
    changes: false,
    checks: false,
  });
  assert.deepEqual(readCommand(`sleep 5; ${long}`), {
    waits: true,
    looksOnly: false,
    changes: false,
    checks: false,
  });
});

describe("one spelling", () => {
  const SAME: readonly (readonly [string, string])[] = [
    ["  ls a  ", "ls a"],
    ["ls\ta", "ls a"],
    ["ls\na", "ls a"],
    ["ls   a", "ls a"],
    ["ls -la a", "ls -al a"],
    ["ls -l -a a", "ls a -la"],
    ["ls -la -a a", "ls -al a"],
    ["cat ./a", "cat a"],
    ["make 2>&1", "make"],
    ["make 2>/dev/null", "make"],
    ["make 2> /dev/null", "make"],
    ["make || true", "make"],
    ["make ||true", "make"],
    ["make 2>&1 || true", "make"],
    ["make 2>&1 | head", "make | head"],
    [`ls ${"x".repeat(295)}  `.slice(0, 300), `ls ${"x".repeat(295)}`],
  ];
  for (const [one, other] of SAME)
    test(JSON.stringify(one).slice(0, 50), () =>
      assert.equal(plainCommand(one), plainCommand(other)),
    );
  const OTHER: readonly (readonly [string, string])[] = [
    ["ls a b", "ls b a"],
    ["ls -la a", "ls -l a"],
    ["ls -a a", "ls --a a"],
    ["ls -1 -a a", "ls -a a"],
    ["cat ../a", "cat a"],
    ["cat a./b", "cat ab"],
    ["ls  a-b c", "ls  b-a c"],
    ["ls -a1b  c", "ls -b1a  c"],
    ["cat  a./b", "cat  ab"],
    ["make 2>&1x", "make x"],
    ["make || truely", "make ly"],
    ["grep -i a -e b | x", "grep -e b -i a | x"],
    ["echo 'a -b' -c", "echo -c 'a -b'"],
    ["echo $A -b -c", "echo $A -c -b"],
    [`ls  ${"x".repeat(297)}`, `ls ${"x".repeat(297)}`],
  ];
  for (const [one, other] of OTHER)
    test(`not: ${JSON.stringify(one).slice(0, 50)}`, () =>
      assert.notEqual(plainCommand(one), plainCommand(other)));
  test("as a person would write it", () => {
    assert.equal(plainCommand("  ls  -l  -a  ./src "), "ls src -al");
    assert.equal(plainCommand("cat   ./a  |  head"), "cat ./a | head");
    assert.equal(plainCommand("ls"), "ls");
  });
});

describe("what is printed of one file", () => {
  const PARTS: readonly (readonly [string, string, number, number])[] = [
    ["cat src/a.ts", "src/a.ts", 0, 2000],
    ["cat -n a", "a", 0, 2000],
    ["nl -ba a", "a", 0, 2000],
    ["  cat a  ", "a", 0, 2000],
    ["head -n40 a.ts", "a.ts", 0, 40],
    ["head -n 1234 a.ts", "a.ts", 0, 1234],
    ["head -7 a.ts", "a.ts", 0, 7],
    ['sed -n "10,20p" a.ts', "a.ts", 10, 20],
    ["sed -n 1,9p a.ts", "a.ts", 1, 9],
    ["cat a.ts | sed -n '100,200p'", "a.ts", 100, 200],
    ['/bin/sh -c "head -n 5 a.ts"', "a.ts", 0, 5],
    ["cat -n a.ts | head -n 30", "a.ts", 0, 30],
    ["zsh -lc 'nl -ba a.ts | sed -n 10,20p'", "a.ts", 10, 20],
    [`cat ${"x".repeat(300)}`, "x".repeat(300), 0, 2000],
  ];
  for (const [command, path, start, end] of PARTS)
    test(command.slice(0, 50), () =>
      assert.deepEqual(printedPart(command), { path, range: [start, end] }),
    );
  for (const command of [
    "cat a b",
    "cat *.ts",
    "cat a > b",
    "cat a | wc -l",
    "tail -n 3 a",
    "sed -i 1,2p a",
    "cat",
    "",
    "cat $A",
    "cat a; cat b",
    "cat a && ls",
    "head a",
    "head -n x a",
    "sed -n 10p a",
    "sed -n 1,2d a",
    "xcat a",
    "cat a | head -3 b",
    "cat -A a",
    `cat ${"x".repeat(301)}`,
    `cat a${" ".repeat(400)}`,
  ])
    test(`nothing known: ${command.slice(0, 50)}`, () =>
      assert.equal(printedPart(command), undefined));
});
