// proves: C2, C6
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/core/evidence.ts";
import { repairValues, type RepairValues } from "../../../src/core/repair/values.ts";
import { anyText } from "./any-text.ts";

type Field = keyof RepairValues;

/**
 * Field, expected value, evidence. Texts from real tools were recorded in local runs; the others
 * are made up.
 */
const TABLE: readonly (readonly [Field, RepairValues[Field], Evidence])[] = [
  ["missingCommand", "helm", { stderr: "ci.sh: line 4: helm: command not found" }],
  ["missingCommand", "tsc", { stderr: "sh: 1: tsc: not found" }],
  ["missingCommand", "foo", { stderr: "zsh: command not found: foo" }],
  ["missingCommand", "gradlew", { stderr: "bash: línea 1: gradlew: orden no encontrada" }],
  [
    "missingCommand",
    "python2.7",
    { stderr: "/usr/bin/env: ‘python2.7’: No such file or directory" },
  ],
  [
    "missingCommand",
    "mvn",
    { stderr: "'mvn' is not recognized as an internal or external command" },
  ],
  ["missingCommand", "dot", { message: 'exec: "dot": executable file not found in $PATH' }],
  ["missingCommand", "rg", { message: "Error: spawn rg ENOENT" }],
  ["missingCommand", "kubectl", { command: "kubectl get pods", stderr: "?" }],
  ["missingCommand", "tool", { command: "A=1 /opt/x/tool -v" }],
  [
    "missingCommand",
    "tesser",
    { stderr: "FileNotFoundError: [Errno 2] No such file or directory: 'tesser'" },
  ],
  [
    "missingCommand",
    undefined,
    { stderr: "FileNotFoundError: [Errno 2] No such file or directory: 'a.txt'" },
  ],
  ["missingCommand", undefined, { stderr: "bash: -rf: command not found" }],
  ["missingCommand", undefined, { command: "$TOOL run" }],
  ["program", "git", { command: "git status" }],
  [
    "path",
    "config/settings.yaml",
    { stderr: "FileNotFoundError: [Errno 2] No such file or directory: 'config/settings.yaml'" },
  ],
  [
    "path",
    "package.json",
    { stderr: "jq: error: Could not open file package.json: No such file or directory" },
  ],
  [
    "path",
    "/usr/lib/cfg.json",
    { stderr: "  code: 'EACCES',\n  syscall: 'open',\n  path: '/usr/lib/cfg.json'\n}" },
  ],
  ["path", "/etc/app.conf", { message: "EACCES: permission denied, open '/etc/app.conf'" }],
  [
    "path",
    "/home/dev/full/./b",
    {
      stderr:
        "cp: error writing '/home/dev/full/./a': No space left on device\ncp: error writing '/home/dev/full/./b': No space left on device",
    },
  ],
  ["path", "my notes.txt", { stderr: "cat: my notes.txt: No such file or directory" }],
  ["path", "./r.sh", { stderr: "bash: line 1: ./r.sh: Permission denied" }],
  ["path", "data/in.csv", { stderr: "open data/in.csv: no such file or directory" }],
  ["path", "C:\\Apps\\x.dll", { stderr: "copying failed: Access is denied: 'C:\\Apps\\x.dll'" }],
  ["path", "lib/a.rb", { message: "File not found: lib/a.rb" }],
  ["path", "src/main.c", { command: "wc -l src/main.c", stderr: "?" }],
  ["path", undefined, { stderr: "npm error nospc ENOSPC: no space left on device, write" }],
  ["path", undefined, { stderr: "head: error writing 'standard output': No space left on device" }],
  [
    "path",
    "a.txt",
    { stderr: "open a.txt: no such file or directory\nENOENT: no such file or directory" },
  ],
  ["path", undefined, { stderr: "cannot find the path of it' } })'" }],
  ["path", undefined, { command: "go build ./..." }],
  [
    "path",
    undefined,
    { stderr: "fatal: unable to write loose object file: No space left on device" },
  ],
  ["path", undefined, { command: "node -e \"write('/a/b.bin')\"" }],
  ["path", "b.pdf", { stderr: "LoadError: no such file: 'b.pdf'" }],
  ["path", "C:\\a\\b.exe", { stderr: "Access is denied: 'C:\\\\a\\\\b.exe'" }],
  ["path", undefined, { command: "npm test", stderr: "boom" }],
  ["path", undefined, { command: "curl https://a.example/x.tgz", stderr: "boom" }],
  ["path", undefined, { stderr: `cat: ${"x".repeat(600)}: No such file or directory` }],
  [
    "url",
    "https://a.example/x/y.tgz",
    { command: "curl -L https://a.example/x/y.tgz?token=s3cret#f" },
  ],
  ["url", "http://b.example/", { message: "failed to fetch http://b.example." }],
  [
    "url",
    "https://c.example/repo.git/",
    { stderr: "fatal: unable to access 'https://c.example/repo.git/': x" },
  ],
  ["url", "http://d.example/p/", { stderr: "error sending request for url (http://d.example/p/)" }],
  ["url", undefined, { stderr: "info Visit https://e.example/docs for help" }],
  ["url", undefined, { command: "curl https://me:pass@a.example/x" }],
  ["url", undefined, { command: "curl ftp://a.example/x" }],
  [
    "host",
    "registry.example.org",
    { stderr: "error Error: getaddrinfo EAI_AGAIN registry.example.org" },
  ],
  ["host", "db.example.net", { stderr: "curl: (6) Could not resolve host: db.example.net" }],
  ["host", "127.0.0.1", { stderr: "connect ECONNREFUSED 127.0.0.1:5432" }],
  ["host", "localhost", { stderr: 'connection to server at "localhost" was refused' }],
  ["host", "geo.example.com", { stderr: "pool(host='geo.example.com') is empty" }],
  ["host", "dns.example.com", { stderr: "dial tcp: lookup dns.example.com on 10.0.0.2:53" }],
  ["host", "a.example", { command: "curl https://a.example/x" }],
  ["host", undefined, { stderr: "connection to nowhere" }],
  ["toolName", "repo_browser", { message: "Unknown tool: repo_browser" }],
  ["toolName", "todo_list", { message: "The agent wanted the unavailable tool 'todo_list'" }],
  ["toolName", "SendMail", { message: "There is no such tool: SendMail." }],
  ["toolName", "search_logs", { message: "Tool search_logs not found" }],
  ["toolName", "kube_get", { message: "kube_get is not a valid name here" }],
  ["toolName", undefined, { message: "the toolbox is empty" }],
  ["parameter", "file", { message: "Missing required parameter: file" }],
  ["parameter", "limit", { message: "Parameter 'limit' should be number, got string" }],
  ["parameter", "--jobs", { stderr: "error: invalid value 'x' for '--jobs <N>'" }],
  ["expectedType", "number", { message: "Parameter 'limit' should be Number, got string" }],
  ["expectedType", "array", { message: "'tags' must be an array" }],
  ["expectedType", undefined, { message: "it should be fine" }],
  ["wrongWord", "ten", { stderr: "head: invalid number of lines: ‘ten’" }],
  [
    "wrongWord",
    "frobnicate",
    { stderr: "git: 'frobnicate' is not a git command. See 'git --help'." },
  ],
  ["wrongWord", "z", { stderr: "ls: invalid option -- z" }],
  [
    "suggestedWord",
    "-std=c99",
    {
      stderr:
        "gcc: error: unrecognized command-line option ‘-std=c99999’; did you mean ‘-std=c99’?",
    },
  ],
  ["suggestedWord", "build", { stderr: "Did you mean this?\n        build\n        bundle" }],
  [
    "suggestedWord",
    "update",
    { stderr: "Did you mean this?                          \n      update" },
  ],
  ["suggestedWord", "status", { stderr: "The most similar choice to 'stauts' is:\n    status" }],
  ["suggestedWord", undefined, { stderr: "what did you mean" }],
  ["wrongWord", "bulid", { stderr: 'Command "bulid" is not defined.' }],
  ["suggestedWord", "status", { stderr: "The most similar command is\n\tstatus" }],
  ["timeoutMs", 120_000, { stderr: "The step timed out after 120 seconds" }],
  ["timeoutMs", 5000, { message: "timeout of 5000ms exceeded" }],
  ["timeoutMs", 5000, { message: "timed out after 5.250 s" }],
  ["timeoutMs", 120_000, { message: "timed out in 2 minutes" }],
  ["timeoutMs", 3_600_000, { message: "timed out after 1h" }],
  ["timeoutMs", 15_000, { message: '{"timeout_ms": 15000}' }],
  ["timeoutMs", 1000, { command: "timeout 1 npm test" }],
  ["timeoutMs", 90_000, { command: "timeout -k 5 90s make" }],
  ["timeoutMs", 120_000, { command: "timeout 2m make" }],
  ["timeoutMs", undefined, { message: "timed out after 0 s" }],
  ["timeoutMs", undefined, { message: "timed out after 99 hours" }],
  ["timeoutMs", undefined, { message: "timed out" }],
  [
    "syntaxPlace",
    { file: "./a.go", line: 5 },
    { stderr: "# a\n./a.go:5:1: syntax error: unexpected }, expecting expression" },
  ],
  [
    "syntaxPlace",
    { file: "Makefile", line: 2 },
    { stderr: "Makefile:2: *** missing separator.  Stop." },
  ],
  [
    "syntaxPlace",
    { file: "a.lua", line: 2 },
    { stderr: "lua5.4: a.lua:2: <name> or '...' expected near 'return'" },
  ],
  [
    "syntaxPlace",
    { file: "ci.sh", line: 4 },
    { stderr: "ci.sh: line 4: syntax error near unexpected token `fi'" },
  ],
  ["syntaxPlace", undefined, { stderr: "bash: line 1: syntax error near unexpected token `|'" }],
  ["command", "a\nb", { command: "a\nb" }],
  ["command", undefined, { command: "a\0b" }],
  ["command", undefined, { command: "a \u001b[31m" }],
  ["command", undefined, { command: "a \u202e b" }],
  ["command", undefined, { command: "a \ud800" }],
  ["command", undefined, { command: "x".repeat(2001) }],
  ["command", undefined, { command: "  " }],
  ["words", ["ls", "-l"], { command: "ls -l" }],
  ["words", undefined, { command: "ls | wc" }],
];

