// proves: U13
// What a script is written in, whether it judges the work or is the work, and which files and commands it names.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  judges,
  languageOf,
  looksJudging,
  programLeads,
} from "../../../../src/core/checks/judging/scripts.ts";

const LANGUAGES: readonly (readonly [path: string, text: string | undefined, language: string])[] =
  [
    ["a.sh", undefined, "shell"],
    ["a.bats", "", "shell"],
    ["a.sh.txt", "", "unknown"],
    ["a.mjs", "", "javascript"],
    ["a.tsx", "", "javascript"],
    ["a.json", "", "unknown"],
    ["a.py", "#!/bin/sh\n", "python"],
    ["a.rb", "", "program"],
    ["a", "#!/bin/bash -e\n", "shell"],
    ["a", "#!/usr/bin/env node\n", "javascript"],
    ["a", "#!/usr/bin/python3\n", "python"],
    ["a", "#!/usr/bin/awk -f\n", "program"],
    ["a", "# !/bin/bash\n", "unknown"],
    ["a", "x\n#!/bin/bash\n", "unknown"],
    ["a", undefined, "unknown"],
  ];
for (const [path, text, language] of LANGUAGES)
  test(`${path} that begins ${JSON.stringify(text)} is written in ${language}`, () =>
    assert.equal(languageOf(path, text), language));

test("a file judges by its place or by a word of its name, not by a part of a word", () => {
  const judging =
    "scripts/a.js ci/a web/.github/x.yml tools/x tests/a.js check.js my-test.sh a.spec.ts run_smoke.py harness.js";
  const others =
    "src/a.js latest.js contest.sh inspect.py manuscripts/a.js facility.js checkout.js tools.js";
  const all = [...judging.split(" "), ...others.split(" ")];
  assert.deepEqual(all.filter(looksJudging), judging.split(" "));
});

const JUDGES: readonly (readonly [path: string, text: string, direct: boolean, judges: boolean])[] =
  [
    ["verify.js", "", true, true],
    ["verified.js", "", true, false],
    ["app.js", "console.log(1)", true, false],
    ["app.js", "import assert from 'node:assert/strict'", true, true],
    ["app.js", "assert(1)", true, false],
    ["app.js", "describe(", true, true],
    ["app.py", "import unittest", true, true],
    ["app.py", "def test_a():", true, true],
    ["app.py", "x = 'def test_a'", true, false],
    ["app.rb", "require 'minitest/autorun'", true, true],
    ["app.rb", "puts 1", true, false],
    ["go.sh", "echo hi", true, false],
    ["go.sh", "echo hi", false, true],
    ["go.sh", "cmd | grep -q ok", true, true],
    ["go.sh", "exit 1", true, true],
    ["go.sh", "exit 0", true, false],
    ["go.sh", "  [ -f x ]", true, true],
    ["go.sh", "npm run build", true, true],
    ["app", "anything", true, true],
    ["app.js", "console.log(1)", false, false],
  ];
for (const [path, text, direct, expected] of JUDGES)
  test(`${path} with ${text || "nothing"}${direct ? ", named by the check" : ""}: ${expected ? "judges" : "is the work"}`, () =>
    assert.equal(judges(path, text, direct), expected));

/** Leads as text: what is run as a command, imported, or a tool. */
const leads = (text: string, isPython = false): readonly string[] =>
  programLeads(text, isPython).map((lead) => {
    if (lead.kind === "shell") return `$ ${lead.text}`;
    if (lead.kind === "tool") return `tool ${lead.name}`;
    return `${lead.kind} ${"word" in lead ? lead.word : ""}`.trim();
  });

const PROGRAMS: readonly (readonly [text: string, leads: readonly string[]])[] = [
  ["import './lib/a.js'", ["import ./lib/a.js"]],
  ["require('../b')", ["import ../b"]],
  ["from 'lodash'", []],
  ["read('data/x/y.json')", ["import data/x/y.json"]],
  ["read('check.py')", ["import check.py"]],
  ["read('check.txt')", []],
  ["read('/etc/x')", ["import ./etc/x"]],
  ["join(root, '/ci/t.sh')", ["import ./ci/t.sh"]],
  ["import { test } from 'node:test'", ["tool node-test"]],
  ["exec('npm run x')", ["$ npm run x"]],
  ["exec('./ci/t.sh --fast')", ["$ ./ci/t.sh --fast"]],
  ["exec('cat x')", ["$ cat x"]],
  ["say('hello world')", []],
  ["spawn('bash', ['ci/t.sh'])", ["run ci/t.sh"]],
  ["spawn('bash', x, 'ci/t.sh')", ["import ci/t.sh"]],
  ['`ci/a.sh` "ci/b.sh"', ["import ci/a.sh", "import ci/b.sh"]],
  ["'ci/a.sh\"", []],
  ["require_relative 'lib/x'", ["import ./lib/x", "import lib/x"]],
  ["import x", []],
];
for (const [text, expected] of PROGRAMS)
  test(`a program with ${text}`, () => assert.deepEqual(leads(text), expected));

test("a Python module is imported by its name; a runner of tests is a tool", () => {
  assert.deepEqual(
    leads(
      "import pytest\nfrom unittest.mock import x\nfrom .lib.a import b\n  import c\nimporter d\n",
      true,
    ),
    ["tool pytest", "tool unittest", "import lib.a", "import c"],
  );
});
