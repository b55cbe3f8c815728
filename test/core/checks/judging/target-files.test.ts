// proves: U13
// What the targets of Makefiles, justfiles, Taskfiles, tox, nox and rake run: as the tool itself would read them.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lead, TargetTool } from "../../../../src/core/checks/judging/leads.ts";
import { targetFileLeads } from "../../../../src/core/checks/judging/target-files.ts";

/** Leads as text: a command as it is, an include or import with `<` before it; `~` stands for what nobody knows. */
const told = (leads: readonly Lead[]): readonly string[] =>
  leads.map((lead) =>
    ("text" in lead
      ? lead.text
      : "word" in lead
        ? `<${lead.word}`
        : JSON.stringify(lead)
    ).replaceAll("\0", "~"),
  );
const runs = (tool: TargetTool, text: string, ...names: readonly string[]): readonly string[] =>
  told(targetFileLeads(tool, text, names).leads);

type Row = readonly [what: string, text: string, names: readonly string[], runs: readonly string[]];

const MAKE: readonly Row[] = [
  ["the first target is the default", "a:\n\techo a\nb:\n\techo b\n", [], ["echo a"]],
  ["but none that begins with a dot", ".PHONY: b\n.x:\n\techo x\nb:\n\techo b\n", [], ["echo b"]],
  ["without any target `all` is meant", "X = 1\n", [], []],
  ["of several names each", "a b:\n\techo $@\n", ["b", "a"], ["echo b", "echo a"]],
  ["each once, what it needs after it", "a: b b\n\t1\nb: a\n\t2\n", ["a", "a"], ["1", "2"]],
  ["two rules of one target add up", "a: b\na:\n\t1\nb:\n\t2\n", ["a"], ["1", "2"]],
  ["double colons too", "a::\n\t1\na::\n\t2\n", ["a"], ["1", "2"]],
  ["a pattern for what has no rule", "%:\n\tany $@\na:\n\t1\n", ["a", "z"], ["1", "any z"]],
  ["order-only needs are needs", "a: b | c\nb:\n\t1\nc:\n\t2\n", ["a"], ["1", "2"]],
  ["a comment behind needs is none", "a: b # c\nb:\n\t1\nc:\n\t2\n", ["a"], ["1"]],
  [
    "signs before a command are not part of it",
    "a:\n\t@-echo 1\n\t+make\n",
    ["a"],
    ["echo 1", "make"],
  ],
  ["a blank line or comment ends no rule", "a:\n\t1\n\n# c\n\t2\n", ["a"], ["1", "2"]],
  ["any other line does", "a:\n\t1\nendif\n\t2\n", ["a"], ["1"]],
  ["blanks are no tab", "a:\n\t1\n  2\n\t3\n", ["a"], ["1"]],
  ["a line goes on behind a backslash", "a:\n\tx \\\n\t  y\n", ["a"], ["x  y"]],
  ["Windows line ends", "a: b\r\n\t1\r\nb:\r\n\t2 \\\r\n3\r\n", ["a"], ["1", "2  3"]],
  ["inline behind a semicolon", "a: b; x; y\nb:\n\t1\n", ["a"], [" x", " y", "1"]],
  ["needs by their signs", "a: b c\n\tcat $< $^ > $@\n", ["a"], ["cat b b c > a"]],
  ["no need at all", "a:\n\tcat $< x\n", ["a"], ["cat  x"]],
  [
    "variables, whichever way they are set",
    "A := 1\nB ?= 2\nC += 3\nexport D = 4\nE::=5\nF=6\na:\n\t$(A)$(B)$(C)$(D)${E}${F}\n",
    ["a"],
    ["123456"],
  ],
  ["variables of variables", "A = $(B)\nB = $(C)\nC = x\na:\n\t$(A)\n", ["a"], ["x"]],
  ["what is not set nobody knows", "a:\n\t$(NONE) $$HOME\n", ["a"], ["~ $HOME"]],
  ["make and sh are known", "a:\n\t$(MAKE) b; $(SHELL) c\n", ["a"], ["make b; sh c"]],
  ["an assignment is no rule", "a := b: c\nc:\n\t1\n", ["a"], []],
  ["a target by a variable", "T = a\n$(T): b\n\t1\n", ["a"], ["1"]],
  [
    "includes, whether they must be there or not",
    "include a.mk b.mk\n-include c.mk\nsinclude d.mk\n",
    [],
    ["<a.mk", "<b.mk", "<c.mk", "<d.mk"],
  ],
  ["no include", "included: x\nx:\n\t1\n", ["included"], ["1"]],
];