for (const [row, [field, expected, evidence]] of TABLE.entries())
  test(`row ${row + 1}: ${field} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(repairValues(evidence)[field], expected);
  });

test("what git clone asks for", () => {
  const of = (command: string): unknown => repairValues({ command }).repository;
  const engine = { host: "code.example.com", owner: "ada", name: "engine", branch: "main" };
  assert.deepEqual(of("git clone https://code.example.com/ada/engine"), engine);
  assert.deepEqual(of("git clone --depth 1 https://code.example.com/ada/engine.git dir"), engine);
  assert.deepEqual(of("git clone git@code.example.com:ada/engine.git"), engine);
  assert.deepEqual(of("git clone -b v2/x https://code.example.com/ada/engine"), {
    ...engine,
    branch: "v2/x",
  });
  assert.equal(of("git clone https://code.example.com/engine"), undefined);
  assert.equal(of("git clone https://code.example.com/a/b/c"), undefined);
  assert.equal(of("git clone -b ../x https://code.example.com/ada/engine"), undefined);
  assert.equal(of("git clone https://tok@code.example.com/ada/engine"), undefined);
  assert.equal(of("git clone https://h/x;touch${IFS}pwn"), undefined);
  assert.equal(of("git clone 'https://h.example/a/b$(id)'"), undefined);
  assert.equal(of("hg clone https://code.example.com/ada/engine"), undefined);
  assert.equal(of("git status"), undefined);
});

test("the last error counts, and stderr before message before stdout", () => {
  const both = "cat: old.txt: No such file or directory\ncat: new.txt: No such file or directory";
  assert.equal(repairValues({ stderr: both }).path, "new.txt");
  const evidence = {
    stdout: "cat: out: No such file or directory",
    message: "cat: msg: No such file or directory",
  };
  assert.equal(repairValues(evidence).path, "msg");
  assert.equal(
    repairValues({ ...evidence, stderr: "cat: err: No such file or directory" }).path,
    "err",
  );
  assert.equal(repairValues({ providerError: { message: "Unknown tool: x" } }).toolName, "x");
});

test("only the end of a huge text is read", () => {
  const stderr = `cat: early.txt: No such file or directory\n${"y".repeat(5000)}`;
  assert.equal(repairValues({ stderr }).path, undefined);
});

test("hostile text costs linear time and never throws", () => {
  const size = 2_000_000;
  const texts = [
    "a".repeat(size),
    "': ".repeat(size / 3),
    "a: ".repeat(size / 3),
    "ENOENT'".repeat(size / 7),
    "\0".repeat(size),
    " ".repeat(size),
    "unknown ".repeat(size / 8),
    "-".repeat(size),
  ];
  for (const text of texts) {
    const values = repairValues({
      command: text.slice(0, 2000),
      stderr: text,
      message: text,
      stdout: text,
    });
    assert.ok(JSON.stringify(values).length < 10_000);
  }
});

test("no value ever holds a control, bidi or broken character", () => {
  const text = fc.array(
    fc.oneof(
      fc.constantFrom(
        "ENOENT: ",
        "open '",
        "'",
        ": No such file or directory",
        "\n",
        "cat: ",
        "Unknown tool: ",
        "https://a.example/",
        "did you mean ",
        "\0",
        "\u001b]0;x\u0007",
        "\u202e",
        "\ud800",
      ),
      anyText(8),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(text, text, (command, stderr) => {
      const values = repairValues({ command: command.join(""), stderr: stderr.join("") });
      const flat = JSON.stringify(values, (_, value: unknown) =>
        typeof value === "string" ? value.replace(/[\n\t]/g, "") : value,
      );
      assert.ok(
        !/\\u00[01]|\\u00[7-9][0-9a-f]|\\ud[89a-f]|[\u0080-\u009f\u202a-\u202e]/i.test(flat),
        flat,
      );
    }),
    { numRuns: 500 },
  );
});
