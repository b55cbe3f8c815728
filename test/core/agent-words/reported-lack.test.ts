// proves: J15, J25
import assert from "node:assert/strict";
import { test } from "node:test";
import { reportedLack } from "../../../src/core/agent-words/reported-lack.ts";

const PROTOC = { kind: "command_not_found", words: "protoc: command not found" };

const LACKS: Readonly<Record<string, readonly [string, object | undefined]>> = {
  "a shell's words": ["protoc: command not found", PROTOC],
  "with the shell before it": ["/bin/bash: line 1: protoc: command not found", PROTOC],
  "another shell's words": ["zsh: command not found: protoc", PROTOC],
  "a small shell's words": ["sh: 1: protoc: not found", PROTOC],
  "in a code block": [
    "I ran it:\n```\nbash: protoc: command not found\n```\nSo it is not done.",
    PROTOC,
  ],
  "in words": ["I could not generate the code: `protoc` is not installed.", PROTOC],
  "in words, without ticks": [
    "protoc is not installed on this machine, so I cannot go on.",
    PROTOC,
  ],
  "not on the path": ["The build needs protoc, but protoc is not on the PATH.", PROTOC],
  "in shorter words": ["I was unable to build: `protoc` isn't available here.", PROTOC],
};

for (const [name, [message, lack]] of Object.entries(LACKS))
  test(`lacks a program: ${name}`, () => assert.deepEqual(reportedLack(message), lack));

test("lacks a service", () => {
  const message = "I could not run the migration: could not connect to the database at db:5432.";
  assert.deepEqual(reportedLack(message), { kind: "network_error", words: message });
});

const FULL_DISK: Readonly<Record<string, readonly [message: string, words?: string]>> = {
  "with its number": ["I could not write value.txt: ENOSPC: no space left on device."],
  "as a shell says it": ["sh: 1: cannot create value.txt: No space left on device"],
  "as git says it": ["fatal: write error: No space left on device"],
  "of a quota": ["cp: error writing 'big.bin': Disk quota exceeded"],
  "in words": ["The disk is full, so the build could not finish."],
  "in two sentences": ["The disk is full. I cannot go on.", "The disk is full."],
  "out of space": ["I was blocked: the machine is out of disk space."],
  "in a code block": [
    "I ran it:\n```\ntee: value.txt: No space left on device\n```\nIt is not done.",
    "tee: value.txt: No space left on device",
  ],
};

for (const [name, [message, words = message]] of Object.entries(FULL_DISK))
  test(`lacks room on the disk: ${name}`, () =>
    assert.deepEqual(reportedLack(message), { kind: "disk_full", words }));

const LACKS_NOTHING: Readonly<Record<string, string>> = {
  "it is done": "Done. All tests pass now.",
  "it installed it": "protoc: command not found at first, and installed it with npm. Done.",
  "it went another way": "protoc: command not found, so I wrote the code by hand instead.",
  "it got over it later":
    "protoc: command not found\n\nAfter a look at the docs the build now works.",
  "what the code prints": "The shell now prints `foo: command not found` for unknown commands.",
  "what a test expects": "The test expects bash: foo: command not found in the output.",
  "a page": "The handler answers 404: not found.",
  "a file": "config.yaml: not found in the cache, read from disk.",
  "a feature": "The feature is not available in this release. I could not test it there.",
  "a pronoun": "It is not installed by default, which needs a note in the README.",
  "a full disk it got over":
    "cp: big.bin: No space left on device at first, so I wrote to memory instead.",
  "a full disk the code handles": "It handles ENOSPC: no space left on device, and needs a test.",
  "a full disk that might be": "The copy stops when the disk is full. I could not try that.",
  "a full disk of a test": "The test mocks ENOSPC: no space left on device. It failed.",
  "watches that are used up":
    "I could not start it: ENOSPC: System limit for number of file watchers reached.",
  "room it has": "There is no space left in the header for the title, which needs a smaller font.",
  "a refused connection it speaks of": "A connection refused error is retried three times.",
};

for (const [name, message] of Object.entries(LACKS_NOTHING))
  test(`lacks nothing: ${name}`, () => assert.equal(reportedLack(message), undefined));