const JUST: readonly Row[] = [
  [
    "a recipe is what is indented",
    "test: build\n  cargo test\n\nbuild:\n    make x\n",
    ["test"],
    ["cargo test", "make x"],
  ],
  ["parameters are no targets", "test name='x':\n  run {{name}}\n", ["test"], ["run ~"]],
  ["an alias for a quiet recipe", "@test:\n  x\n", ["test"], ["x"]],
  ["a variable without its quotes", 'd := "a b"\nt:\n  ls {{ d }}\n', ["t"], ["ls a b"]],
  [
    "imports and modules",
    "import 'a.just'\nimport? \"b.just\"\nmod c\n",
    [],
    ["<a.just", "<b.just", "<c"],
  ],
];

for (const [what, text, names, expected] of MAKE)
  test(`make: ${what}`, () => assert.deepEqual(runs("make", text, ...names), expected));
for (const [what, text, names, expected] of JUST)
  test(`just: ${what}`, () => assert.deepEqual(runs("just", text, ...names), expected));

test("tox: the commands of every environment, and nothing else of it", () => {
  const text =
    "[testenv]\ndeps =\n  pytest\ncommands_pre = python -m pip list\ncommands =\n  pytest {posargs}\n  bash ci/t.sh\n\npassenv = HOME\n  CI\n[testenv:lint]\ncommands= ruff check\n";
  assert.deepEqual(runs("tox", text), [
    ...["python -m pip list", "pytest {posargs}", "bash ci/t.sh", "ruff check"],
  ]);
});

test("task: commands in lists, one by one, or of another file", () => {
  const text =
    "version: '3'\nincludes:\n  docs:\n    taskfile: ./docs\ntasks:\n  test:\n    deps: [build]\n    cmds:\n      - go test ./...\n      - cmd: bash ci/t.sh\n      -   make x\n    desc: runs\n  one:\n    cmd: npm test\n  got:\n    vars:\n      X:\n        sh: git describe\n";
  assert.deepEqual(runs("task", text), [
    ...["./docs", "go test ./...", "bash ci/t.sh", "make x", "npm test", "git describe"],
  ]);
});

test("what is quoted or in brackets is read as a program would have it", () => {
  assert.deepEqual(runs("task", "    cmds: ['bash ci/t.sh', \"./x.py\"]\n"), [
    "bash ci/t.sh",
    "<./x.py",
  ]);
  assert.deepEqual(runs("task", '    cmds:\n      - "bash ci/t.sh"\n'), ["bash ci/t.sh"]);
});

test("nox and rake are programs; rake takes its library too", () => {
  assert.deepEqual(runs("nox", "import helpers\nsession.run('bash', 'ci/t.sh')\n")[0], "<helpers");
  assert.deepEqual(runs("rake", "require_relative 'lib/x'\nimport helpers\n"), [
    ...["<./lib/x", "<lib/x", "<rakelib/*.rake"],
  ]);
});

test("what is wanted is handed on to included files; what has no reader gives nothing", () => {
  assert.deepEqual(targetFileLeads("make", "a: b\n", ["a"]).wanted, ["a", "b"]);
  assert.deepEqual(targetFileLeads("make", "", []).wanted, ["all"]);
  assert.deepEqual(targetFileLeads("tox", "", ["py"]), { leads: [], wanted: ["py"] });
  assert.deepEqual(targetFileLeads("deno", "{}", ["t"]), { leads: [], wanted: ["t"] });
});

test("however much a file holds, what is made of it is bounded", () => {
  const chain = Array.from({ length: 400 }, (_, at) => `t${at}: t${at + 1}\n\tx\n`).join("");
  assert.equal(targetFileLeads("make", chain, ["t0"]).wanted.length, 300);
  const rules = Array.from({ length: 5200 }, (_, at) => `r${at}:\n\trun ${at}\n`).join("");
  assert.deepEqual(runs("make", rules, "r4999"), ["run 4999"]);
  assert.deepEqual(runs("make", rules, "r5100"), []);
  const doubled = `A = ${"x".repeat(100)}\nB = ${"$(A)".repeat(100)}\nt:\n\t$(B)\n\t${"y".repeat(9000)}\n`;
  assert.ok(runs("make", doubled, "t").every((line) => line.length <= 4000));
  const loop = "A = $(A)$(A)\nt:\n\t$(A)\n";
  assert.equal(runs("make", loop, "t").length, 1);
});
